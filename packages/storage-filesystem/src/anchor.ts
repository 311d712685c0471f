import { constants } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import type { Answer, FileSystem, OpenFile } from './disk.ts';
import { statsAt } from './stats.ts';
import { unless } from './refusal.ts';

// Another program can put a link in the place of a directory between the moment at which a path is checked and the
// moment at which it is used. Linux names every open file and directory by its number: what is looked up below a
// directory's number is looked up in that directory, wherever its path leads by now. So things are opened first, then
// asked where they are, then used by their number. Elsewhere Node.js offers no such thing, and paths are checked
// immediately before they are used.

/** A directory that can be used for a moment. */
export interface Anchor {
  /** Leads to the directory. */
  readonly path: string;
  /** Where it is, without links. */
  readonly real: string;
  close(): Answer<void>;
}

/** A file, directory or anything else, with where it is, without links. */
export interface Located {
  readonly stats: BigIntStats;
  readonly real: string;
}

/** Ways to use what is really where a path says. A loop of links leads nowhere. */
export interface Anchors {
  /** Opens a directory; gives undefined where none is. */
  hold(directory: string): Promise<Anchor | undefined>;
  /** What is at a path; undefined where nothing is. */
  locate(host: string): Promise<Located | undefined>;
  /** Where a file is that was opened at this path, without links; undefined if another is there by now. */
  whereIs(file: OpenFile, host: string): Promise<string | undefined>;
}

/** Opens something without the right to read it (`O_PATH`, for which `node:fs` has no name). */
export const pathOnly = 0o10_000_000;

/** Opens a directory to be used by its number. */
export const holding = pathOnly | constants.O_DIRECTORY;

/** Where Linux has the open files of this process. */
export const descriptors = '/proc/self/fd';

/** What Linux adds to the path of an open file that has been removed or replaced. */
const removed = / \(deleted\)$/;

const absent = ['ENOENT', 'ENOTDIR', 'ELOOP'] as const;

/** Anchors for a disk. */
export function createAnchors(fs: FileSystem): Anchors {
  let isSupported = process.platform === 'linux';

  /** Opens something if the system tells where it is then. */
  async function open(host: string, flags: number): Promise<(OpenFile & { readonly real: string }) | undefined> {
    const opened = await unless(() => fs.open(host, flags), ...absent);
    if (opened === undefined) return undefined;
    let real: string | undefined;
    try {
      real = await realOf(opened);
    } finally {
      if (real === undefined) await opened.close();
    }
    if (real !== undefined) return Object.assign(opened, { real });
    isSupported = false; // a disk without numbers, or a machine without /proc
    return undefined;
  }

  async function realOf({ fd }: OpenFile): Promise<string | undefined> {
    return fd === undefined ? undefined : unless(() => fs.readlink(`${descriptors}/${fd}`), 'ENOENT');
  }

  async function named(directory: string): Promise<Anchor | undefined> {
    const found = await located(directory);
    if (found === undefined) return undefined;
    const { real } = found;
    const stats = await statsAt({ fs }, real);
    return stats?.isDirectory() === true ? { path: directory, real, close: () => {} } : undefined;
  }

  async function located(host: string): Promise<Located | undefined> {
    const stats = await statsAt({ fs }, host);
    if (stats === undefined) return undefined;
    const real = await unless(() => fs.realpath(host), ...absent);
    return real === undefined ? undefined : { stats, real };
  }

  async function realOfSame(file: OpenFile, host: string): Promise<string | undefined> {
    const real = await unless(() => fs.realpath(host), ...absent);
    const there = real === undefined ? undefined : await statsAt({ fs }, real);
    const opened = await file.stat({ bigint: true });
    return there?.ino === opened.ino && there.dev === opened.dev ? real : undefined;
  }

  return {
    async hold(directory) {
      const opened = isSupported ? await open(directory, holding) : undefined;
      if (opened === undefined) return isSupported ? undefined : named(directory);
      return { path: `${descriptors}/${opened.fd}`, real: opened.real, close: () => opened.close() };
    },
    async locate(host) {
      // To fail to open takes longer than to look, and much of what is looked up is not there.
      if ((await statsAt({ fs }, host)) === undefined) return undefined;
      const opened = isSupported ? await open(host, pathOnly | constants.O_NOFOLLOW) : undefined;
      if (opened === undefined) return isSupported ? undefined : located(host);
      try {
        return { stats: await opened.stat({ bigint: true }), real: opened.real };
      } finally {
        await opened.close();
      }
    },
    async whereIs(file, host) {
      const real = isSupported ? await realOf(file) : undefined;
      return real === undefined ? realOfSame(file, host) : real.replace(removed, '');
    },
  };
}
