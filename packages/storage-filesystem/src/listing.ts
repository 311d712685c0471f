import { comparePaths, isWithin, joinPath } from '@utensil/core';
import type { EntryKey, ListedEntry, ListQuery } from '@utensil/core';
import { entriesAt, isListed } from './children.ts';
import type { Walk } from './children.ts';
import { hostPath } from './disk.ts';
import type { Disk } from './disk.ts';
import { looking } from './look.ts';
import type { Look } from './look.ts';
import { firstFrom } from './sorted.ts';
import { together } from './together.ts';

/** The number of entries that are looked at together. */
const pageSize = 64;

/** What is below a directory: files and directories whose names are paths, and no links, devices or reserved names. */
export async function listBelow(disk: Disk, query: ListQuery): Promise<readonly ListedEntry[]> {
  const entries: ListedEntry[] = [];
  const { kind } = await looking(disk, (look) => look.find(query));
  if (kind !== 'directory') return entries;
  const walk = disk.children.walk(query);
  const keys = keysBelow(query, walk.names);
  while (entries.length < query.limit) {
    await disk.pause();
    const batch = await take(keys, Math.min(pageSize, query.limit - entries.length));
    const found = await looking(disk, (look) => together(batch.map((key) => describeListed(look, key))));
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

async function describeListed(look: Look, { tree, path }: EntryKey): Promise<ListedEntry | undefined> {
  const found = await look.find({ tree, path });
  if (found.kind !== 'file' && found.kind !== 'directory') return undefined;
  const modifiedAt = Number(found.stats?.mtimeMs ?? 0);
  const size = found.kind === 'file' ? Number(found.stats.size) : 0;
  return { tree, path, kind: found.kind, size, modifiedAt };
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
