import type { BigIntStats, Dirent } from 'node:fs';
import { nameOf, parentOf } from '@utensil/core/files';
import type { EntryKey, ListedEntry, ListQuery } from '@utensil/core/storage';
import { settledMs, signatureOf } from './content.ts';
import { hostPath, isShown } from './host-path.ts';
import type { FileSystem } from './file-system.ts';
import { statsAt } from './stats.ts';
import { unless } from './refusal.ts';
import { firstFrom } from './sorted.ts';
import { placesOf } from './step.ts';
import type { Step } from './step.ts';
import { createWalks } from './walks.ts';

// A long listing is asked for page by page, and each page needs the names of its directories in their order. So those of
// large directories are kept. A listing that begins uses them only if the stats of the directory prove that they are the
// same, which they do not if it changed a moment ago. The pages after the first go on with the names that the first one
// found while the stats are the same, and for a moment also if they are not: who removes what he lists, page by page, has
// the directory read once in a while and not for each page. A name that others make in that moment may be left out; what
// is no longer there is left out anyway, as each entry is looked at.

/** Names of a directory, in order. */
export interface Names {
  readonly listed: readonly Dirent[];
  /** True if more come after these: the directory has too many to keep them all. */
  readonly isCut: boolean;
}

/** One listing, page after page. */
export interface Walk {
  /** The names of a directory, at least from one on. One that is gone, or no directory any more, has none. */
  names(key: EntryKey, from: string): Promise<Names>;
  /** Says what is on a page, so that the next one is known to go on with the walk. */
  turn(page: readonly ListedEntry[]): void;
}

/** What directories have for people. */
export interface Children {
  /** The walk of a listing: a new one, or the one that it goes on with. */
  walk(query: ListQuery): Walk;
  /** This storage has changed something. */
  follow(steps: readonly Step[]): void;
}

interface Known extends Names {
  readonly signature: string;
  readonly directory: bigint;
  /** The first name that may be among these. */
  readonly from: string;
  /** How long a walk goes on with these although the directory has changed. */
  readonly until: number;
  /** In which order it was read, among walks and other directories. */
  readonly order: number;
  /** True if the directory had been at rest when it was read. */
  readonly isProof: boolean;
}

/** How many names are kept. */
export interface Kept {
  /** Fewer names of a directory are soon read again. */
  readonly from: number;
  /** Of one directory; more are read in several passes. */
  readonly together: number;
  /** Of all directories. */
  readonly names: number;
}

const most: Kept = { from: 200, together: 200_000, names: 400_000 };

const none: Names = { listed: [], isCut: false };

/** Source of the names, and limits. */
export interface ChildrenOptions {
  readonly root: string;
  /** Reads a directory if no link leads to it. */
  readonly read: (host: string) => Promise<readonly Dirent[]>;
  readonly kept?: Kept;
}

/** Remembers the names of large directories that were listed last. */
export function createChildren(fs: FileSystem, { root, read, kept = most }: ChildrenOptions): Children {
  const known = new Map<string, Known>();
  const walks = createWalks();
  let order = 0;

  function remember(host: string, names: Known): Names {
    known.delete(host);
    if (names.listed.length < kept.from) return names;
    known.set(host, names);
    let count = 0;
    for (const [each, { listed }] of [...known].toReversed()) {
      count += listed.length;
      if (count > kept.names) known.delete(each);
    }
    return names;
  }

  async function namesOf(key: EntryKey, from: string, since: number): Promise<Names> {
    const host = hostPath(root, key);
    const now = Date.now();
    const stats = await directoryAt(fs, host, host === root);
    if (stats === undefined) return none;
    const before = known.get(host);
    if (before !== undefined && covers(before, from) && isStill(before, { stats, now, since })) {
      return remember(host, before);
    }
    const all = inOrder(key, await read(host));
    const isAll = all.length <= kept.together;
    const start = isAll ? 0 : firstFrom(all, from);
    return remember(host, {
      listed: isAll ? all : all.slice(start, start + kept.together),
      isCut: all.length > start + kept.together,
      from: isAll ? '' : from,
      signature: signatureOf(stats),
      directory: stats.ino,
      until: trustedUntil(now),
      order: ++order,
      isProof: now - Number(stats.ctimeMs) > settledMs,
    });
  }

  return {
    walk(query) {
      const since = walks.find(query) ?? ++order;
      return {
        names(key, from) {
          const look = (): Promise<Names> => namesOf(key, from, since);
          return key.path === query.path ? look() : readable(look);
        },
        turn: (page) => walks.remember(query, page, since),
      };
    },
    follow(steps) {
      if (known.size === 0) return;
      for (const step of steps) {
        for (const { key } of placesOf(step).filter(({ comes }) => comes)) {
          const host = hostPath(root, { tree: key.tree, path: parentOf(key.path) });
          const isKnown = step.type === 'write' && hasFile(known.get(host), nameOf(key.path));
          if (!isKnown) known.delete(host);
        }
      }
    },
  };
}

/** A directory further down that the user may not read has no names for people. */
async function readable(look: () => Promise<Names>): Promise<Names> {
  return (await unless(look, 'EACCES', 'EPERM')) ?? none;
}

/** True if the names from one on are among these. */
function covers({ listed, from: first, isCut }: Known, from: string): boolean {
  return first <= from && (!isCut || from <= (listed.at(-1)?.name ?? ''));
}

/** What is known of a directory now. */
interface Sight {
  readonly stats: BigIntStats;
  readonly now: number;
  /** When the walk began, in the order of what was read. */
  readonly since: number;
}

/** True if names are as good as those that the directory has. */
function isStill({ signature, directory, until, isProof, order }: Known, { stats, now, since }: Sight): boolean {
  const isSame = signature === signatureOf(stats);
  if (order < since) return isSame && isProof;
  return isSame || (directory === stats.ino && now < until);
}

/**
 * Until when names that were read from now on are used, if the stats prove nothing: for two seconds, or ten times as long
 * as reading them has taken, so that a directory with a million names is not read all the time.
 */
export function trustedUntil(startedAt: number): number {
  return startedAt + Math.max(settledMs, 10 * (Date.now() - startedAt));
}

function hasFile(names: Known | undefined, name: string): boolean {
  const found = names?.listed[firstFrom(names.listed, name)];
  return found?.name === name && found.isFile();
}

/** The stats of a directory; undefined where there is none. Only that of a root may be reached by a link. */
export async function directoryAt(fs: FileSystem, host: string, isRoot: boolean): Promise<BigIntStats | undefined> {
  const stats = await statsAt({ fs }, host);
  const isLink = isRoot && stats?.isSymbolicLink() === true;
  const real = isLink ? await unless(() => fs.realpath(host), 'ENOENT', 'ENOTDIR', 'ELOOP') : undefined;
  const found = real === undefined ? stats : await statsAt({ fs }, real);
  return found?.isDirectory() === true ? found : undefined;
}

/** What is in a directory of the disk, also what nobody is shown. */
export async function entriesAt(fs: FileSystem, host: string): Promise<readonly Dirent[]> {
  return (await unless(() => fs.readdir(host, { withFileTypes: true }), 'ENOENT', 'ENOTDIR')) ?? [];
}

/** True if an entry of the disk is one that people are shown. */
export function isListed({ tree }: EntryKey, child: Dirent): boolean {
  return (child.isFile() || child.isDirectory()) && isShown(tree, child.name);
}

function inOrder(key: EntryKey, children: readonly Dirent[]): readonly Dirent[] {
  return children.filter((child) => isListed(key, child)).sort((left, right) => (left.name < right.name ? -1 : 1));
}
