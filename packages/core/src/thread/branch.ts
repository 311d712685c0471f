import type { Message } from '../model/message.ts';
import type { Thread } from './thread.ts';

/** The message that each message follows. */
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
 * The conversation that ends with a message, from its beginning. Default: with the one that was stored last. Where an
 * answer was made anew or a question was put in other words, a thread has several conversations with a common beginning.
 *
 * @example
 * ```ts
 * import { branchOf } from '@utensil/core';
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
    byId.delete(id); // a message that follows itself, as only a damaged thread has it, ends the way
    path.push(message);
  }
  return path.toReversed();
}

/** The messages that could stand in the place of a message, itself included, in the order in which they were stored. */
export function alternativesTo(messages: readonly Message[], id: string): readonly string[] {
  const parents = parentsOf(messages);
  if (!parents.has(id)) return [];
  const parent = parents.get(id);
  return messages.map((message) => message.id).filter((other) => parents.get(other) === parent);
}

/** The message that was stored last of all that follow a message, or itself: where {@link branchOf} leads on from it. */
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
 * A thread as one of its conversations: the one that ends with `last`, to which what is appended is added. Null: a new
 * beginning. To have an answer made anew, `resume` the conversation that ends with its question.
 *
 * @example
 * ```ts
 * import { branchThread, createRecords, openThread } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const thread = openThread(createRecords(memoryStorage()), 'first');
 * await thread.append({ id: 'question', role: 'user', parts: [], createdAt: 0 });
 * await thread.append({ id: 'answer', role: 'assistant', parts: [], createdAt: 0 });
 * const again = branchThread(thread, 'question');
 * await again.messages(); // only the question
 * ```
 */
export function branchThread(thread: Thread, last?: string | null): Thread {
  let tip = last;
  const own = new Map<string, Message>();

  async function read(): Promise<readonly Message[]> {
    const all = await thread.messages();
    const path = tip === null ? [] : branchOf(all, tip);
    for (const message of path) own.set(message.id, message);
    tip = path.at(-1)?.id ?? null;
    return path;
  }

  async function add(message: Message): Promise<void> {
    if (tip === undefined || (tip !== null && !own.has(tip))) await read();
    const earlier = own.get(message.id);
    const parentId = earlier === undefined ? (tip ?? null) : earlier.parentId;
    const followed = parentId === undefined ? message : { ...message, parentId };
    await thread.append(followed);
    own.set(message.id, followed);
    if (earlier === undefined) tip = message.id;
  }

  let lastWork: Promise<unknown> = Promise.resolve();
  /** One after the other: each message follows the one before, and what is read is not from before what was appended. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = lastWork.then(work);
    lastWork = done.catch(() => {});
    return done;
  }

  const messages = (): Promise<readonly Message[]> => inTurn(read);
  const append = (message: Message): Promise<void> => inTurn(() => add(message));

  const { journal } = thread;
  if (journal === undefined) return { id: thread.id, messages, append };
  return {
    id: thread.id,
    messages,
    append,
    journal: {
      append: (entry, options) => journal.append(entry, options),
      async entries() {
        const [entries, path] = [await journal.entries(), await messages()];
        const ids = new Set(path.map(({ id }) => id));
        return entries.filter((entry) => entry.type !== 'compacted' || ids.has(entry.before)); // others left out what is not here
      },
    },
  };
}
