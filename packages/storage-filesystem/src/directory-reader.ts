import * as fs from 'node:fs';
import { resolve, sep } from 'node:path';
import { joinPath, nameOf, parentOf } from '@utensil/core';
import { isListed } from './children.ts';
import { hostPath, isForbidden, isShown, withoutEnd } from './disk.ts';
import { codeOf, refusal } from './refusal.ts';

/** What is in a directory. */
interface NamedEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory';
}

/** What {@link DirectoryReader.readEach} does with each file. */
interface ReadEach {
  readonly maxBytes: number;
  /** Told of the files in their order. The bytes are its own only until it returns. */
  visit(path: string, contents: Uint8Array | 'too-large' | 'unreadable' | undefined): void;
}

/** Reads the names and contents of many files of a directory. */
export interface DirectoryReader {
  /** What is in a directory, in the order of code units; nothing where there is none. */
  list(directory: string): readonly NamedEntry[];
  readEach(paths: readonly string[], each: ReadEach): void;
}

/**
 * A short way to the files of a {@link filesystemStorage} in the same directory, for searches through thousands of them: it
 * asks the disk for names and contents alone, one call after another. It changes nothing, follows no link, shows nothing
 * that the storage does not show, and may see some of a commit that is on its way.
 *
 * @example
 * ```ts no-run
 * import { createFiles } from '@utensil/core';
 * import { directoryReader, filesystemStorage } from '@utensil/storage-filesystem';
 *
 * const project = { files: createFiles(filesystemStorage('./project')), reader: directoryReader('./project') };
 * ```
 */
export function directoryReader(root: string): DirectoryReader {
  const top = resolve(root);
  let buffer = new Uint8Array(startSize);
  let straight = new Set<string>();
  let since = 0;
  let last: { readonly directory: string; readonly host: string } | undefined;

  /** The place of a directory that is reached by no link; undefined where there is none. What was just seen is known. */
  function hostOf(directory: string): string | undefined {
    const key = { tree: 'files', path: directory } as const;
    if (isForbidden(key)) return undefined;
    const host = hostPath(top, key);
    if (Date.now() - since > knownMs) {
      straight = new Set();
      since = Date.now();
    }
    if (!straight.has(directory) && !isRealPath(top, host)) return undefined;
    straight.add(directory);
    return host;
  }

  function list(directory: string): readonly NamedEntry[] {
    const host = hostOf(directory);
    if (host === undefined) return [];
    const key = { tree: 'files', path: directory } as const;
    const children = attempt(directory, () => fs.readdirSync(host, { withFileTypes: true }));
    if (typeof children === 'string' || children === undefined) return [];
    const entries = children
      .filter((child) => isListed(key, child) && (!child.name.includes('\ufffd') || isThere(host, child.name)))
      .map((child): NamedEntry => ({ name: child.name, kind: child.isDirectory() ? 'directory' : 'file' }));
    for (const { name, kind } of entries) if (kind === 'directory') straight.add(joinPath(directory, name));
    return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  function read(path: string, maxBytes: number): Uint8Array | 'too-large' | 'unreadable' | undefined {
    const directory = parentOf(path);
    const name = nameOf(path);
    if (last?.directory !== directory) {
      const host = hostOf(directory);
      last = host === undefined ? undefined : { directory, host: withoutEnd(host) + sep };
    }
    if (last === undefined || !isShown('files', name)) return undefined;
    const { host } = last;
    const file = attempt(path, () => fs.openSync(host + name, flags));
    if (typeof file !== 'number') return file;
    try {
      return attempt(path, () => readOpen(file, maxBytes));
    } finally {
      fs.closeSync(file);
    }
  }

  function readOpen(file: number, maxBytes: number): Uint8Array | 'too-large' {
    let length = 0;
    for (;;) {
      const room = buffer.length - length;
      const count = fs.readSync(file, buffer, length, room, null);
      length += count;
      if (length > maxBytes) return 'too-large';
      if (count === 0 || (count < room && count < fullRead)) return buffer.subarray(0, length);
      if (length === buffer.length) buffer = enlarged(buffer);
    }
  }

  return {
    list,
    readEach(paths, { maxBytes, visit }) {
      last = undefined;
      for (const path of paths) visit(path, read(path, maxBytes));
      if (buffer.length > largestKept) buffer = new Uint8Array(startSize);
    },
  };
}

const startSize = 256 * 1024;

/** A larger buffer is given back. */
const largestKept = 4 * 1024 * 1024;

/** So long it is known that a directory is no link: long enough for a search to see each directory once. */
const knownMs = 100;

/** A read that gives less is the last one of a file on a disk. */
const fullRead = 64 * 1024;

const flags = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);

function enlarged(buffer: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(buffer.length * 2);
  larger.set(buffer);
  return larger;
}

/** A name of bytes that are no UTF-8 is given as one that no file has. */
function isThere(host: string, name: string): boolean {
  return fs.lstatSync(withoutEnd(host) + sep + name, { throwIfNoEntry: false }) !== undefined;
}

function isRealPath(top: string, host: string): boolean {
  const [real, realTop] = [host, top].map((each) => attempt('/', () => fs.realpathSync.native(each)));
  return realTop !== undefined && real === (withoutEnd(realTop) + host.slice(withoutEnd(top).length) || host);
}

/** What some work gives; `unreadable` where the user may not, undefined where nothing is there. No error names the host's path. */
function attempt<Value>(path: string, work: () => Value): Value | 'unreadable' | undefined {
  try {
    return work();
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === 'EACCES' || code === 'EPERM') return 'unreadable';
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EISDIR'].includes(code)) return undefined;
    throw refusal(error, path);
  }
}
