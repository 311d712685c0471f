import { logNumber } from '../files/record-key.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { UtensilError } from '../base/errors.ts';
import type { CorruptRecord, StoredRecord } from '../records/content.ts';
import type { RecordStore } from '../records/records.ts';
import { logOf } from './append-plan.ts';
import type { StoredEntry } from './entry.ts';
import { salvage } from '../records/entry-batch.ts';
import { afterGap, fromRecord, fromStored, mostTogether, notAnEntry, overlapping } from './entry-shape.ts';
import type { ThreadPage } from './thread.ts';

/** A range of a thread's log. */
export type LogPage = Pick<ThreadPage, 'entries' | 'last' | 'more' | 'lost'>;

type Warn = ((problem: UtensilError) => void) | undefined;

/** Range of a log to read: entries after a position, up to a limit. */
interface Range {
  readonly after: number;
  readonly limit: number;
}

/** Reads entries. Unreadable ones are reported and skipped. */
export async function readLog(
  records: RecordStore,
  thread: RecordKey,
  { warn, ...range }: Range & { readonly warn: Warn },
): Promise<LogPage> {
  const log = logOf(thread);
  const first = await readRange(records, log, range);
  // A listing may miss a record that is written meanwhile, and a page may begin inside a damaged record.
  const from = Math.max(0, range.after - mostTogether);
  const { page, problems } = first.isDamaged ? await readRange(records, log, { ...range, from }) : first;
  for (const problem of problems) warn?.(problem);
  return page;
}

interface Reading {
  readonly page: LogPage;
  readonly problems: ReadonlySet<UtensilError>;
  /** Entries are missing, or a record is damaged. */
  readonly isDamaged: boolean;
}

/** `from`: position from which records are read, to count the entries of the first one. Default: `after`. */
async function readRange(
  records: RecordStore,
  log: RecordKey,
  { after, limit, from = after }: Range & { readonly from?: number },
): Promise<Reading> {
  const entries: StoredEntry[] = [];
  const lost: number[] = [];
  const problems = new Set<UtensilError>();
  let isDamaged = false;
  let count = 0;
  let last = after;
  let lostTo = -1;
  let read = from;
  for await (const record of records.list(log, { after: from, limit: limit + after - from })) {
    isDamaged ||= 'problem' in record;
    for (const place of placesOf(record, read)) {
      const { to, entry, isTaken, problem } = place;
      if (isTaken && read === from && from > 0) continue; // the range begins inside this record
      if (!isTaken) read = to;
      if (to <= after || count >= limit) continue;
      if (problem !== undefined) problems.add(problem);
      if (entry !== undefined) entries.push({ position: to, entry });
      else {
        isDamaged = true;
        if (place.from > lostTo + 1) lost.push(Math.max(place.from, after + 1));
        lostTo = to;
      }
      if (isTaken) continue;
      last = to;
      count++;
    }
    if (count >= limit) break;
  }
  return { page: { entries, last, more: count >= limit, ...(lost.length > 0 && { lost }) }, problems, isDamaged };
}

/** A part of the log. */
interface Place {
  /** First and last position. */
  readonly from: number;
  readonly to: number;
  /** Undefined if entries are missing here. */
  readonly entry?: StoredEntry['entry'] | undefined;
  /** True for entries whose positions an earlier record has. */
  readonly isTaken?: boolean;
  readonly problem?: UtensilError | undefined;
}

/** The places of a record behind a position, with the gap before them. */
function placesOf(record: StoredRecord | CorruptRecord, last: number): readonly Place[] {
  const { key } = record;
  const end = logNumber(key) ?? last;
  const damage = 'problem' in record ? record.problem : undefined;
  const most = Math.min(Math.max(end - last, 1), mostTogether);
  const found = 'problem' in record ? salvage(record.content, most).map(fromStored) : fromRecord(record.value);
  const begin = end - found.length;
  const places: Place[] = [];
  if (begin < last) places.push({ from: last + 1, to: last + 1, isTaken: true, problem: overlapping(key) });
  if (begin > last) places.push({ from: last + 1, to: begin, problem: damage ?? afterGap(key) });
  for (const [index, entry] of found.entries()) {
    const position = begin + index + 1;
    if (position <= last) continue;
    const problem = damage ?? (entry === undefined ? notAnEntry(key) : undefined);
    places.push({ from: position, to: position, entry, problem });
  }
  return places;
}

/** Reads the entries about calls of a thread of version 0.1, which were stored separately. */
export async function readOldCalls(
  records: RecordStore,
  thread: RecordKey,
  warn: Warn,
): Promise<readonly StoredEntry[]> {
  const entries: StoredEntry[] = [];
  for await (const record of records.list([...thread, 'calls'])) {
    const entry = 'problem' in record ? undefined : fromStored(record.value);
    if ('problem' in record) warn?.(record.problem);
    else if (entry !== undefined) entries.push({ position: 0, entry });
  }
  return entries;
}
