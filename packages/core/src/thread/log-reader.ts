import { logNumber } from '../files/record-key.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { UtensilError } from '../base/errors.ts';
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
  // a listing may have missed a record that was written meanwhile
  const { page, problems } = first.page.lost === undefined ? first : await readRange(records, log, range);
  for (const problem of problems) warn?.(problem);
  return page;
}

async function readRange(
  records: RecordStore,
  log: RecordKey,
  { after, limit }: Range,
): Promise<{ readonly page: LogPage; readonly problems: readonly UtensilError[] }> {
  const entries: StoredEntry[] = [];
  const lost: number[] = [];
  const problems: UtensilError[] = [];
  let last = after;
  let lostTo = -1;
  let count = 0;

  function lose(from: number, to: number): void {
    if (from > lostTo + 1) lost.push(from);
    lostTo = to;
  }

  for await (const record of records.list(log, { after, limit })) {
    if (count >= limit) break;
    const isDamaged = 'problem' in record;
    const end = logNumber(record.key) ?? last;
    const isAtStart = last > after || after === 0; // otherwise a page may begin inside its first record
    const found = isDamaged
      ? salvage(record.content, isAtStart ? Math.min(end - last, mostTogether) : undefined).map(fromStored)
      : fromRecord(record.value);
    const begin = end - found.length;
    if (begin < 0 || (begin < last && last > after)) problems.push(overlapping(record.key));
    if (isDamaged) problems.push(record.problem);
    else if (begin > last) problems.push(afterGap(record.key));
    if (begin > last) lose(last + 1, begin);
    for (const [index, entry] of found.entries()) {
      const position = begin + index + 1;
      if (position <= last || count >= limit) continue;
      count++;
      last = position;
      if (entry !== undefined) entries.push({ position, entry });
      else if (isDamaged) lose(position, position);
      else problems.push(notAnEntry(record.key));
    }
  }
  return { page: { entries, last, more: count >= limit, ...(lost.length > 0 && { lost }) }, problems };
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
