import { isObject } from '../base/json.ts';
import type { UtensilError } from '../base/errors.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { Message } from '../model/message.ts';
import type { RecordExpectation } from '../records/commit.ts';
import type { StoredRecord } from '../records/content.ts';
import type { RecordStore } from '../records/records.ts';
import { usableRecord } from '../records/usable.ts';
import { draftKey, logOf, noteIds } from './append-plan.ts';
import type { AppendPlan, KnownLog } from './append-plan.ts';
import { readLog } from './log-reader.ts';
import type { LogPage } from './log-reader.ts';
import { isMessage } from './message-shape.ts';
import { nothingWaits, waitingAfter } from './question-index.ts';
import type { Waiting } from './question-index.ts';
import { logKey } from '../files/record-key.ts';

/** What one instance of a thread knows of it: enough to append without reading. Other writers make it outdated. */
export interface KnownThread {
  /** As far as it was read. */
  readonly log: KnownLog;
  /** What waits in it. */
  readonly waiting: Waiting;
  /** Whether this instance has appended: before, the list over all threads may lack what waits in one of version 0.1. */
  readonly isIndexed: boolean;
  /** Whether the thread has its summary, which comes with its first message. */
  readonly isBegun: boolean;
  /** Whether it was removed since it was read first. */
  readonly isDeleted: boolean;
  /** Reads it if it was not read yet. */
  load(): Promise<void>;
  /** Reads what is new. */
  catchUp(): Promise<void>;
  /** Takes note of a page that somebody read. */
  note(page: LogPage, after: number): void;
  /** Takes note of an append that is stored. */
  stored(plan: AppendPlan, summary: StoredRecord | undefined): void;
  /** Conditions under which what is known still holds. */
  conditions(plan: AppendPlan, begins: boolean): readonly RecordExpectation[];
  /** The message under way, if it has not come yet. */
  readDraft(): Promise<Message | undefined>;
}

/** Creates what an instance of a thread knows: nothing yet. */
export function createKnownThread(
  records: RecordStore,
  thread: RecordKey,
  warn: ((problem: UtensilError) => void) | undefined,
): KnownThread {
  const ids = new Map<string, boolean>();
  let [last, isLoaded, isDeleted] = [0, false, false];
  let draft: Message | undefined;
  let waiting: Waiting = nothingWaits;
  let isIndexed = false;
  let summary: { readonly etag: string; readonly createdAt: unknown } | undefined;

  function note({ entries, last: end }: LogPage, after: number): void {
    if (after > last) return; // what is between is not known
    noteIds(
      ids,
      entries.map(({ entry }) => entry),
    );
    for (const { position, entry } of entries) if (position > last) waiting = waitingAfter(waiting, entry);
    last = Math.max(last, end);
  }

  async function readDraft(): Promise<Message | undefined> {
    const value = (await usableRecord(records, draftKey(thread), warn))?.value;
    return isMessage(value) && !ids.has(value.id) ? value : undefined;
  }

  async function catchUp(): Promise<void> {
    const found = await usableRecord(records, thread, warn);
    isDeleted ||= summary !== undefined && summary.createdAt !== (found && createdAtOf(found));
    summary = found && { etag: found.etag, createdAt: createdAtOf(found) };
    note(await readLog(records, thread, { after: last, limit: Infinity, warn }), last);
    draft = await readDraft();
    isLoaded = true;
  }

  return {
    get log() {
      return { last, ids, draft };
    },
    get waiting() {
      return waiting;
    },
    get isIndexed() {
      return isIndexed;
    },
    get isBegun() {
      return summary !== undefined;
    },
    get isDeleted() {
      return isDeleted;
    },
    load: async () => (isLoaded ? undefined : catchUp()),
    catchUp,
    note,
    stored(plan, record) {
      noteIds(ids, plan.added);
      const fresh = plan.added.slice(Math.max(0, plan.added.length - (plan.last - last))); // a read may have met some
      waiting = fresh.reduce(waitingAfter, waiting);
      last = Math.max(last, plan.last);
      draft = plan.draft;
      isIndexed = true;
      if (record !== undefined) summary = { etag: record.etag, createdAt: createdAtOf(record) };
    },
    conditions: ({ added }, begins) => [
      ...(begins || summary !== undefined ? [{ key: thread, etag: summary?.etag ?? null }] : []),
      ...(added.length > 0 ? [{ key: logKey(logOf(thread), last + 1), etag: null }] : []),
    ],
    readDraft,
  };
}

const createdAtOf = ({ value }: StoredRecord): unknown => (isObject(value) ? value['createdAt'] : undefined);
