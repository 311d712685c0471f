import type { BigIntStats } from 'node:fs';
import { dirname, join } from 'node:path';
import { foldCase, nameOf } from '@utensil/core';
import type { EntryKey } from '@utensil/core';
import type { Anchor } from './anchor.ts';
import { hostPath, isForbidden } from './disk.ts';
import type { Disk } from './disk.ts';
import { statsAt, straightPath } from './stats.ts';
import { codeOf, untouchable } from './refusal.ts';
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
  /** A path to an entry, or to where it would be, by its directory as that was found. Throws `EACCES` behind a link. */
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

/** A directory where its path says, or in another spelling of that, or somewhere else. */
type Reached =
  | { readonly kind: 'straight' | 'respelled'; readonly anchor: Anchor }
  | { readonly kind: 'elsewhere'; readonly anchor?: Anchor };

/** A look at a disk. */
export function createLook(disk: Disk): Look {
  const found = new Map<string, Promise<Found>>();
  const reached = new Map<string, Promise<Reached | undefined>>();
  /** Directories that were just found to be where their paths say. */
  const straight = new Set<string>();

  async function open(directory: string): Promise<Reached | undefined> {
    const anchor = await holdOrLoop(directory);
    if (anchor === undefined) return undefined;
    if (anchor === 'loop') return { kind: 'elsewhere' };
    const expected = await straightPath(disk, directory).catch(async (error: unknown) => {
      await anchor.close();
      throw error;
    });
    if (anchor.real !== expected) {
      return { kind: foldCase(anchor.real) === foldCase(expected) ? 'respelled' : 'elsewhere', anchor };
    }
    for (let at = directory; at.length > disk.root.length && !straight.has(at); at = dirname(at)) straight.add(at);
    return { kind: 'straight', anchor };
  }

  async function holdOrLoop(directory: string): Promise<Anchor | 'loop' | undefined> {
    try {
      return await disk.anchors.hold(directory);
    } catch (error) {
      if (codeOf(error) === 'ELOOP') return 'loop';
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
    if (key.path === '/') return lookUpRoot(key, host);
    if (straight.has(host)) {
      const stats = await statsAt(disk, host);
      return stats?.isDirectory() === true ? { kind: 'directory', stats } : { kind: 'missing' };
    }
    const parent = await reach(dirname(host));
    if (parent === undefined) return { kind: 'missing' };
    if (parent.kind === 'elsewhere') return { kind: 'untouchable' };
    const name = nameOf(key.path);
    const stats = await statsAt(disk, join(parent.anchor.path, name));
    if (stats === undefined) return { kind: 'missing' };
    if (!stats.isFile() && !stats.isDirectory()) return { kind: 'untouchable' };
    const spelling = await parent.anchor.spelling(name);
    if (spelling === undefined) return { kind: 'missing' };
    if (parent.kind === 'respelled' || spelling !== name) return { kind: 'respelled', name: spelling };
    return { kind: stats.isFile() ? 'file' : 'directory', stats };
  }

  /** Only the root itself may be a link. */
  async function lookUpRoot({ tree }: EntryKey, host: string): Promise<Found> {
    const stats = await statsAt(disk, host);
    if (stats === undefined || (tree === 'files' && stats.isSymbolicLink())) return { kind: 'directory', stats };
    const { kind } = stats.isDirectory() ? ((await reach(host)) ?? { kind: 'straight' }) : { kind: 'elsewhere' };
    return kind === 'elsewhere' ? { kind: 'untouchable' } : { kind: 'directory', stats };
  }

  return {
    find(key) {
      const name = `${key.tree}:${key.path}`;
      const before = found.get(name);
      if (before !== undefined) return before;
      const now = lookUp(key);
      found.set(name, now);
      return now;
    },
    async hostOf(key) {
      const host = hostPath(disk.root, key);
      const parent = await reach(dirname(host));
      if (parent?.kind === 'elsewhere') throw untouchable(key.path);
      return parent === undefined ? host : join(parent.anchor.path, nameOf(key.path));
    },
    async hasParent({ tree, path }) {
      const parent = await reach(dirname(hostPath(disk.root, { tree, path })));
      if (parent?.kind === 'elsewhere') throw untouchable(path);
      return parent?.kind === 'straight';
    },
    async end() {
      const held = [...reached.values()];
      found.clear();
      reached.clear();
      straight.clear();
      for (const each of await Promise.allSettled(held)) {
        if (each.status === 'fulfilled') await each.value?.anchor?.close();
      }
    },
  };
}
