import { toJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { isCount } from '../base/shape.ts';
import type { UtensilError } from '../base/errors.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { Message } from '../model/message.ts';
import type { RecordChange, RecordExpectation } from '../records/commit.ts';
import type { StoredRecord } from '../records/content.ts';
import type { RecordStore } from '../records/records.ts';
import { readableRecord } from '../records/usable.ts';
import { draftKey, nextKeys, noteIds } from './append-plan.ts';
import type { AppendPlan, KnownLog } from './append-plan.ts';
import type { StoredEntry } from './entry.ts';
import { readLog } from './log-reader.ts';
import type { LogPage } from './log-reader.ts';
import { isMessage } from './message-shape.ts';
import { nothingWaits, waitingAfter } from './question-index.ts';
import type { Waiting } from './question-index.ts';
import { isSummary, summaryOf } from './summary.ts';
import type { StoredSummary } from './summary.ts';

/** Cached knowledge of one instance about its thread: enough to append without reading. Other writers invalidate it. */
export interface KnownThread {
  /** State up to the last read. */
  readonly log: KnownLog;
  /** Open questions. */
  readonly waiting: Waiting;
  /** True if this instance has appended. Before that, the index may lack questions of a thread of version 0.1. */
  readonly isIndexed: boolean;
  /** The largest fence under which a call has begun; 0: none. */
  readonly fence: number;
  /** Condition that the summary is as it was read. */
  readonly summary: RecordExpectation;
  /** Stores the summary with the first message, and again if it was damaged or lost. */
  beginning(plan: AppendPlan): readonly RecordChange[];
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
  let fence = 0;
  let begins: Json | undefined; // the summary, as the first message gives it
  let summary: StoredSummary | undefined; // the last that was readable
  let [etag, isBegun]: [string | null, boolean] = [null, false];

  const summaryWith = (first: Message): Json => toJson(summaryOf(thread.at(-1) ?? '', first));

  function noteEntries(entries: readonly StoredEntry['entry'][]): void {
    noteIds(ids, entries);
    for (const entry of entries) {
      if (entry.type === 'message') begins ??= summaryWith(entry.message);
      if (entry.type === 'call-begun' && isCount(entry.fence)) fence = Math.max(fence, entry.fence);
    }
  }

  function note({ entries, last: end }: LogPage, after: number): void {
    if (after > last) return; // entries in between are unknown
    noteEntries(entries.map(({ entry }) => entry));
    for (const { position, entry } of entries) if (position > last) waiting = waitingAfter(waiting, entry);
    last = Math.max(last, end);
  }

  function draftIn(found: Readable): Message | undefined {
    if (typeof found !== 'object') return undefined;
    const { value } = found;
    return isMessage(value) && !ids.has(value.id) ? value : undefined;
  }

  const read = (key: RecordKey): Promise<Readable> => readableRecord(records, key, warn);

  function noteSummary(record: StoredRecord | undefined): void {
    const value = record?.value;
    etag = record?.etag ?? null;
    isBegun = isSummary(value);
    if (!isSummary(value)) return;
    isDeleted ||= summary !== undefined && summary.createdAt !== value.createdAt; // another one has its id
    summary = value;
  }

  async function catchUp(): Promise<boolean> {
    const found = await read(thread);
    noteSummary(typeof found === 'object' ? found : undefined);
    const after = Math.max(0, last - 1);
    const page = await readLog(records, thread, { after, limit: Infinity, warn });
    // It was removed, and a copy of its beginning may be there. If only the summary is missing, the thread still exists.
    isDeleted ||= page.last < last || (found === undefined && summary !== undefined && page.last === 0);
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
    get fence() {
      return fence;
    },
    get summary() {
      return { key: thread, etag };
    },
    beginning({ added }) {
      const message = added.find((entry) => entry.type === 'message')?.message;
      const value = summary ?? begins ?? (message && summaryWith(message));
      return isBegun || value === undefined ? [] : [{ type: 'put', key: thread, value }];
    },
    get isDeleted() {
      return isDeleted;
    },
    load: async () => void (isLoaded || (await catchUp())),
    catchUp,
    note,
    stored(plan, record) {
      noteEntries(plan.added);
      const fresh = plan.added.slice(Math.max(0, plan.added.length - (plan.last - last))); // a read may have met some
      waiting = fresh.reduce(waitingAfter, waiting);
      last = Math.max(last, plan.last);
      draft = plan.draft;
      isIndexed = true;
      if (record !== undefined) noteSummary(record);
    },
    conditions: ({ added }, begins) => [
      ...(begins || etag !== null ? [{ key: thread, etag }] : []),
      ...(added.length > 0 ? nextKeys(thread, last).map((key) => ({ key, etag: null })) : []),
    ],
    readDraft: async () => draftIn(await read(draftKey(thread))),
  };
}

type Readable = Awaited<ReturnType<typeof readableRecord>>;
