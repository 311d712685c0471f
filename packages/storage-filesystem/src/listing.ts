import { comparePaths, isWithin, joinPath } from '@utensil/core';
import type { EntryKey, ListedEntry, ListQuery } from '@utensil/core';
import { entriesAt, isListed } from './children.ts';
import type { Walk } from './children.ts';
import { hostPath } from './disk.ts';
import type { Disk } from './disk.ts';
import { looking } from './look.ts';
import { firstFrom } from './sorted.ts';
import { statsAt } from './stats.ts';

/** So many files are looked at together. */
const together = 16;

/** What is below a directory: files and directories whose names are paths, and no links, devices or reserved names. */
export async function listBelow(disk: Disk, query: ListQuery): Promise<readonly ListedEntry[]> {
  const entries: ListedEntry[] = [];
  const { kind } = await looking(disk, (look) => look.find(query));
  if (kind !== 'directory') return entries;
  const walk = disk.children.walk(query);
  const keys = keysBelow(query, walk.names);
  while (entries.length < query.limit) {
    await disk.pause();
    const batch = await take(keys, Math.min(together, query.limit - entries.length));
    const found = await Promise.all(batch.map((key) => describeListed(disk, key)));
    entries.push(...found.filter((entry) => entry !== undefined));
    if (batch.length === 0) break;
  }
  walk.turn(entries);
  return entries;
}

async function take<Item>(items: AsyncIterator<Item, void>, count: number): Promise<readonly Item[]> {
  const taken: Item[] = [];
  while (taken.length < count) {
    const { done, value } = await items.next();
    if (done === true) break;
    taken.push(value);
  }
  return taken;
}

/** The directory above was found without a link on the way, so a look at the entry itself is enough. */
async function describeListed(disk: Disk, { tree, path }: EntryKey): Promise<ListedEntry | undefined> {
  const stats = await statsAt(disk, hostPath(disk.root, { tree, path }));
  if (stats === undefined) return undefined;
  const modifiedAt = Number(stats.mtimeMs);
  if (stats.isFile()) return { tree, path, kind: 'file', size: Number(stats.size), modifiedAt };
  return stats.isDirectory() ? { tree, path, kind: 'directory', size: 0, modifiedAt } : undefined;
}

/** The keys below a directory in their order, leaving out whole branches that come before the wanted page. */
async function* keysBelow(query: ListQuery, namesOf: Walk['names']): AsyncGenerator<EntryKey, void> {
  const { tree, path, depth, after } = query;
  for (let from = nameToward(path, after); ;) {
    const { listed, isCut } = await namesOf({ tree, path }, from);
    for (const child of from === '' ? listed : listed.slice(firstFrom(listed, from))) {
      const key = { tree, path: joinPath(path, child.name) };
      const isBefore = after !== undefined && comparePaths(key.path, after) <= 0;
      if (isBefore && !isWithin(key.path, after)) continue;
      if (!isBefore) yield key;
      if (depth > 1 && child.isDirectory()) yield* keysBelow({ ...query, ...key, depth: depth - 1 }, namesOf);
    }
    const last = listed.at(-1);
    if (!isCut || last === undefined) return;
    from = `${last.name}\0`; // comes right after it, as no name contains this character
  }
}

/** The name in a directory that a path leads to, or the one before all others. */
function nameToward(directory: string, path = directory): string {
  if (path === directory || !isWithin(directory, path)) return '';
  const [name = ''] = path.slice(joinPath(directory, '').length).split('/');
  return name;
}

/** What a directory holds: nothing, what people see, or also what they do not, here or further down. */
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
