import { constants } from 'node:fs';
import { basename, join } from 'node:path';
import type { Answer, FileSystem, OpenFile } from './disk.ts';
import { statsAt } from './stats.ts';
import { unless } from './refusal.ts';

// Another program can put a link in the place of a directory between the moment at which a path is checked and the
// moment at which it is used. Linux names every open directory by its number: what is looked up there is looked up in
// that directory, wherever its path leads by now. So a directory is opened first, then asked where it is, then used by
// its number. Elsewhere Node.js offers no such thing, and paths are checked immediately before they are used.

/** A directory that can be used for a moment. */
export interface Anchor {
  /** Leads to the directory. */
  readonly path: string;
  /** Where it is, without links. */
  readonly real: string;
  /** The spelling of a name in it, if the disk ignores case; undefined if it is not there. */
  spelling(name: string): Answer<string | undefined>;
  close(): Answer<void>;
}

/** Ways to use what is really where a path says. */
export interface Anchors {
  /** Opens a directory; gives undefined where none is. Throws `ELOOP` for links that lead nowhere. */
  hold(directory: string): Promise<Anchor | undefined>;
  /** Where a file is that was opened at this path, without links; undefined if another is there by now. */
  whereIs(file: OpenFile, host: string): Promise<string | undefined>;
}

/** Opens a directory without the right to list it (`O_PATH`, for which `node:fs` has no name). */
export const holding = 0o10_000_000 | constants.O_DIRECTORY;

/** Where Linux has the open files of this process. */
export const descriptors = '/proc/self/fd';

/** What Linux adds to the path of an open file that has been removed or replaced. */
const removed = / \(deleted\)$/;

const absent = ['ENOENT', 'ENOTDIR'] as const;

/** Anchors for a disk. */
export function createAnchors(fs: FileSystem): Anchors {
  let isSupported = process.platform === 'linux';

  async function held(directory: string): Promise<Anchor | undefined> {
    const opened = await unless(() => fs.open(directory, holding), ...absent);
    if (opened === undefined) return undefined;
    let real: string | undefined;
    try {
      real = await realOf(opened);
    } finally {
      if (real === undefined) await opened.close();
    }
    const path = join(descriptors, `${opened.fd}`);
    if (real !== undefined) return { path, real, spelling: (name) => name, close: () => opened.close() };
    isSupported = false; // a disk without numbers, or a machine without /proc
    return named(directory);
  }

  async function realOf({ fd }: OpenFile): Promise<string | undefined> {
    return fd === undefined ? undefined : unless(() => fs.readlink(join(descriptors, `${fd}`)), 'ENOENT');
  }

  async function named(directory: string): Promise<Anchor | undefined> {
    const real = await unless(() => fs.realpath(directory), ...absent);
    const stats = real === undefined ? undefined : await statsAt({ fs }, real);
    if (real === undefined || stats?.isDirectory() !== true) return undefined;
    const spelling = async (name: string): Promise<string | undefined> => {
      const found = await unless(() => fs.realpath(join(directory, name)), ...absent);
      return found && basename(found);
    };
    return { path: directory, real, spelling, close: () => {} };
  }

  async function realOfSame(file: OpenFile, host: string): Promise<string | undefined> {
    const real = await unless(() => fs.realpath(host), ...absent, 'ELOOP');
    const there = real === undefined ? undefined : await statsAt({ fs }, real);
    const opened = await file.stat({ bigint: true });
    return there?.ino === opened.ino && there.dev === opened.dev ? real : undefined;
  }

  return {
    hold: (directory) => (isSupported ? held(directory) : named(directory)),
    async whereIs(file, host) {
      const real = isSupported ? await realOf(file) : undefined;
      return real === undefined ? realOfSame(file, host) : real.replace(removed, '');
    },
  };
}
