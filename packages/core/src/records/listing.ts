import type { ListedEntry, StorageDriver } from '../files/storage/driver.ts';
import { isWithin, joinPath } from '../files/paths.ts';
import { tree, tryToRead } from './content.ts';
import type { CorruptRecord, StoredRecord } from './content.ts';
import { isContinued, logNumber, numberId, recordDirectory, recordFile, recordKeyOf } from '../files/record-key.ts';
import type { RecordKey } from '../files/record-key.ts';

/** Page of a listing. */
export interface RecordListOptions {
  /** Start after this id, which need not exist; in a log, after this number. */
  readonly after?: string | number;
  /** Maximum number of records. */
  readonly limit?: number;
}

/** Maximum number of records to read in parallel, so that a slow storage costs one wait per batch. */
const batchSize = 64;

/** Lists records in file order, and reads none beyond the limit. */
export async function* listRecords(
  driver: StorageDriver,
  prefix: RecordKey,
  { after, limit = Infinity }: RecordListOptions = {},
): AsyncGenerator<StoredRecord | CorruptRecord, void> {
  const id = typeof after === 'number' ? numberId(after) : after;
  const path = id === undefined ? undefined : recordFile([...prefix, id]);
  const page = { after: path, size: pageSize(limit), isLog: typeof after === 'number' };
  const keys = keysBelow(driver, recordDirectory(prefix), page);
  for (let left = limit; left > 0;) {
    const batch = await take(keys, Math.min(batchSize, left));
    if (batch.length === 0) break;
    for (const record of await Promise.all(batch.map((key) => tryToRead(driver, key)))) {
      if (record === undefined) continue; // removed since it was listed: the next record takes its place
      left--;
      yield record;
    }
  }
}

/** Maximum number of entries to request from a storage at once. */
const maxPage = 1000;

function pageSize(wanted: number): number {
  return Math.max(1, Math.ceil(Math.min(wanted, maxPage)));
}

async function take<Item>(items: AsyncGenerator<Item, void>, count: number): Promise<readonly Item[]> {
  const taken: Item[] = [];
  while (taken.length < count) {
    const { done, value } = await items.next();
    if (done === true) break;
    taken.push(value);
  }
  return taken;
}

interface Page {
  /** A path below the directory, at any depth. */
  readonly after: string | undefined;
  readonly size: number;
  /** True to skip files without a number, such as copies by a program that synchronizes folders. */
  readonly isLog?: boolean;
}

async function* keysBelow(driver: StorageDriver, directory: string, page: Page): AsyncGenerator<RecordKey, void> {
  const start = page.after === undefined ? undefined : childTowards(directory, page.after);
  // The page may start among long ids that share their first 200 bytes.
  if (start !== undefined && start !== page.after) yield* keysBelow(driver, start, page);
  for await (const { path, kind } of entriesIn(driver, directory, { ...page, after: start })) {
    if (kind === 'directory' && isContinued(path)) yield* keysBelow(driver, path, { ...page, after: undefined });
    const key = kind === 'file' ? recordKeyOf(path) : undefined;
    if (key !== undefined && (!page.isLog || logNumber(key) !== undefined)) yield key;
  }
}

/** The entry of a directory that is this path or one of its ancestors. */
function childTowards(directory: string, path: string): string | undefined {
  if (!isWithin(directory, path)) return undefined;
  const [name = ''] = path.slice(joinPath(directory, '').length).split('/');
  return joinPath(directory, name);
}

/** Entries of a directory, page by page. Pages double in size, because entries that are not records are skipped. */
export async function* entriesIn(
  driver: StorageDriver,
  directory: string,
  { after, size }: Page,
): AsyncGenerator<ListedEntry, void> {
  const query = { tree, path: directory, depth: 1 } as const;
  for (let [start, limit] = [after, size]; ; limit = pageSize(limit * 2)) {
    const entries = await driver.list({ ...query, limit, ...(start !== undefined && { after: start }) });
    yield* entries;
    start = entries.at(-1)?.path;
    if (entries.length < limit) break;
  }
}
