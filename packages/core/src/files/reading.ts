import type { ByteRange, StorageEntry, EntryKey, ListedEntry, ListQuery, StorageDriver } from './storage/driver.ts';
import { fileError } from './file-error.ts';
import type { FileBytes, FileEntry, FileStat, FileListing, ListOptions } from './files.ts';
import { noSuchEntry } from './no-such-entry.ts';
import { pathLimits } from './paths.ts';
import type { Lookup } from './transaction.ts';

/** Converts an entry of the tree `files` to its public form. */
export function toStat({ path, kind, size, modifiedAt, etag }: StorageEntry): FileStat {
  return { path, kind, size, modifiedAt, etag };
}

function toEntry({ path, kind, size, modifiedAt }: ListedEntry): FileEntry {
  return { path, kind, size, modifiedAt };
}

/** Reads the bytes of a file. Throws `ENOENT`, `EISDIR`. */
export async function readBytes(lookup: Lookup, path: string, range?: ByteRange): Promise<FileBytes> {
  const { driver } = lookup;
  if (range !== undefined) checkRange(path, range);
  const found = await driver.read({ tree: 'files', path }, range);
  if (found !== undefined) return { ...toStat(found.entry), bytes: found.content };
  const [entry] = await driver.stat([{ tree: 'files', path }]);
  throw entry?.kind === 'directory' ? fileError('EISDIR', path) : await noSuchEntry(lookup, 'files', path);
}

function checkRange(path: string, { start, end }: ByteRange): void {
  const isRange = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start;
  if (!isRange) throw fileError('EINVAL', path, { hint: `Invalid byte range: from ${start} to ${end}.` });
}

const maxEntries = 1000;

/** Clamps the options of a listing: at least one level, and one entry per page. */
export function pageOf({ depth = 1, limit = maxEntries }: ListOptions): Required<Omit<ListOptions, 'after'>> {
  return { depth: between(depth, pathLimits.levels), limit: between(limit, maxEntries) };
}

function between(given: number, most: number): number {
  return Math.min(Math.max(Math.trunc(given) || 1, 1), most);
}

/** A page of a directory's contents. Throws `ENOENT`, `ENOTDIR`. */
export async function listDirectory(lookup: Lookup, path: string, options: ListOptions = {}): Promise<FileListing> {
  const { driver } = lookup;
  const { after } = options;
  const { depth, limit: count } = pageOf(options);
  const query = { tree: 'files', path, depth, limit: count + 1 } as const;
  const [found, [directory]] = await Promise.all([
    driver.list(after === undefined ? query : { ...query, after }),
    driver.stat([{ tree: 'files', path }]),
  ]);
  if (directory === undefined) throw await noSuchEntry(lookup, 'files', path);
  if (directory.kind === 'file') throw fileError('ENOTDIR', path, { hint: 'It is a file: read it.' });
  const entries = found.slice(0, count).map(toEntry);
  const next = found.length > count ? entries.at(-1)?.path : undefined;
  return next === undefined ? { entries } : { entries, next };
}

/** More levels than any path has. */
const allLevels = 1000;

/** Yields the contents of a directory in order, page by page. */
export function entriesBelow(
  driver: Pick<StorageDriver, 'list'>,
  { tree, path }: EntryKey,
  options: Partial<Pick<ListQuery, 'depth' | 'after'>> = {},
): AsyncGenerator<ListedEntry, void> {
  return listAll(driver, { depth: allLevels, ...options, tree, path, limit: maxEntries });
}

/** Yields entries page by page from `first`. Pages double up to the maximum, because some callers skip entries. */
export async function* listAll(
  driver: Pick<StorageDriver, 'list'>,
  first: ListQuery,
): AsyncGenerator<ListedEntry, void> {
  let query = { ...first, limit: Math.min(first.limit, maxEntries) };
  for (;;) {
    const page = await driver.list(query);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < query.limit) break;
    query = { ...query, limit: Math.min(query.limit * 2, maxEntries), after: last.path };
  }
}
