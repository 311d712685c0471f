import type { Message } from '../model/message.ts';
import { createQueue } from '../files/queue.ts';
import { entriesOn } from './branch-entries.ts';
import type { ThreadEntry } from './entry.ts';
import { attachedIn } from './messages.ts';
import type { AppendOptions, Claim, ClaimOptions, ReadOptions, Thread, ThreadPage } from './thread.ts';

/** Parent of each message. */
function parentsOf(messages: readonly Message[]): ReadonlyMap<string, string | undefined> {
  const parents = new Map<string, string | undefined>();
  let previous: string | undefined;
  for (const { id, parentId } of messages) {
    parents.set(id, parentId === undefined ? previous : (parentId ?? undefined));
    previous = id;
  }
  return parents;
}

/**
 * The conversation that ends with a message, from its beginning. Default: the message stored last. A thread in which an
 * answer was regenerated or a question edited has several conversations with a common beginning.
 *
 * @example
 * ```ts
 * import { branchOf } from '@utensil/core/thread';
 * import type { Message } from '@utensil/core';
 *
 * const says = (id: string, role: Message['role'], parentId: string | null): Message => ({ id, role, parentId, parts: [], createdAt: 0 });
 * const messages = [says('question', 'user', null), says('answer', 'assistant', 'question'), says('again', 'assistant', 'question')];
 * branchOf(messages).map(({ id }) => id); // ['question', 'again']
 * branchOf(messages, 'answer').map(({ id }) => id); // ['question', 'answer']
 * ```
 */
export function branchOf(messages: readonly Message[], last = messages.at(-1)?.id): readonly Message[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const parents = parentsOf(messages);
  const path: Message[] = [];
  for (let id = last; id !== undefined; id = parents.get(id)) {
    const message = byId.get(id);
    if (message === undefined) break;
    byId.delete(id); // a cycle, possible only in a damaged thread, ends the path
    path.push(message);
  }
  return path.toReversed();
}

/** Siblings of a message, itself included, in the order in which they were stored. */
export function alternativesTo(messages: readonly Message[], id: string): readonly string[] {
  const parents = parentsOf(messages);
  if (!parents.has(id)) return [];
  const parent = parents.get(id);
  return messages.map((message) => message.id).filter((other) => parents.get(other) === parent);
}

/** The message stored last among a message and its descendants: where {@link branchOf} continues from it. */
export function lastMessageOf(messages: readonly Message[], id: string): string {
  const parents = parentsOf(messages);
  const within = new Set([id]);
  let last = id;
  for (const message of messages) {
    const parent = parents.get(message.id);
    if (parent === undefined || !within.has(parent)) continue;
    within.add(message.id);
    last = message.id;
  }
  return last;
}

/**
 * A view of a thread as one of its conversations: the one that ends with `last`; appends continue it. Null: a new
 * beginning. To regenerate an answer, `resume` the conversation that ends with its question.
 *
 * @example
 * ```ts
 * import { createRecords, messagesOf, openThread } from '@utensil/core';
 * import { branchThread } from '@utensil/core/thread';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const thread = openThread(createRecords(memoryStorage()), 'first');
 * await thread.append([
 *   { type: 'message', message: { id: 'question', role: 'user', parts: [], createdAt: 0 } },
 *   { type: 'message', message: { id: 'answer', role: 'assistant', parts: [], createdAt: 0 } },
 * ]);
 * const again = branchThread(thread, 'question');
 * await messagesOf(again); // only the question
 * ```
 */
export function branchThread(thread: Thread, last?: string | null): Thread {
  const own = new Map<string, Message>();
  let tip = last;
  let isPlaced = last !== undefined;

  /** The thread without the entries of other branches. */
  async function readAll(): Promise<ThreadPage> {
    const page = await thread.read();
    const all = attachedIn(page);
    const isLost = typeof tip === 'string' && page.lost !== undefined && all.every(({ id }) => id !== tip);
    if (isLost) tip = undefined; // the message stored last
    const path = tip === null ? [] : branchOf(all, tip);
    own.clear();
    for (const message of path) own.set(message.id, message);
    tip = path.at(-1)?.id ?? null;
    const { draft, entries, ...rest } = page;
    return {
      ...rest,
      ...entriesOn(own, entries, all),
      ...(draft !== undefined && own.has(draft.id) && { draft }),
    };
  }

  async function read({ after = 0, limit = Infinity }: ReadOptions = {}): Promise<ThreadPage> {
    const { lost = [], draft, ...all } = await readAll();
    const rest = all.entries.filter(({ position }) => position > after || after === 0);
    const isCut = rest.length > limit;
    const entries = isCut ? rest.slice(0, limit) : rest;
    const last = isCut ? (entries.at(-1)?.position ?? after) : all.last;
    const lostHere = lost.filter((position) => position > after && position <= last);
    return {
      ...all,
      entries,
      last,
      ...(isCut && { more: true }),
      ...(!isCut && draft && { draft }),
      ...(lostHere.length > 0 && { lost: lostHere }),
    };
  }

  /** No other run appends until this branch is extended, so the message stored last is determined only then. */
  async function claim(options: ClaimOptions): Promise<Claim> {
    const taken = await thread.claim(options);
    await inTurn(async () => {
      if (!isPlaced) tip = undefined;
    });
    return taken;
  }

  async function append(entries: readonly ThreadEntry[], options?: AppendOptions): Promise<number> {
    if (tip === undefined || (tip !== null && !own.has(tip))) await readAll();
    let next = tip ?? null;
    const added = new Map<string, Message>();
    const placed = entries.map((entry): ThreadEntry => {
      if (!('message' in entry)) return entry;
      const { id } = entry.message;
      const earlier = own.get(id) ?? added.get(id);
      const parentId = earlier === undefined ? next : earlier.parentId;
      const message = parentId === undefined ? entry.message : { ...entry.message, parentId };
      added.set(id, message);
      if (earlier === undefined) next = id;
      return { ...entry, message };
    });
    const position = await thread.append(placed, options);
    isPlaced = true;
    for (const [id, message] of added) own.set(id, message);
    tip = next;
    return position;
  }

  const inOrder = createQueue();
  /** Serialized: each message follows the previous one, and reads see preceding appends. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => inOrder([thread.id], work);

  return {
    id: thread.id,
    read: (options) => inTurn(() => read(options)),
    append: (entries, options) => inTurn(() => append(entries, options)),
    claim,
    ...(thread.owner && { owner: thread.owner }),
    watch: thread.watch,
    ...(thread.child && { child: thread.child }),
    ...(thread.children && { children: thread.children }),
  };
}
