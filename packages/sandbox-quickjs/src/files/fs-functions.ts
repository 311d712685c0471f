import { UtensilError } from '@utensil/core';
import { decodeText, foldCase, isWithin, resolvePath } from '@utensil/core/files';
import type { Files } from '@utensil/core';
import { createPlaces } from '../host/places.ts';
import type { HostFunction } from '../sandbox.ts';
import { fromBase64, toBase64 } from '../base64.ts';
import { fsError, toFsError } from './fs-error.ts';
import type { Operation } from './fs-error.ts';
import { kindOfName } from './kind-of-name.ts';
import type { FsFunctions } from './fs-names.ts';
import { createTurns } from './turns.ts';

/** Options of {@link fsFunctions}. */
export interface FsOptions {
  readonly files: Files;
  /** Read-only directories. */
  readonly readOnly: readonly string[];
  /** Maximum bytes read by all calls together. */
  readonly mostBytes: number;
  /** Maximum bytes of a file to read. */
  readonly largestBytes: number;
}

/** Number of files read in parallel, so that a script cannot fill the host's memory with data it never uses. */
const mostAtOnce = 6;

interface FsInput {
  readonly path: string;
  readonly to?: string;
  readonly text?: string;
  readonly base64?: string;
  readonly isText?: boolean;
  readonly recursive?: boolean;
}

/** Host side of `fs`: reads run in parallel; a change waits for all earlier calls. */
export function fsFunctions({ files, readOnly, mostBytes, largestBytes }: FsOptions): FsFunctions {
  const tops = readOnly.map(placeOf);
  const turns = createTurns();
  const places = createPlaces(mostAtOnce);
  let left = mostBytes;

  const isReadOnly = (path: string): boolean => tops.some((top) => isWithin(top, placeOf(path)));

  /** Rejects changes to read-only paths, and moves of directories that contain them. */
  const refuse = (path: string, operation: Operation): void => {
    const holdsTop = operation !== 'write' && operation !== 'mkdir' && tops.some((top) => isWithin(placeOf(path), top));
    if (isReadOnly(path) || holdsTop) throw fsError('EROFS', path, operation);
  };

  const bytesOf = (path: string): Promise<Uint8Array> =>
    places.take(async () => {
      const { size = 0 } = (await files.stat(path)) ?? {};
      if (size > Math.min(left, largestBytes))
        throw new UtensilError('EFBIG', 'Too much data for one script: read less at a time.', { path });
      left -= size;
      return (await files.read(path)).bytes;
    });

  const reading = (operation: Operation, work: (input: FsInput) => Promise<unknown>): HostFunction =>
    guarded(operation, (input) => turns.read(() => work(input)));

  const changing = (operation: Operation, work: (input: FsInput) => Promise<unknown>): HostFunction =>
    guarded(operation, (input) =>
      turns.change(async () => {
        refuse(input.path, operation);
        if (input.to !== undefined) refuse(input.to, operation);
        await work(input);
      }),
    );

  return {
    'fs.readFile': reading('read', async ({ path, isText }) => {
      const bytes = await bytesOf(path);
      return isText === true ? textOf(bytes) : toBase64(bytes);
    }),
    'fs.writeFile': changing('write', async ({ path, text, base64 = '' }) =>
      files.write(path, text ?? fromBase64(base64)),
    ),
    'fs.exists': reading('stat', async ({ path }) => (await files.stat(path)) !== undefined),
    'fs.mkdir': changing('mkdir', async ({ path, recursive }) => {
      if (recursive === true && (await files.stat(path))?.kind === 'directory') return;
      await files.makeDirectory(path);
    }),
    'fs.readdir': reading('readdir', ({ path }) => namesIn(files, path)),
    'fs.unlink': changing('unlink', async ({ path }) => {
      if ((await files.stat(path))?.kind === 'directory') throw fsError('EISDIR', path, 'unlink');
      await files.remove(path);
    }),
    'fs.rmdir': changing('rmdir', async ({ path, recursive = false }) => {
      if ((await files.stat(path))?.kind === 'file') throw fsError('ENOTDIR', path, 'rmdir');
      await files.remove(path, { recursive });
    }),
    'fs.rename': changing('rename', async ({ path, to = '' }) => {
      if (resolvePath(path) !== resolvePath(to) && (await files.stat(to)) !== undefined)
        throw fsError('EEXIST', to, 'rename');
      await files.move(path, to);
    }),
    'fs.stat': reading('stat', async ({ path }) => {
      const found = await files.stat(path);
      if (found === undefined) throw fsError('ENOENT', path, 'stat');
      const isFile = found.kind === 'file';
      return {
        isFile,
        isDirectory: !isFile,
        size: found.size,
        readonly: isReadOnly(path),
        mtime: found.modifiedAt,
        ...(isFile ? kindOfName(path) : { isBinary: false, mime: null }),
      };
    }),
  };
}

/** Makes the path absolute and converts errors to `fs` errors. */
function guarded(operation: Operation, work: (input: FsInput) => Promise<unknown>): HostFunction {
  return async (input) => {
    const given = input as FsInput;
    const { to } = given;
    for (const path of [given.path, to ?? '']) if (path.length > longestPath) throw tooLong(path);
    try {
      return await work({ ...given, path: absolute(given.path), ...(to !== undefined && { to: absolute(to) }) });
    } catch (error) {
      throw toFsError(error, given.path, operation);
    }
  };
}

/** Maximum characters of a path. No file has a longer one, and parsing takes a hundred times its length in memory. */
const longestPath = 4_096;

function tooLong(path: string): UtensilError {
  const shown = `${path.slice(0, 100)}…`;
  return new UtensilError('ENAMETOOLONG', `ENAMETOOLONG: name too long (${path.length} characters), '${shown}'`);
}

/** Canonical path, so that no rule can be bypassed: `/Memories` is treated as `/memories`. */
function placeOf(path: string): string {
  return foldCase(resolvePath(path));
}

/** Resolves a relative path from the root. */
function absolute(path: string): string {
  return path === '' || path.startsWith('/') ? path : `/${path}`;
}

/** Decodes UTF-8, or the encoding of the byte order mark; invalid sequences become replacement characters. */
function textOf(bytes: Uint8Array): string {
  return decodeText(bytes)?.text ?? new TextDecoder().decode(bytes);
}

/** Maximum number of names that a directory returns to a script. */
const mostNames = 100_000;

async function namesIn(files: Files, path: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (let after: string | undefined; ;) {
    const { entries, next } = await files.list(path, after === undefined ? {} : { after });
    names.push(...entries.map((entry) => entry.path.slice(entry.path.lastIndexOf('/') + 1)));
    if (names.length > mostNames)
      throw new UtensilError('EFBIG', `EFBIG: more than ${mostNames} names, readdir '${path}'`, { path });
    if (next === undefined) return names;
    after = next;
  }
}
