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

// A long listing arrives page by page, and each page needs the sorted names of its directories. So the names of large
// directories are cached. A new listing uses the cache only if the stats prove that the directory is unchanged, which
// they cannot if it changed a moment ago. Later pages continue with the names of the first page while the stats are the
// same, and for a short time even if they differ: removing entries page by page then rereads the directory only
// occasionally. Names created in that time may be missing. Removed ones are skipped, because each entry is looked up.

/** Names of a directory, in order. */
export interface Names {
  readonly listed: readonly Dirent[];
  /** True if more names follow: the directory is too large to cache completely. */
  readonly isCut: boolean;
}

/** A paged listing. */
export interface Walk {
  /** Names of a directory, at least from a given one. A missing directory has none. */
  names(key: EntryKey, from: string): Promise<Names>;
  /** Records a page, so that the next query continues this walk. */
  turn(page: readonly ListedEntry[]): void;
}

/** Cached children of directories. */
export interface Children {
  /** The walk that a query starts or continues. */
  walk(query: ListQuery): Walk;
  /** Updates the cache after changes by this storage. */
  follow(steps: readonly Step[]): void;
}

interface Known extends Names {
  readonly signature: string;
  readonly directory: bigint;
  /** The first name that the cache may contain. */
  readonly from: string;
  /** Time until which a walk may use these names although the directory has changed. */
  readonly until: number;
  /** Sequence number of the read, shared with walks. */
  readonly order: number;
  /** True if the directory had settled before it was read. */
  readonly isProof: boolean;
}

/** Limits of the cache. */
export interface CacheLimits {
  /** Minimum number of names in a directory; fewer are quickly reread. */
  readonly from: number;
  /** Maximum number per directory; more are read in several passes. */
  readonly together: number;
  /** Maximum number in total. */
  readonly names: number;
}

const most: CacheLimits = { from: 200, together: 200_000, names: 400_000 };

const none: Names = { listed: [], isCut: false };

/** Dependencies and limits of {@link createChildren}. */
export interface ChildrenOptions {
  readonly root: string;
  /** Reads a directory if no link leads to it. */
  readonly read: (host: string) => Promise<readonly Dirent[]>;
  readonly durableState?: CacheLimits;
}

/** Caches the names of recently listed large directories. */
export function createChildren(fs: FileSystem, { root, read, durableState = most }: ChildrenOptions): Children {
  const known = new Map<string, Known>();
  const walks = createWalks();
  let order = 0;

  function remember(host: string, names: Known): Names {
    known.delete(host);
    if (names.listed.length < durableState.from) return names;
    known.set(host, names);
    let count = 0;
    for (const [each, { listed }] of [...known].toReversed()) {
      count += listed.length;
      if (count > durableState.names) known.delete(each);
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
    const isAll = all.length <= durableState.together;
    const start = isAll ? 0 : firstFrom(all, from);
    return remember(host, {
      listed: isAll ? all : all.slice(start, start + durableState.together),
      isCut: all.length > start + durableState.together,
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
          const lookup = (): Promise<Names> => namesOf(key, from, since);
          return key.path === query.path ? lookup() : readable(lookup);
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

/** Lists nothing for a nested directory that the user may not read. */
async function readable(lookup: () => Promise<Names>): Promise<Names> {
  return (await unless(lookup, 'EACCES', 'EPERM')) ?? none;
}

/** True if the cache contains the names from a given one on. */
function covers({ listed, from: first, isCut }: Known, from: string): boolean {
  return first <= from && (!isCut || from <= (listed.at(-1)?.name ?? ''));
}

/** Current state of a directory. */
interface DirectoryState {
  readonly stats: BigIntStats;
  readonly now: number;
  /** Sequence number of the start of the walk. */
  readonly since: number;
}

/** True if cached names are still valid. */
function isStill(
  { signature, directory, until, isProof, order }: Known,
  { stats, now, since }: DirectoryState,
): boolean {
  const isSame = signature === signatureOf(stats);
  if (order < since) return isSame && isProof;
  return isSame || (directory === stats.ino && now < until);
}

/**
 * Expiry of names read from now on, if the stats prove nothing: after two seconds, or ten times the duration of the
 * read, so that a directory with a million names is not reread constantly.
 */
export function trustedUntil(startedAt: number): number {
  return startedAt + Math.max(settledMs, 10 * (Date.now() - startedAt));
}

function hasFile(names: Known | undefined, name: string): boolean {
  const found = names?.listed[firstFrom(names.listed, name)];
  return found?.name === name && found.isFile();
}

/** Stats of a directory; undefined if there is none. Only a root may be a link. */
export async function directoryAt(fs: FileSystem, host: string, isRoot: boolean): Promise<BigIntStats | undefined> {
  const stats = await statsAt({ fs }, host);
  const isLink = isRoot && stats?.isSymbolicLink() === true;
  const real = isLink ? await unless(() => fs.realpath(host), 'ENOENT', 'ENOTDIR', 'ELOOP') : undefined;
  const found = real === undefined ? stats : await statsAt({ fs }, real);
  return found?.isDirectory() === true ? found : undefined;
}

/** All entries of a directory on the disk, including hidden ones. */
export async function entriesAt(fs: FileSystem, host: string): Promise<readonly Dirent[]> {
  return (await unless(() => fs.readdir(host, { withFileTypes: true }), 'ENOENT', 'ENOTDIR')) ?? [];
}

/** True if users see an entry of the disk. */
export function isListed({ tree }: EntryKey, child: Dirent): boolean {
  return (child.isFile() || child.isDirectory()) && isShown(tree, child.name);
}

function inOrder(key: EntryKey, children: readonly Dirent[]): readonly Dirent[] {
  return children.filter((child) => isListed(key, child)).sort((left, right) => (left.name < right.name ? -1 : 1));
}
