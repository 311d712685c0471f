import type { BigIntStats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { foldCase, joinPath, parentOf } from '@utensil/core/files';
import type { EntryKey } from '@utensil/core/storage';
import type { Anchor } from './anchor.ts';
import { hostPath, isForbidden } from './host-path.ts';
import type { Disk } from './disk.ts';
import type { Answer } from './file-system.ts';
import { statsAt, straightPath } from './stats.ts';
import { codeOf, gone, unless, untouchable } from './refusal.ts';
import { together } from './together.ts';

/** State of the disk at a key. */
export type Found =
  | { readonly kind: 'file'; readonly stats: BigIntStats }
  /** Without stats: the root of a tree without writes. */
  | { readonly kind: 'directory'; readonly stats: BigIntStats | undefined }
  | { readonly kind: 'missing' }
  /** The entry has another spelling, on a case-insensitive disk. */
  | { readonly kind: 'respelled'; readonly name: string; readonly stats: BigIntStats }
  /** A link, a device, a reserved name, or an entry behind a link. */
  | { readonly kind: 'untouchable' };

/** A file or directory that users can have. */
export type Present = Extract<Found, { readonly kind: 'file' | 'directory' }>;

/** Looks up each entry once, and keeps its directories open. */
export interface Lookup {
  /** State of the disk at a key. Follows no link. */
  find(key: EntryKey): Promise<Found>;
  /** Path of an existing or future entry, by its open directory. Throws `EACCES` behind a link. */
  hostOf(key: EntryKey): Promise<string>;
  /** True if the parent directory of a key exists. */
  hasParent(key: EntryKey): Promise<boolean>;
  /** Stats of names in a directory; undefined for missing ones, or if a link leads to the directory. */
  statsIn(directory: EntryKey, names: readonly string[]): Promise<readonly (BigIntStats | undefined)[]>;
  /** Closes all directories: the disk has changed, or the work is done. */
  end(): Promise<void>;
}

/** Number of entries to look up before their directories are closed. */
export const maxTogether = 64;

/** Processes items in batches, because each may keep a directory open. */
export async function lookUpEach<Item, Result>(
  lookup: Lookup,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += maxTogether) {
    if (from > 0) await lookup.end();
    const group = items.slice(from, from + maxTogether);
    results.push(...(await together(group.map((item, index) => work(item, from + index)))));
  }
  return results;
}

/** Runs work with a lookup and ends the lookup afterwards. */
export async function withLookup<Result>(disk: Disk, work: (lookup: Lookup) => Promise<Result>): Promise<Result> {
  const lookup = createLookup(disk);
  try {
    return await work(lookup);
  } finally {
    await lookup.end();
  }
}

/** An open directory: at its path, at another spelling of it, or elsewhere. */
type Reached = { readonly kind: 'straight' | 'respelled'; readonly anchor: Anchor } | 'elsewhere' | 'unsupported';

