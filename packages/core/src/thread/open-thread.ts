import { isUtensilError } from '../base/errors.ts';
import type { UtensilError } from '../base/errors.ts';
import { createQueue } from '../files/queue.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { RecordCommitResult } from '../records/commit.ts';
import type { RecordStore } from '../records/records.ts';
import { readableRecord } from '../records/usable.ts';
import { changesOf, planAppend } from './append-plan.ts';
import { heldClaim, ownerOf, takeClaim } from './claims.ts';
import type { ClaimsSetup } from './claims.ts';
import { platformClock } from './clock.ts';
import type { Clock } from './clock.ts';
import type { ThreadEntry } from './entry.ts';
import type { HeldClaim } from './held-claim.ts';
import { createKnownThread } from './known-thread.ts';
import { readLog, readOldCalls } from './log-reader.ts';
import { indexChange, indexKey, nothingWaits, waitingAfter } from './question-index.ts';
import { changed, deleted, unsettled } from './thread-errors.ts';
import type { AppendOptions, Claim, Holder, ReadOptions, Thread, ThreadPage } from './thread.ts';

/** Options of {@link openThread}. */
export interface ThreadOptions {
  /** Called about an entry that cannot be read. It is left in place, and the others are returned. */
  warn?(problem: UtensilError): void;
  /** Identity of this process, so that others need not wait for its lease if it dies during a run. Default: unknown. */
  readonly holder?: Holder;
  /** Default: the platform's clock. */
  readonly clock?: Clock;
}

/**
 * Opens a thread in records; it is created with its first message. Reads threads of version 0.1 unchanged.
 *
 * @example
 * ```ts
 * import { createRecords, messagesOf, openThread } from '@utensil/core';
 * import type { Message } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const thread = openThread(createRecords(memoryStorage()), 'first');
 * const message: Message = { id: '1', role: 'user', parts: [{ type: 'text', text: 'Hi' }], createdAt: Date.now() };
 * await thread.append([{ type: 'message', message }]);
 * console.log(await messagesOf(thread));
 * ```
 */
export function openThread(records: RecordStore, id: string, options: ThreadOptions = {}): Thread {
  return threadAt(records, ['threads', id], options);
}

/** Maximum number of commits of one append, except those that other writers preceded. */
const mostRounds = 50;

function threadAt(records: RecordStore, thread: RecordKey, options: ThreadOptions): Thread {
  const { clock = platformClock, warn } = options;
  const id = thread.at(-1) ?? '';
  const known = createKnownThread(records, thread, warn);
  const inOrder = createQueue();
  const claims: ClaimsSetup = {
    ...options,
    records,
    thread,
    clock,
    latestFence: () => known.fence,
    async readToEnd() {
      await inOrder([id], known.catchUp);
      if (known.isDeleted) throw deleted(thread);
      return known.summary;
    },
  };

  async function read({ after = 0, limit = Infinity }: ReadOptions = {}): Promise<ThreadPage> {
    const calls = after === 0 ? await readOldCalls(records, thread, warn) : [];
    const page = await readLog(records, thread, { after, limit, warn });
    known.note(page, after);
    const draft = page.more ? undefined : await known.readDraft();
    return { ...page, entries: [...calls, ...page.entries], ...(draft && { draft }) };
  }

  /** The claim of an append. Throws if it is lost, or the thread was removed. */
  async function checked(claim: Claim | undefined): Promise<HeldClaim | undefined> {
    const held = claim && heldClaim(claims, claim);
    if (known.isDeleted) throw held?.lose(deleted(thread)) ?? deleted(thread);
    await held?.verifyIfLate();
    return held;
  }

  /** Position of the last entry; undefined if another writer was faster. */
  async function tryToAppend(
    entries: readonly ThreadEntry[],
    { claim, ifLast, release = false, durable = false }: AppendOptions,
  ): Promise<number | undefined> {
    const held = await checked(claim);
    if (ifLast !== undefined && ifLast !== known.log.last) throw changed(thread, ifLast);
    const plan = planAppend(thread, entries, known.log);
    const begun = known.beginning(plan);
    const waiting = plan.added.reduce(waitingAfter, known.waiting);
    const isListed = known.isIndexed || waiting.open.size === 0;
    const index = indexChange(thread, isListed ? known.waiting : nothingWaits, waiting);
    const changes = [...begun, ...changesOf(thread, plan, known.log), ...index, ...(held?.changes(release) ?? [])];
    const expect = [...(held?.conditions ?? []), ...known.conditions(plan, begun.length > 0)];
    const result = await commit(held, changes, { expect, durable });
    if (result?.ok !== true) {
      if (held?.conditions.some(({ key }) => key === result?.conflict)) await held.verify();
      return undefined;
    }
    known.stored(plan, begun.length > 0 ? result.records[0] : undefined);
    held?.stored(result.records, release);
    return plan.last;
  }

  /** Undefined if an unreadable record was in the way: it was set aside, or there are more entries than known. */
  async function commit(
    held: HeldClaim | undefined,
    ...given: Parameters<RecordStore['commit']>
  ): Promise<RecordCommitResult | undefined> {
    const before = known.log.last;
    const condition = held?.conditions[0];
    try {
      return await records.commit(...given);
    } catch (error) {
      const isMended = isUtensilError(error, 'record_corrupt') && (await mend(held));
      if (isMended || known.log.last > before || condition !== held?.conditions[0]) return undefined;
      throw error;
    }
  }

  /** Sets aside a record that cannot be read and can be rebuilt. */
  async function mend(held: HeldClaim | undefined): Promise<boolean> {
    const isMended = await known.catchUp();
    await held?.verify();
    return (await readableRecord(records, indexKey(thread), warn)) === 'put-aside' || isMended;
  }

  async function append(entries: readonly ThreadEntry[], given: AppendOptions): Promise<number> {
    await known.load();
    const { ifLast = known.log.last } = given;
    if (ifLast !== known.log.last) await known.catchUp(); // our own version may be the outdated one
    for (let left = mostRounds; left > 0;) {
      const before = known.log.last;
      const last = await tryToAppend(entries, given);
      if (last !== undefined) return last;
      await known.catchUp();
      if (known.log.last === before) left--; // not because another writer was faster
    }
    throw unsettled(thread);
  }

  return {
    id,
    read,
    append: (entries, given = {}) => inOrder([id], () => append(entries, given)),
    claim: (given) => takeClaim(claims, given),
    owner: () => ownerOf(claims),
    watch: (listener) => records.watch(thread, listener),
    child: (runId) => threadAt(records, [...thread, 'runs', runId], options),
    children: async () => {
      const ids: string[] = [];
      for await (const { key } of records.list([...thread, 'runs'])) ids.push(key.at(-1) ?? '');
      return ids;
    },
  };
}
