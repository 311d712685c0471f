import type { Dirent } from 'node:fs';
import type { EntryKey } from '@utensil/core';
import { settledMs, signatureOf } from './content.ts';
import { hostPath, isShown } from './disk.ts';
import type { FileSystem } from './disk.ts';
import { statsAt } from './stats.ts';
import { unless } from './refusal.ts';

// A long listing is asked for page by page, and each page needs all names in their order. So those of large directories
// are kept. They are not even read again where the stats of the directory prove that they are the same; where it changed
// a moment ago they are, and only what came of them is used again if every one is as it was.

/** What directories have for people, in order. One that is gone has nothing. */
export type Children = (key: EntryKey) => Promise<readonly Dirent[]>;

interface Known {
  readonly signature: string;
  /** Whether the directory had been at rest when it was read. */
  readonly isProof: boolean;
  readonly read: readonly Dirent[];
  readonly listed: readonly Dirent[];
}

/** Fewer names are soon read again, and more take too much memory. */
const kept = { from: 200, to: 50_000, directories: 8 } as const;

/** The names of large directories that were listed last are remembered. */
export function createChildren(fs: FileSystem, root: string): Children {
  const known = new Map<string, Known>();

  function remember(host: string, names: Known): readonly Dirent[] {
    known.delete(host);
    if (names.read.length < kept.from || names.read.length > kept.to) return names.listed;
    for (const oldest of known.size < kept.directories ? [] : [...known.keys()].slice(0, 1)) known.delete(oldest);
    known.set(host, names);
    return names.listed;
  }

  return async (key) => {
    const host = hostPath(root, key);
    const [now, before] = [Date.now(), known.get(host)];
    const stats = await statsAt({ fs }, host);
    if (stats === undefined) return [];
    const signature = signatureOf(stats);
    if (before?.isProof === true && before.signature === signature) return before.listed;
    const read = await entriesAt(fs, host);
    const listed = before !== undefined && areSame(before.read, read) ? before.listed : inOrder(key, read);
    // The stats of a link, which a root may be, say nothing of what it leads to.
    const isProof = stats.isDirectory() && now - Number(stats.ctimeMs) > settledMs;
    return remember(host, { signature, isProof, read, listed });
  };
}

/** What is in a directory of the disk, also what nobody is shown. */
export async function entriesAt(fs: FileSystem, host: string): Promise<readonly Dirent[]> {
  return (await unless(() => fs.readdir(host, { withFileTypes: true }), 'ENOENT', 'ENOTDIR')) ?? [];
}

/** Whether an entry of the disk is one that people are shown. */
export function isListed({ tree }: EntryKey, child: Dirent): boolean {
  return (child.isFile() || child.isDirectory()) && isShown(tree, child.name);
}

function inOrder(key: EntryKey, children: readonly Dirent[]): readonly Dirent[] {
  return children.filter((child) => isListed(key, child)).sort((left, right) => (left.name < right.name ? -1 : 1));
}

function areSame(before: readonly Dirent[], now: readonly Dirent[]): boolean {
  return before.length === now.length && before.every((child, index) => isSame(child, now[index]));
}

function isSame(before: Dirent, now: Dirent | undefined): boolean {
  return before.name === now?.name && before.isFile() === now.isFile() && before.isDirectory() === now.isDirectory();
}
