import { fileError, quotePath } from './file-error.ts';
import { hasBatch } from './batching.ts';
import type { BatchFiles } from './batching.ts';
import type { Files } from './files.ts';
import { isWithin, resolvePath } from './paths.ts';
import { observableLike } from './taint/observer.ts';

/**
 * The same files, read-only at and below `prefix`: changes there throw `EROFS`.
 *
 * @example
 * ```ts
 * import { createFiles } from '@utensil/core';
 * import { readOnly } from '@utensil/core/files';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const files = createFiles(memoryStorage());
 * await files.write('/memories/a.md', 'remember');
 * const view = readOnly(files, '/memories');
 * await view.write('/memories/a.md', 'forget').catch((error) => console.log(error.code)); // EROFS
 * ```
 */
export function readOnly(files: BatchFiles, prefix?: string): BatchFiles;
export function readOnly(files: Files, prefix?: string): Files;
export function readOnly(files: Files, prefix = '/'): Files {
  const top = resolvePath(prefix);
  const refuse = (path: string): void => {
    if (isWithin(top, resolvePath(path))) throw fileError('EROFS', path, { hint: 'It is read-only.' });
  };
  /** For operations that move or copy everything below a path. */
  const refuseTree = (path: string): void => {
    refuse(path);
    if (isWithin(resolvePath(path), top))
      throw fileError('EROFS', path, { hint: `${quotePath(top)} in it cannot be changed.` });
  };
  const view: Files = {
    stat: (path) => files.stat(path),
    read: (path, range) => files.read(path, range),
    readText: (path) => files.readText(path),
    async write(path, data, options) {
      refuse(path);
      return files.write(path, data, options);
    },
    async append(path, data) {
      refuse(path);
      return files.append(path, data);
    },
    async edit(path, replacement) {
      refuse(path);
      return files.edit(path, replacement);
    },
    async insertLines(path, line, text) {
      refuse(path);
      return files.insertLines(path, line, text);
    },
    async makeDirectory(path) {
      refuse(path);
      return files.makeDirectory(path);
    },
    async remove(path, options) {
      refuseTree(path);
      return files.remove(path, options);
    },
    async move(from, to, options) {
      refuseTree(from);
      refuseTree(to);
      return files.move(from, to, options);
    },
    async copy(from, to, options) {
      refuse(to);
      return files.copy(from, to, options);
    },
    list: (path, options) => files.list(path, options),
    watch: (path, listener) => files.watch(path, listener),
  };
  const again = (others: Files): Files => readOnly(others, top);
  if (!hasBatch(files)) return observableLike(view, files, again);
  const batching: BatchFiles = { ...view, batch: (work) => files.batch((inner) => work(readOnly(inner, top))) };
  return observableLike(batching, files, again);
}
