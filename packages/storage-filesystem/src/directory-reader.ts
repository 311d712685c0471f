import * as fs from 'node:fs';
import { resolve, sep } from 'node:path';
import { nameOf, parentOf } from '@utensil/core/files';
import { descriptors, pathOnly } from './anchor.ts';
import { isListed } from './children.ts';
import { hostPath, isForbidden, isShown, withoutEnd } from './host-path.ts';
import { codeOf, refusal } from './refusal.ts';

/** An entry of a directory. */
interface NamedEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory';
}

/** Options of {@link DirectoryReader.readEach}. */
interface ReadEach {
  readonly maxBytes: number;
  /** Receives the files in order. The bytes are valid only until it returns. */
  visit(path: string, contents: Uint8Array | 'too-large' | 'unreadable' | undefined): void;
}

/** Reads the names and contents of many files of a directory. */
export interface DirectoryReader {
  /** Entries of a directory, sorted by code units; empty if it is missing. */
  list(directory: string): readonly NamedEntry[];
  readEach(paths: readonly string[], each: ReadEach): void;
}

/**
 * Fast, synchronous access to the files of a {@link filesystemStorage} in the same directory, for searches through
 * thousands of them: it reads only names and contents. It changes nothing, follows no links and hides what the storage
 * hides. It may see part of a commit in progress.
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
  const isSupported = process.platform === 'linux' && fs.existsSync(descriptors);
  let buffer = new Uint8Array(startSize);

  /** Runs `work` on a directory that no link leads to. Returns undefined if there is no such directory. */
  function within<Result>(directory: string, work: (host: string) => Result): Result | 'unreadable' | undefined {
    const key = { tree: 'files', path: directory } as const;
    const held = isForbidden(key)
      ? undefined
      : attempt(directory, () => openDirectory(top, hostPath(top, key), isSupported));
    if (held === undefined || held === 'unreadable') return held;
    try {
      return work(held.path);
    } finally {
      if (held.file !== undefined) fs.closeSync(held.file);
    }
  }

  function listIn(host: string, directory: string): readonly NamedEntry[] {
    const key = { tree: 'files', path: directory } as const;
    const children = attempt(directory, () => fs.readdirSync(host, { withFileTypes: true }));
    if (typeof children === 'string' || children === undefined) return [];
    return children
      .filter((child) => isListed(key, child) && (!child.name.includes('\ufffd') || isThere(host, child.name)))
      .map((child): NamedEntry => ({ name: child.name, kind: child.isDirectory() ? 'directory' : 'file' }))
      .sort((left, right) => (left.name < right.name ? -1 : 1));
  }

  function readIn(host: string, path: string, maxBytes: number): Uint8Array | 'too-large' | 'unreadable' | undefined {
    const name = nameOf(path);
    if (!isShown('files', name)) return undefined;
    const file = attempt(path, () => fs.openSync(withoutEnd(host) + sep + name, flags));
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
    list(directory) {
      const listed = within(directory, (host) => listIn(host, directory));
      return listed === undefined || listed === 'unreadable' ? [] : listed;
    },
    readEach(paths, { maxBytes, visit }) {
      for (const [directory, group] of byDirectory(paths)) {
        const read = within(directory, (host): 'visited' => {
          for (const path of group) visit(path, readIn(host, path, maxBytes));
          return 'visited';
        });
        if (read !== 'visited') for (const path of group) visit(path, read);
      }
      if (buffer.length > largestBuffer) buffer = new Uint8Array(startSize);
    },
  };
}

const startSize = 256 * 1024;

/** Larger buffers are released. */
const largestBuffer = 4 * 1024 * 1024;

/** A read on a disk that returns less than this is the last one of a file. */
const fullRead = 64 * 1024;

const flags = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);

function enlarged(buffer: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(buffer.length * 2);
  larger.set(buffer);
  return larger;
}

/** Invalid UTF-8 in a name is decoded to a name that no file has. */
function isThere(host: string, name: string): boolean {
  return fs.lstatSync(withoutEnd(host) + sep + name, { throwIfNoEntry: false }) !== undefined;
}

/** Groups consecutive paths by directory. */
function* byDirectory(
  paths: readonly string[],
): Generator<readonly [directory: string, paths: readonly string[]], void> {
  let group: string[] = [];
  for (const [index, path] of paths.entries()) {
    group.push(path);
    const directory = parentOf(path);
    if (paths[index + 1] !== undefined && parentOf(paths[index + 1] ?? '') === directory) continue;
    yield [directory, group];
    group = [];
  }
}

interface Held {
  readonly path: string;
  readonly file?: number;
}

/** Opens a directory that no link leads to, by number if the system supports it; undefined if there is none. */
function openDirectory(top: string, host: string, isSupported: boolean): Held | undefined {
  const straight = withoutEnd(fs.realpathSync.native(top)) + host.slice(withoutEnd(top).length) || host;
  if (!isSupported) return fs.realpathSync.native(host) === straight ? { path: host } : undefined;
  const file = fs.openSync(host, pathOnly);
  const path = `${descriptors}/${file}`;
  let isHeld = false;
  try {
    isHeld = fs.readlinkSync(path) === straight;
  } finally {
    if (!isHeld) fs.closeSync(file);
  }
  return isHeld ? { path, file } : undefined;
}

/**
 * Runs an operation; `unreadable` without permission, undefined if the entry is missing. Errors never contain the
 * host's path.
 */
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
