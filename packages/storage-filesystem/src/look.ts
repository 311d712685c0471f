import type { BigIntStats } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { foldCase, nameOf, parentOf } from '@utensil/core';
import type { EntryKey } from '@utensil/core';
import type { Anchor, Located } from './anchor.ts';
import { hostPath, isForbidden } from './disk.ts';
import type { Disk } from './disk.ts';
import { statsAt, straightPath } from './stats.ts';
import { codeOf, gone, untouchable } from './refusal.ts';
import { together } from './together.ts';

/** What the disk has at a key. */
export type Found =
  | { readonly kind: 'file'; readonly stats: BigIntStats }
  /** Without stats: the root of a tree that nothing was written to yet. */
  | { readonly kind: 'directory'; readonly stats: BigIntStats | undefined }
  | { readonly kind: 'missing' }
  /** A disk that ignores case has it under another name. */
  | { readonly kind: 'respelled'; readonly name: string }
  /** A link, a device, a reserved name, or something behind a link. */
  | { readonly kind: 'untouchable' };

/** A file or directory that people can have. */
export type Present = Extract<Found, { readonly kind: 'file' | 'directory' }>;

/** Looks entries up, each once, and holds their directories meanwhile. */
export interface Look {
  /** What the disk has at a key. Follows no link. */
  find(key: EntryKey): Promise<Found>;
  /** A path to an entry, or to where it would be, by its directory, which is held. Throws `EACCES` behind a link. */
  hostOf(key: EntryKey): Promise<string>;
  /** Whether there is a directory for an entry at this key. */
  hasParent(key: EntryKey): Promise<boolean>;
  /** Lets go of everything: the disk has changed, or nobody looks any more. */
  end(): Promise<void>;
}

/** The number of entries that are looked up before their directories are let go. */
export const maxTogether = 64;

/** Does some work for each item, and for not too many at once: each may hold a directory. */
export async function lookingFor<Item, Result>(
  look: Look,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += maxTogether) {
    if (from > 0) await look.end();
    const group = items.slice(from, from + maxTogether);
    results.push(...(await together(group.map((item, index) => work(item, from + index)))));
  }
  return results;
}

/** Does some work with a look that ends with it. */
export async function looking<Result>(disk: Disk, work: (look: Look) => Promise<Result>): Promise<Result> {
  const look = createLook(disk);
  try {
    return await work(look);
  } finally {
    await look.end();
  }
}

/** A directory that is held, if it is where its path says. */
type Reached = { readonly anchor: Anchor; readonly isStraight: boolean };

/** A look at a disk. */
export function createLook(disk: Disk): Look {
  const found = new Map<string, Promise<Found>>();
  const reached = new Map<string, Promise<Reached | undefined>>();
  /** Directories that were just found to be where their paths say. */
  const straight = new Set<string>();

  async function open(directory: string): Promise<Reached | undefined> {
    const anchor = await disk.anchors.hold(directory);
    if (anchor === undefined) return undefined;
    try {
      return { anchor, isStraight: anchor.real === (await straightPath(disk, directory)) };
    } catch (error) {
      await anchor.close();
      throw error;
    }
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
    const located = await locate(host);
    if (located === 'loop') return { kind: 'untouchable' };
    if (located === undefined) return key.path === '/' ? { kind: 'directory', stats: undefined } : { kind: 'missing' };
    return toFound(host, located);
  }

  async function locate(host: string): Promise<Located | 'loop' | undefined> {
    try {
      return await disk.anchors.locate(host);
    } catch (error) {
      if (codeOf(error) === 'ELOOP') return 'loop';
      throw error;
    }
  }

  async function toFound(host: string, { stats, real }: Located): Promise<Found> {
    if (!stats.isFile() && !stats.isDirectory()) return { kind: 'untouchable' };
    const expected = await straightPath(disk, host);
    if (real !== expected) {
      const isRespelled = foldCase(real) === foldCase(expected);
      return isRespelled ? { kind: 'respelled', name: basename(real) } : { kind: 'untouchable' };
    }
    const from = stats.isDirectory() ? host : dirname(host);
    for (let at = from; at.length > disk.root.length && !straight.has(at); at = dirname(at)) straight.add(at);
    return { kind: stats.isFile() ? 'file' : 'directory', stats };
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
      const parent = await reach(dirname(hostPath(disk.root, key)));
      if (parent === undefined) throw gone();
      if (!parent.isStraight) throw untouchable(key.path);
      return `${parent.anchor.path}${sep}${nameOf(key.path)}`;
    },
    async hasParent({ tree, path }) {
      const { kind } = await find({ tree, path: parentOf(path) });
      if (kind === 'untouchable') throw untouchable(path);
      return kind === 'directory';
    },
    async end() {
      const held = [...reached.values()];
      found.clear();
      reached.clear();
      straight.clear();
      for (const each of await Promise.allSettled(held)) {
        if (each.status === 'fulfilled') await each.value?.anchor.close();
      }
    },
  };
}
