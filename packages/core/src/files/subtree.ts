import { hasBatch } from './batching.ts';
import type { BatchFiles } from './batching.ts';
import { directoryEtag } from './storage/driver.ts';
import { fileError } from './file-error.ts';
import type { Files, FileStat } from './files.ts';
import { isUtensilError } from '../base/errors.ts';
import { resolvePath } from './paths.ts';
import { observableLike } from './taint/observer.ts';
import { translateFiles } from './translate.ts';

/**
 * The files below a directory, as a filesystem of their own: the directory is its `/`, and nothing above can be
 * reached, named or detected. The directory need not exist; the first write creates it.
 *
 * @example
 * ```ts
 * import { createFiles } from '@utensil/core';
 * import { subtree } from '@utensil/core/files';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const all = createFiles(memoryStorage());
 * const project = subtree(all, '/projects/first');
 * await project.write('/../notes.md', 'buy milk');
 * console.log((await all.stat('/projects/first/notes.md'))?.size); // 8
 * ```
 */
export function subtree(files: BatchFiles, directory: string): BatchFiles;
export function subtree(files: Files, directory: string): Files;
export function subtree(files: Files, directory: string): Files {
  return rooted(translateFiles(files, { outer: '/', inner: resolvePath(directory) }));
}

/** The same files, with a root that always exists. */
function rooted(below: Files): Files {
  const refuseRoot = (path: string, refusal: () => Error): void => {
    if (resolvePath(path) === '/') throw refusal();
  };
  const refuseDirectory = (path: string): void => refuseRoot(path, isDirectory);

  const view: Files = {
    async stat(path) {
      return (await below.stat(path)) ?? (resolvePath(path) === '/' ? emptyRoot : undefined);
    },
    async read(path, range) {
      refuseDirectory(path);
      return below.read(path, range);
    },
    async readText(path) {
      refuseDirectory(path);
      return below.readText(path);
    },
    async write(path, data, options) {
      refuseDirectory(path);
      return below.write(path, data, options);
    },
    async append(path, data) {
      refuseDirectory(path);
      return below.append(path, data);
    },
    async edit(path, replacement) {
      refuseDirectory(path);
      return below.edit(path, replacement);
    },
    async insertLines(path, line, text) {
      refuseDirectory(path);
      return below.insertLines(path, line, text);
    },
    async makeDirectory(path) {
      refuseRoot(path, isTaken);
      return below.makeDirectory(path);
    },
    async remove(path, options) {
      refuseRoot(path, () => fileError('EINVAL', '/', { hint: 'The root cannot be removed.' }));
      return below.remove(path, options);
    },
    async move(from, to, options) {
      refuseRoot(from, () => fileError('EINVAL', '/', { hint: 'The root cannot be moved.' }));
      refuseRoot(to, isTaken);
      return below.move(from, to, options);
    },
    async copy(from, to, options) {
      refuseDirectory(from);
      refuseRoot(to, isTaken);
      return below.copy(from, to, options);
    },
    async list(path, options) {
      try {
        return await below.list(path, options);
      } catch (error) {
        if (resolvePath(path) === '/' && isUtensilError(error, 'ENOENT')) return { entries: [] };
        throw error;
      }
    },
    watch: (path, listener) => below.watch(path, listener),
  };
  if (!hasBatch(below)) return observableLike(view, below, rooted);
  const batching: BatchFiles = { ...view, batch: (work) => below.batch((inner) => work(rooted(inner))) };
  return observableLike(batching, below, rooted);
}

/** The root before the first write. */
const emptyRoot: FileStat = { path: '/', kind: 'directory', size: 0, modifiedAt: 0, etag: directoryEtag };

function isDirectory(): Error {
  return fileError('EISDIR', '/');
}

function isTaken(): Error {
  return fileError('EEXIST', '/', { hint: 'It is a directory.' });
}
