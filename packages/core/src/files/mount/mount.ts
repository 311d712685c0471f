import { directoryEtag } from '../storage/driver.ts';
import { fileError, quotePath } from '../file-error.ts';
import { hasBatch } from '../batching.ts';
import type { BatchFiles } from '../batching.ts';
import type { Files, FileStat } from '../files.ts';
import { batchMounted } from './batch.ts';
import { copyAcross, moveAcross } from './copy.ts';
import { listMounted } from './list.ts';
import { createMountTable } from './table.ts';
import type { MountTable } from './table.ts';
import { resolvePath } from '../paths.ts';
import { hasTaint, observable, seenBy } from '../taint/observer.ts';

/**
 * Files with other files mounted at some directories. The longest mount that contains a path serves it and hides the
 * root's entries there. A mount, and any directory above one, cannot be removed, moved or replaced (`EBUSY`).
 *
 * A copy between mounts transfers bytes, not permissions. A move between mounts is a copy and a removal: if the removal
 * fails, or the file changes meanwhile (`ECONFLICT`), both exist. A directory cannot be moved to another mount
 * (`EXDEV`).
 *
 * A `batch`, if the root has one, changes the files of one mount in one commit. A change to a second mount throws
 * `EXDEV` before anything is committed. Reads from other mounts are not checked at the commit.
 *
 * @example
 * ```ts
 * import { createFiles } from '@utensil/core';
 * import { mountFiles, readOnly } from '@utensil/core/files';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const shared = createFiles(memoryStorage());
 * await shared.write('/logo.svg', '<svg/>');
 * const project = mountFiles(createFiles(memoryStorage()), { '/share': readOnly(shared) });
 * await project.copy('/share/logo.svg', '/logo.svg');
 * await project.remove('/share/logo.svg').catch((error) => console.log(error.code)); // EROFS
 * ```
 */
export function mountFiles(root: BatchFiles, mounts: Readonly<Record<string, Files>>): BatchFiles;
export function mountFiles(root: Files, mounts: Readonly<Record<string, Files>>): Files;
export function mountFiles(root: Files, mounts: Readonly<Record<string, Files>>): Files {
  return mounted(createMountTable(root, mounts));
}

function mounted(table: MountTable): Files {
  const files = filesOf(table);
  const [root] = table.all;
  const isBatching = root !== undefined && hasBatch(root.files);
  const batching = { batch: (work: BatchWork) => batchMounted(table, (inner) => work(filesOf(inner))) };
  return observable(isBatching ? { ...files, ...batching } : files, {
    seenBy: (observer) => mounted(table.over((mount) => seenBy(mount.files, observer))),
    hasTaint: async () => (await Promise.all(table.all.map((mount) => hasTaint(mount.files)))).includes(true),
  });
}

type BatchWork = Parameters<BatchFiles['batch']>[0];

function filesOf(table: MountTable): Files {
  const { ownerOf } = table;
  const owned = (path: string): Files => ownerOf(path).files;

  const forReading = (path: string): Files => {
    const at = resolvePath(path);
    if (table.isFixed(at)) throw fileError('EISDIR', at);
    return owned(at);
  };
  const forWriting = (path: string): Files => {
    table.refuseTwin(resolvePath(path));
    return forReading(path);
  };
  const stat = async (path: string): Promise<FileStat | undefined> => {
    const at = resolvePath(path);
    const found = await owned(at).stat(at);
    return table.isFixed(at) && found?.kind !== 'directory' ? mountedDirectory(at) : found;
  };

  return {
    stat,
    read: async (path, range) => forReading(path).read(path, range),
    readText: async (path) => forReading(path).readText(path),
    write: async (path, data, options) => forWriting(path).write(path, data, options),
    append: async (path, data) => forWriting(path).append(path, data),
    edit: async (path, replacement) => forReading(path).edit(path, replacement),
    insertLines: async (path, line, text) => forReading(path).insertLines(path, line, text),
    async makeDirectory(path) {
      const at = resolvePath(path);
      table.refuseTwin(at);
      if (table.isFixed(at)) throw fileError('EEXIST', at, { hint: 'It is a directory.' });
      return owned(at).makeDirectory(at);
    },
    async remove(path, options) {
      const at = resolvePath(path);
      if (at !== '/') refuseFixed(table, at);
      return owned(at).remove(at, options);
    },
    async move(from, to, { overwrite = false } = {}) {
      const [source, target] = [resolvePath(from), resolvePath(to)];
      if (source === '/') throw fileError('EINVAL', '/', { hint: 'The root cannot be moved.' });
      refuseFixed(table, source);
      refuseFixed(table, target);
      table.refuseTwin(target);
      if (ownerOf(source) === ownerOf(target)) return owned(source).move(source, target, { overwrite });
      return moveAcross({ from: owned(source), to: owned(target) }, { from: source, to: target, overwrite });
    },
    async copy(from, to, { overwrite = false } = {}) {
      const [source, target] = [resolvePath(from), resolvePath(to)];
      refuseFixed(table, target);
      table.refuseTwin(target);
      if (ownerOf(source) === ownerOf(target)) return forReading(source).copy(source, target, { overwrite });
      return copyAcross({ from: forReading(source), to: owned(target) }, { from: source, to: target, overwrite });
    },
    list: async (path, options) => listMounted(table, { path: resolvePath(path), stat, options }),
    watch(path, listener) {
      const at = resolvePath(path);
      const ends = [ownerOf(at), ...table.below(at)].map((mount) =>
        mount.files.watch(mount === ownerOf(at) ? at : mount.path, (changed) => {
          const visible = changed.filter((each) => ownerOf(each) === mount);
          if (visible.length > 0) listener(visible);
        }),
      );
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

/** A directory that exists because something is mounted below it. */
function mountedDirectory(path: string): FileStat {
  return { path, kind: 'directory', size: 0, modifiedAt: 0, etag: directoryEtag };
}

function refuseFixed(table: MountTable, path: string): void {
  if (!table.isFixed(path)) return;
  const [below] = table.below(path);
  const hint =
    below === undefined || table.ownerOf(path).path === path
      ? 'It is a mount, which is neither removed, moved nor replaced: change what is in it.'
      : `${quotePath(below.path)} is mounted in it: it is neither removed, moved nor replaced.`;
  throw fileError('EBUSY', path, { hint });
}
