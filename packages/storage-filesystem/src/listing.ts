import type { Dirent } from 'node:fs';
import { comparePaths, isAddressable, isWithin, joinPath } from '@utensil/core';
import type { Entry, EntryKey, ListQuery } from '@utensil/core';
import { hostPath, isReserved } from './disk.ts';
import type { Disk } from './disk.ts';
import { describe, find } from './find.ts';
import { unless } from './refusal.ts';

/** So many files are looked at together. */
const together = 16;

/** What is below a directory: files and directories whose names are paths, and no links, devices or reserved names. */
export async function listBelow(disk: Disk, query: ListQuery): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  if ((await find(disk, query)).kind !== 'directory') return entries;
  const keys = keysBelow(disk, query);
  while (entries.length < query.limit) {
    const batch = await take(keys, Math.min(together, query.limit - entries.length));
    const found = await Promise.all(batch.map((key) => describeListed(disk, key)));
    entries.push(...found.filter((entry) => entry !== undefined));
    if (batch.length === 0) break;
  }
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
async function describeListed({ fs, ...disk }: Disk, key: EntryKey): Promise<Entry | undefined> {
  const stats = await unless(fs.lstat(hostPath(disk.root, key), { bigint: true }), 'ENOENT', 'ENOTDIR');
  const kind = stats?.isFile() === true ? 'file' : stats?.isDirectory() === true ? 'directory' : undefined;
  if (stats === undefined || kind === undefined) return undefined;
  return describe({ fs, ...disk }, key, { kind, stats });
}

/** The keys below a directory in their order, leaving out whole branches that come before the wanted page. */
async function* keysBelow(
  disk: Disk,
  { depth, after, ...directory }: ListQuery,
  children = childrenOf(disk, directory),
): AsyncGenerator<EntryKey, void> {
  for (const child of await children) {
    const path = joinPath(directory.path, child.name);
    const isBefore = after !== undefined && comparePaths(path, after) <= 0;
    if (isBefore && !isWithin(path, after)) continue;
    const key = { tree: directory.tree, path };
    if (!isBefore) yield key;
    if (depth <= 1 || !child.isDirectory()) continue;
    const query = { ...key, depth: depth - 1, limit: directory.limit };
    const within = unless(childrenOf(disk, key), 'EACCES', 'EPERM').then((shown) => shown ?? []);
    yield* keysBelow(disk, after === undefined ? query : { ...query, after }, within);
  }
}

/** What a directory has for people, in order. One that is gone has nothing. */
async function childrenOf({ fs, root }: Disk, key: EntryKey): Promise<readonly Dirent[]> {
  const children = await unless(fs.readdir(hostPath(root, key), { withFileTypes: true }), 'ENOENT', 'ENOTDIR');
  return (children ?? [])
    .filter((child) => (child.isFile() || child.isDirectory()) && isShown(key, child.name))
    .sort((left, right) => comparePaths(left.name, right.name));
}

/** Whether a name on the disk is one that people can have. */
export function isShown({ tree }: EntryKey, name: string): boolean {
  return isAddressable(name) && !(tree === 'files' && isReserved(name));
}

/** The names in a directory of the disk, those that nobody is shown too. */
export async function namesIn({ fs, root }: Disk, key: EntryKey): Promise<readonly string[]> {
  return (await unless(fs.readdir(hostPath(root, key)), 'ENOENT', 'ENOTDIR')) ?? [];
}
