import type { StorageDriver } from '../files/storage/driver.ts';
import { isWithin, joinPath } from '../files/paths.ts';
import { listAll } from '../files/reading.ts';
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
  const page = { after: path, size: Math.ceil(limit), isLog: typeof after === 'number' };
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
  /** Entries of the first page of a listing. */
  readonly size: number;
  /** True to skip files without a number, such as copies by a program that synchronizes folders. */
  readonly isLog?: boolean;
}

async function* keysBelow(driver: StorageDriver, directory: string, page: Page): AsyncGenerator<RecordKey, void> {
  const start = page.after === undefined ? undefined : childTowards(directory, page.after);
  // The page may start among long ids that share their first 200 bytes.
  if (start !== undefined && start !== page.after) yield* keysBelow(driver, start, page);
  const query = {
    tree,
    path: directory,
    depth: 1,
    limit: page.size,
    ...(start !== undefined && { after: start }),
  } as const;
  for await (const { path, kind } of listAll(driver, query)) {
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
