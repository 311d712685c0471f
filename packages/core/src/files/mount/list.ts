import { isUtensilError } from '../../base/errors.ts';
import type { FileEntry, FileStat, FileListing, ListOptions } from '../files.ts';
import type { Mount, MountTable } from './table.ts';
import { comparePaths, isWithin } from '../paths.ts';
import { pageOf } from '../reading.ts';

/** A listing across mounts. */
export interface MountedQuery {
  readonly path: string;
  readonly options?: ListOptions | undefined;
  stat(path: string): Promise<FileStat | undefined>;
}

/** A page of a directory, merged with the mounts below it. */
export async function listMounted(table: MountTable, { path, options = {}, stat }: MountedQuery): Promise<FileListing> {
  const { after = path } = options;
  const { depth, limit: count } = pageOf(options);
  const range = { path, depth, after, limit: count + 1 };
  const mounts = [table.ownerOf(path), ...table.below(path)];
  const sources = mounts.map((mount) => entriesOf(table, mount, range));
  const entries: FileEntry[] = [];
  for await (const entry of inOrder([fixedEntries(table, stat, range), ...sources])) {
    if (entries.length === count) return { entries, next: entries.at(-1)?.path ?? path };
    entries.push(entry);
  }
  return { entries };
}

interface Range {
  readonly path: string;
  readonly depth: number;
  readonly after: string;
  readonly limit: number;
}

/** Minimum number of entries to request, even if fewer are needed: other mounts may hide some of them. */
const fewest = 50;

/** Entries of a mount itself within the range. */
async function* entriesOf(table: MountTable, mount: Mount, range: Range): AsyncGenerator<FileEntry, void> {
  const path = isWithin(range.path, mount.path) ? mount.path : range.path;
  const depth = range.depth - (levelOf(path) - levelOf(range.path));
  const isOver = comparePaths(range.after, path) > 0 && !isWithin(path, range.after);
  if (depth < 1 || isOver) return;
  let after = isWithin(path, range.after) ? range.after : undefined;
  let [wanted, limit] = [range.limit, range.limit];
  try {
    do {
      const page = { depth, limit, ...(after !== undefined && { after }) };
      const { entries, next } = await mount.files.list(path, page);
      for (const entry of entries) {
        if (table.ownerOf(entry.path) !== mount || table.isFixed(entry.path)) continue;
        yield entry;
        wanted--;
      }
      after = next;
      limit = Math.max(wanted, fewest);
    } while (after !== undefined && wanted > 0);
  } catch (error) {
    if (!table.isFixed(path) || !isUtensilError(error, 'ENOENT', 'ENOTDIR')) throw error;
  }
}

/** Mounts in the range, and their parent directories. */
async function* fixedEntries(
  table: MountTable,
  stat: (path: string) => Promise<FileStat | undefined>,
  { path, depth, after }: Range,
): AsyncGenerator<FileEntry, void> {
  for (const fixed of table.fixed) {
    const isListed = fixed !== path && isWithin(path, fixed) && levelOf(fixed) - levelOf(path) <= depth;
    if (!isListed || comparePaths(fixed, after) <= 0) continue;
    const found = await stat(fixed);
    if (found !== undefined) yield { path: fixed, kind: found.kind, size: found.size, modifiedAt: found.modifiedAt };
  }
}

function levelOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1;
}

/** Merges sorted sources into one sorted sequence. */
async function* inOrder(sources: readonly AsyncGenerator<FileEntry, void>[]): AsyncGenerator<FileEntry, void> {
  const heads = await Promise.all(sources.map(async (source) => ({ source, next: await source.next() })));
  for (;;) {
    let first: { readonly source: AsyncGenerator<FileEntry, void>; next: IteratorResult<FileEntry, void> } | undefined;
    for (const head of heads) {
      if (head.next.done === true) continue;
      const best = first?.next.value;
      if (best === undefined || comparePaths(head.next.value.path, best.path) < 0) first = head;
    }
    if (first?.next.value === undefined) return;
    yield first.next.value;
    first.next = await first.source.next();
  }
}
