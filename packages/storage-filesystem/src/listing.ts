import type { BigIntStats } from 'node:fs';
import { isWithin, joinPath, nameOf, parentOf } from '@utensil/core/files';
import { comparePaths } from '@utensil/core/storage';
import type { EntryKey, ListedEntry, ListQuery } from '@utensil/core/storage';
import { entriesAt, isListed } from './children.ts';
import type { Walk } from './children.ts';
import { hostPath } from './host-path.ts';
import type { Disk } from './disk.ts';
import { withLookup } from './lookup.ts';
import type { Lookup } from './lookup.ts';
import { firstFrom } from './sorted.ts';
import { together } from './together.ts';

/** Number of entries looked up together. */
const pageSize = 64;

/**
 * Lists the files and directories below a directory that have valid names, without links, devices and reserved names.
 */
export async function listBelow(disk: Disk, query: ListQuery): Promise<readonly ListedEntry[]> {
  const entries: ListedEntry[] = [];
  const { kind } = await withLookup(disk, (lookup) => lookup.find(query));
  if (kind !== 'directory') return entries;
  const walk = disk.children.walk(query);
  const next = inPages(keysBelow(query, walk.names));
  while (entries.length < query.limit) {
    await disk.pause();
    const page = await next(Math.min(pageSize, query.limit - entries.length));
    if (page.length === 0) break;
    entries.push(...(await describeAll(disk, page)));
  }
  walk.turn(entries);
  return entries;
}

/** Rebatches lists into pages of the requested size; fewer items at the end. */
function inPages<Item>(lists: AsyncIterator<readonly Item[], void>): (count: number) => Promise<readonly Item[]> {
  let list: readonly Item[] = [];
  let at = 0;
  return async (count) => {
    const taken: Item[] = [];
    while (taken.length < count) {
      if (at === list.length) {
        const { done, value } = await lists.next();
        if (done === true) break;
        [list, at] = [value, 0];
      }
      const some = list.slice(at, at + count - taken.length);
      at += some.length;
      taken.push(...some);
    }
    return taken;
  };
}

/** Entries at keys that a listing has found, so their names are known to be valid. */
async function describeAll(disk: Disk, keys: readonly EntryKey[]): Promise<readonly ListedEntry[]> {
  const found = await withLookup(disk, (lookup) =>
    together(inDirectories(keys).map((group) => describeIn(lookup, group))),
  );
  return found.flat();
}

async function describeIn(lookup: Lookup, { directory, keys }: Neighbours): Promise<readonly ListedEntry[]> {
  const stats = await lookup.statsIn(
    directory,
    keys.map(({ path }) => nameOf(path)),
  );
  return keys.flatMap((key, index) => toListed(key, stats[index]) ?? []);
}

function toListed({ tree, path }: EntryKey, stats: BigIntStats | undefined): ListedEntry | undefined {
  const isFile = stats?.isFile() === true;
  if (stats === undefined || (!isFile && !stats.isDirectory())) return undefined;
  const size = isFile ? Number(stats.size) : 0;
  return { tree, path, kind: isFile ? 'file' : 'directory', size, modifiedAt: Number(stats.mtimeMs) };
}

/** Consecutive keys of one directory. */
interface Neighbours {
  readonly directory: EntryKey;
  readonly keys: EntryKey[];
}

function inDirectories(keys: readonly EntryKey[]): readonly Neighbours[] {
  const groups: Neighbours[] = [];
  for (const key of keys) {
    const path = parentOf(key.path);
    const last = groups.at(-1);
    if (last?.directory.path === path) last.keys.push(key);
    else groups.push({ directory: { tree: key.tree, path }, keys: [key] });
  }
  return groups;
}

/** Keys below a directory in order, in batches. Skips branches that come before the requested page. */
async function* keysBelow(query: ListQuery, namesOf: Walk['names']): AsyncGenerator<readonly EntryKey[], void> {
  const { tree, path, depth, after } = query;
  for (let from = nameToward(path, after); ;) {
    const { listed, isCut } = await namesOf({ tree, path }, from);
    let keys: EntryKey[] = [];
    for (const child of from === '' ? listed : listed.slice(firstFrom(listed, from))) {
      const key = { tree, path: joinPath(path, child.name) };
      const isBefore = after !== undefined && comparePaths(key.path, after) <= 0;
      if (isBefore && !isWithin(key.path, after)) continue;
      if (!isBefore) keys.push(key);
      const isOpened = depth > 1 && child.isDirectory();
      if (!isOpened && keys.length < pageSize) continue;
      yield keys;
      keys = [];
      if (isOpened) yield* keysBelow({ ...query, ...key, depth: depth - 1 }, namesOf);
    }
    yield keys;
    const last = listed.at(-1);
    if (!isCut || last === undefined) return;
    from = `${last.name}\0`; // the immediate successor, because no name contains this character
  }
}

/** The child of a directory on the way to a path; `''`, which sorts first, if there is none. */
function nameToward(directory: string, path = directory): string {
  if (path === directory || !isWithin(directory, path)) return '';
  const [name = ''] = path.slice(joinPath(directory, '').length).split('/');
  return name;
}

/** Contents of a directory: none, visible entries, or also hidden ones at any depth. */
export async function contentsOf(disk: Disk, key: EntryKey): Promise<'nothing' | 'shown' | 'hidden'> {
  let contents: 'nothing' | 'shown' = 'nothing';
  await disk.pause();
  for (const child of await entriesAt(disk.fs, hostPath(disk.root, key))) {
    const below = { tree: key.tree, path: joinPath(key.path, child.name) };
    if (!isListed(key, child)) return 'hidden';
    if (child.isDirectory() && (await contentsOf(disk, below)) === 'hidden') return 'hidden';
    contents = 'shown';
  }
  return contents;
}
