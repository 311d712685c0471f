import { constants } from 'node:fs';
import type { Answer, FileSystem, OpenFile } from './file-system.ts';
import { statsAt } from './stats.ts';
import { codeOf, unless } from './refusal.ts';

// Another program can replace a directory by a link between the check of a path and its use. Linux gives every open
// file and directory a number: a lookup below a directory's number happens in that directory, wherever its path leads
// by then. So directories are opened first, then their real location is checked, then they are used by number. Node.js
// has no equivalent on other systems, where paths are checked immediately before use.

/** An open directory. */
export interface Anchor {
  /** Path that leads to the directory by its number. */
  readonly path: string;
  /** Its path without links. */
  readonly real: string;
  close(): Answer<void>;
}

/** Access to the real directory or file at a path. */
export interface Anchors {
  /**
   * Opens a directory. Returns undefined if there is none, `loop` for circular links, `unsupported` on a disk without
   * directories by number.
   */
  open(directory: string): Promise<Anchor | 'loop' | 'unsupported' | undefined>;
  /**
   * Real path of a file opened at this path, perhaps with the suffix {@link removed}; undefined if another file has
   * replaced it.
   */
  whereIs(file: OpenFile, host: string): Promise<string | undefined>;
}

/** Flags that open a directory without permission to list it (`O_PATH`, which `node:fs` does not define). */
export const pathOnly = 0o10_000_000 | constants.O_DIRECTORY;

/** Directory in which Linux lists the open files of this process. */
export const descriptors = '/proc/self/fd';

/** Suffix that Linux adds to the path of an open file once it is removed or replaced. */
export const removed = ' (deleted)';

/** Anchors for a disk. */
export function createAnchors(fs: FileSystem): Anchors {
  let isSupported = process.platform === 'linux';

  function realOf({ fd }: OpenFile): Answer<string | undefined> {
    return fd === undefined ? undefined : unless(() => fs.readlink(`${descriptors}/${fd}`), 'ENOENT');
  }

  async function realOfSame(file: OpenFile, host: string): Promise<string | undefined> {
    const real = await unless(() => fs.realpath(host), 'ENOENT', 'ENOTDIR', 'ELOOP');
    const there = real === undefined ? undefined : await statsAt({ fs }, real);
    const opened = await file.stat({ bigint: true });
    return there?.ino === opened.ino && there.dev === opened.dev ? real : undefined;
  }

  return {
    async open(directory) {
      if (!isSupported) return 'unsupported';
      let opened: OpenFile | undefined;
      let real: string | undefined;
      try {
        opened = await fs.open(directory, pathOnly);
        real = await realOf(opened);
      } catch (error) {
        const code = codeOf(error);
        if (opened !== undefined || (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ELOOP')) throw error;
        return code === 'ELOOP' ? 'loop' : undefined;
      } finally {
        if (real === undefined) await opened?.close();
      }
      if (real !== undefined) return { path: `${descriptors}/${opened.fd}`, real, close: () => opened.close() };
      isSupported = false;
      return 'unsupported';
    },
    async whereIs(file, host) {
      const real = isSupported ? await realOf(file) : undefined;
      return real ?? realOfSame(file, host);
    },
  };
}
