import { logNumber } from '../files/record-key.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { UtensilError } from '../base/errors.ts';
import type { RecordStore } from '../records/records.ts';
import { logOf } from './append-plan.ts';
import type { StoredEntry } from './entry.ts';
import { fromRecord, fromStored, notAnEntry, overlapping } from './entry-shape.ts';

/** A range of a thread's log. */
export interface LogPage {
  readonly entries: readonly StoredEntry[];
  readonly last: number;
  readonly more: boolean;
}

type Warn = ((problem: UtensilError) => void) | undefined;

/** Reads entries after a position, up to a limit. Unreadable ones are reported and skipped. */
export async function readLog(
  records: RecordStore,
  thread: RecordKey,
  { after, limit, warn }: { readonly after: number; readonly limit: number; readonly warn: Warn },
): Promise<LogPage> {
  const entries: StoredEntry[] = [];
  let last = after;
  let count = 0;
  for await (const record of records.list(logOf(thread), { after, limit })) {
    const end = logNumber(record.key) ?? last;
    const found = 'problem' in record ? [undefined] : fromRecord(record.value);
    const begin = end - found.length;
    if (begin < 0 || (begin < last && last > after)) warn?.(overlapping(record.key)); // a page may begin inside its first one
    for (const [index, entry] of found.entries()) {
      const position = begin + index + 1;
      if (position <= last || count >= limit) continue;
      count++;
      last = position;
      if (entry === undefined) warn?.('problem' in record ? record.problem : notAnEntry(record.key));
      else entries.push({ position, entry });
    }
  }
  return { entries, last, more: count >= limit };
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
