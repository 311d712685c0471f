import { constants } from 'node:fs';
import type { Answer, FileSystem, OpenFile } from './file-system.ts';
import { statsAt } from './stats.ts';
import { codeOf, unless } from './refusal.ts';

// Another program can put a link in the place of a directory between the moment at which a path is checked and the
// moment at which it is used. Linux names every open file and directory by its number: what is looked up below a
// directory's number is looked up in that directory, wherever its path leads by now. So things are opened first, then
// asked where they are, then used by their number. Elsewhere Node.js offers no such thing, and paths are checked
// immediately before they are used.

/** A directory that is held open. */
export interface Anchor {
  /** Leads to the directory. */
  readonly path: string;
  /** Its path without links. */
  readonly real: string;
  close(): Answer<void>;
}

/** Ways to use what is really where a path says. */
export interface Anchors {
  /**
   * Opens a directory. Gives undefined where none is, `loop` for links that lead nowhere, `unsupported` on a disk that
   * has no directories by number.
   */
  hold(directory: string): Promise<Anchor | 'loop' | 'unsupported' | undefined>;
  /** The path of a file that was opened at this path, without links, perhaps with {@link removed}; undefined if another file has replaced it. */
  whereIs(file: OpenFile, host: string): Promise<string | undefined>;
}

/** Opens a directory without the right to list it (`O_PATH`, for which `node:fs` has no name). */
export const holding = 0o10_000_000 | constants.O_DIRECTORY;

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
    async hold(directory) {
      if (!isSupported) return 'unsupported';
      let opened: OpenFile | undefined;
      let real: string | undefined;
      try {
        opened = await fs.open(directory, holding);
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