/** Creates a lookup on a disk. */
export function createLookup(disk: Disk): Lookup {
  const found = new Map<string, Promise<Found>>();
  const reached = new Map<string, Promise<Reached | undefined>>();
  const held: Anchor[] = [];
  /** Directories just verified to be at their paths. */
  const straight = new Set<string>();

  async function open(directory: string): Promise<Reached | undefined> {
    const anchor = await disk.anchors.open(directory);
    if (anchor === undefined || anchor === 'unsupported') return anchor;
    if (anchor === 'loop') return 'elsewhere';
    held.push(anchor);
    const kind = compare(anchor.real, await straightPath(disk, directory));
    if (kind === 'straight') note(directory);
    return kind === 'elsewhere' ? kind : { kind, anchor };
  }

  function note(directory: string): void {
    for (let at = directory; at.length > disk.root.length && !straight.has(at); at = dirname(at)) straight.add(at);
  }

  function reach(directory: string): Promise<Reached | undefined> {
    const before = reached.get(directory);
    if (before !== undefined) return before;
    const now = open(directory);
    reached.set(directory, now);
    return now;
  }

  async function lookUp(key: EntryKey): Promise<Found> {
    if (isForbidden(key)) return { kind: 'untouchable' };
    const host = hostPath(disk.root, key);
    if (key.path === '/' && key.tree === 'files') return { kind: 'directory', stats: await statsAt(disk, host) };
    if (straight.has(host)) {
      const stats = await statsAt(disk, host);
      return stats?.isDirectory() === true ? { kind: 'directory', stats } : { kind: 'missing' };
    }
    const found = await lookUpAt(host);
    return key.path === '/' && found.kind === 'missing' ? { kind: 'directory', stats: undefined } : found;
  }

  async function lookUpAt(host: string): Promise<Found> {
    const parent = await reach(dirname(host));
    if (parent === undefined) return { kind: 'missing' };
    if (parent === 'elsewhere') return { kind: 'untouchable' };
    if (parent === 'unsupported') return lookUpByPath(host);
    const name = basename(host);
    const stats = await statsAt(disk, `${parent.anchor.path}/${name}`);
    if (stats === undefined) return { kind: 'missing' };
    return parent.kind === 'respelled' ? { kind: 'respelled', name, stats } : toFound(stats);
  }

  /** Lookup by path alone, which is safe only if no link can appear before its use. */
  async function lookUpByPath(host: string): Promise<Found> {
    const stats = await orLoop(() => statsAt(disk, host));
    const real = stats && (await orLoop(() => unless(() => disk.fs.realpath(host), 'ENOENT', 'ENOTDIR')));
    if (stats === 'loop' || real === 'loop') return { kind: 'untouchable' };
    if (stats === undefined || real === undefined) return { kind: 'missing' };
    const kind = compare(real, await straightPath(disk, host));
    if (kind === 'respelled') return { kind, name: basename(real), stats };
    if (kind === 'straight') note(stats.isDirectory() ? host : dirname(host));
    return kind === 'straight' ? toFound(stats) : { kind: 'untouchable' };
  }

  function find(key: EntryKey): Promise<Found> {
    const name = `${key.tree}:${key.path}`;
    const before = found.get(name);
    if (before !== undefined) return before;
    const now = lookUp(key);
    found.set(name, now);
    return now;
  }

  return {
    find,
    async hostOf(key) {
      const host = hostPath(disk.root, key);
      const parent = await reach(dirname(host));
      if (parent === 'unsupported') return host;
      if (parent === undefined) throw gone();
      if (parent === 'elsewhere') throw untouchable(key.path);
      return `${parent.anchor.path}/${basename(host)}`;
    },
    async hasParent({ tree, path }) {
      const parent = await reach(dirname(hostPath(disk.root, { tree, path })));
      if (parent === 'unsupported') return (await find({ tree, path: parentOf(path) })).kind === 'directory';
      if (parent === 'elsewhere') throw untouchable(path);
      return parent?.kind === 'straight';
    },
    async statsIn({ tree, path }, names) {
      const parent = await reach(hostPath(disk.root, { tree, path }));
      if (parent === 'unsupported') {
        const all = await together(names.map((name) => find({ tree, path: joinPath(path, name) })));
        return all.map((each) => (each.kind === 'file' || each.kind === 'directory' ? each.stats : undefined));
      }
      if (parent === undefined || parent === 'elsewhere' || parent.kind === 'respelled')
        return names.map(() => undefined);
      return together(names.map((name) => statsAt(disk, `${parent.anchor.path}/${name}`)));
    },
    async end() {
      found.clear();
      reached.clear();
      straight.clear();
      for (const anchor of held.splice(0)) await anchor.close();
    },
  };
}

/** The result of an operation; `loop` for circular links. */
async function orLoop<Result>(work: () => Answer<Result>): Promise<Result | 'loop'> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) === 'ELOOP') return 'loop';
    throw error;
  }
}

function compare(real: string, expected: string): 'straight' | 'respelled' | 'elsewhere' {
  if (real === expected) return 'straight';
  return foldCase(real) === foldCase(expected) ? 'respelled' : 'elsewhere';
}

function toFound(stats: BigIntStats): Found {
  if (stats.isFile()) return { kind: 'file', stats };
  return stats.isDirectory() ? { kind: 'directory', stats } : { kind: 'untouchable' };
}
