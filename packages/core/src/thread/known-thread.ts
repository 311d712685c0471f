import { isObject } from '../base/json.ts';
import type { UtensilError } from '../base/errors.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { Message } from '../model/message.ts';
import type { RecordExpectation } from '../records/commit.ts';
import type { StoredRecord } from '../records/content.ts';
import type { RecordStore } from '../records/records.ts';
import { readableRecord } from '../records/usable.ts';
import { draftKey, nextKeys, noteIds } from './append-plan.ts';
import type { AppendPlan, KnownLog } from './append-plan.ts';
import { readLog } from './log-reader.ts';
import type { LogPage } from './log-reader.ts';
import { isMessage } from './message-shape.ts';
import { nothingWaits, waitingAfter } from './question-index.ts';
import type { Waiting } from './question-index.ts';

/** Cached knowledge of one instance about its thread: enough to append without reading. Other writers invalidate it. */
export interface KnownThread {
  /** State up to the last read. */
  readonly log: KnownLog;
  /** Open questions. */
  readonly waiting: Waiting;
  /** True if this instance has appended. Before that, the index may lack questions of a thread of version 0.1. */
  readonly isIndexed: boolean;
  /** True if the thread has its summary, which is stored with its first message. */
  readonly isBegun: boolean;
  /** True if it was removed since the first read. */
  readonly isDeleted: boolean;
  /** Reads the thread unless it was read before. */
  load(): Promise<void>;
  /** Reads new entries. True if an unreadable record was in the way and is gone now. */
  catchUp(): Promise<boolean>;
  /** Records a page that someone read. */
  note(page: LogPage, after: number): void;
  /** Records a stored append. */
  stored(plan: AppendPlan, summary: StoredRecord | undefined): void;
  /** Conditions under which this knowledge is still valid. */
  conditions(plan: AppendPlan, begins: boolean): readonly RecordExpectation[];
  /** The draft, unless its message has arrived. */
  readDraft(): Promise<Message | undefined>;
}

/** Creates the knowledge of a new instance, which is empty. */
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
    if (after > last) return; // entries in between are unknown
    noteIds(
      ids,
      entries.map(({ entry }) => entry),
    );
    for (const { position, entry } of entries) if (position > last) waiting = waitingAfter(waiting, entry);
    last = Math.max(last, end);
  }

  function draftIn(found: Readable): Message | undefined {
    if (typeof found !== 'object') return undefined;
    const { value } = found;
    return isMessage(value) && !ids.has(value.id) ? value : undefined;
  }

  const read = (key: RecordKey): Promise<Readable> => readableRecord(records, key, warn);

  async function catchUp(): Promise<boolean> {
    const found = await read(thread);
    const isLost = typeof found === 'string'; // only the summary is missing: the thread still exists
    const next = isLost || found === undefined ? undefined : { etag: found.etag, createdAt: createdAtOf(found) };
    isDeleted ||= summary !== undefined && !isLost && summary.createdAt !== next?.createdAt;
    summary = next;
    const after = Math.max(0, last - 1);
    const page = await readLog(records, thread, { after, limit: Infinity, warn });
    isDeleted ||= page.last < last; // it was removed, and a copy of its beginning is there
    note(page, after);
    const stored = await read(draftKey(thread));
    draft = draftIn(stored);
    isLoaded = true;
    return [found, stored].includes('put-aside');
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
    load: async () => void (isLoaded || (await catchUp())),
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
      ...(added.length > 0 ? nextKeys(thread, last).map((key) => ({ key, etag: null })) : []),
    ],
    readDraft: async () => draftIn(await read(draftKey(thread))),
  };
}

type Readable = Awaited<ReturnType<typeof readableRecord>>;

const createdAtOf = ({ value }: StoredRecord): unknown => (isObject(value) ? value['createdAt'] : undefined);
