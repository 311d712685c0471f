import { createBatch } from './batch.ts';
import type { ByteRange, StorageDriver } from './storage/driver.ts';
import { fileError } from './file-error.ts';
import type { EditResult, FileBytes, FileStat, ProjectFiles, WriteOptions } from './files.ts';
import { noSuchEntry } from './no-such-entry.ts';
import { resolvePath } from './paths.ts';
import { createQueue } from './queue.ts';
import type { Queue } from './queue.ts';
import { measureUsage, withQuota } from './quota.ts';
import type { FilesQuota } from './quota.ts';
import { listDirectory, readBytes, toStat } from './reading.ts';
import { copyFile, makeDirectory, moveEntry, notAsRead, removeEntry } from './rearrange.ts';
import { rewriteFile } from './rewrite.ts';
import type { Current, Rewrite } from './rewrite.ts';
import { utf8 } from '../base/text-encoding.ts';
import { concatBytes, decodeFile, encodeBody, encodeText } from './text.ts';
import type { DecodedText } from '../base/text-encoding.ts';
import { adaptLines, insertText, replaceText } from './replace-text.ts';
import type { TextEdit } from './replace-text.ts';
import { ledgerOf } from './taint/ledger.ts';
import type { Ledger } from './taint/ledger.ts';
import { bothObservers, observable } from './taint/observer.ts';
import type { FilesObserver } from './taint/observer.ts';
import { createTracker } from './taint/tracker.ts';
import { guardDriver } from './transaction.ts';
import type { Store } from './transaction.ts';
import { watchBelow } from './watching.ts';

/** Options of {@link createFiles}. */
export interface FilesOptions {
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
  /** Maximum content size after a write, append or edit. Default: 10 MiB. */
  readonly maxFileBytes?: number;
  /**
   * Limit on all files together; unlimited by default. Changes that would exceed it throw `EDQUOT`. Writes made through
   * other `Files` objects are counted within a minute.
   */
  readonly quota?: FilesQuota;
}

/**
 * The files of a project over a storage: every rule of {@link Files}, the same on every backend.
 *
 * @example
 * ```ts
 * import { createFiles } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const files = createFiles(memoryStorage());
 * await files.write('/notes/todo.md', 'buy milk\n');
 * await files.edit('/notes/todo.md', { oldText: 'milk', newText: 'bread' });
 * console.log((await files.readText('/notes/todo.md')).text); // buy bread
 * ```
 */
export function createFiles(storage: StorageDriver, options: FilesOptions = {}): ProjectFiles {
  const { keepsVersions = false } = storage;
  return filesOver({ ...baseOf(storage, options, ledgerOf(storage)), keepsVersions });
}

/** State shared by all views of a storage's files. */
interface Base {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly maxFileBytes: number;
  readonly keepsVersions?: boolean;
  readonly inOrder: Queue;
  readonly batch: ReturnType<typeof createBatch>;
}

function baseOf(storage: StorageDriver, options: FilesOptions, ledger: Ledger): Base {
  const { now = Date.now, maxFileBytes = 10 * 1024 * 1024, quota } = options;
  const guarded = guardDriver(storage);
  const store = { driver: quota === undefined ? guarded : withQuota(guarded, quota), now };
  const inOrder = createQueue();
  return { store, ledger, maxFileBytes, inOrder, batch: createBatch(store, inOrder) };
}

/** The files as seen by an observer. */
function filesOver(base: Base, observer?: FilesObserver): ProjectFiles {
  const { maxFileBytes, keepsVersions = false, inOrder, batch, ledger } = base;
  const { driver, now } = base.store;
  const tracker = createTracker(driver, ledger, observer);
  const store: Store = { driver, now, record: tracker.record, listed: tracker.listed };

  const read = async (path: string, range?: ByteRange): Promise<FileBytes> => {
    const found = await readBytes(store, path, range);
    await tracker.read(found, range, async () => (await readBytes(store, path)).bytes);
    return found;
  };

  const files: ProjectFiles = {
    ...(keepsVersions && { keepsVersions }),
    async stat(path) {
      const [entry] = await driver.stat([{ tree: 'files', path: resolvePath(path) }]);
      return entry && toStat(entry);
    },
    read: async (path, range) => read(resolvePath(path), range),
    async readText(path) {
      const { bytes, ...stat } = await read(resolvePath(path));
      return { ...stat, ...decodeFile(bytes, stat.path) };
    },
    async write(path, data, conditions = {}) {
      const to = resolvePath(path);
      const bytes = typeof data === 'string' ? encodeText(data, utf8, to) : new Uint8Array(data);
      const isConditional = conditions.create !== undefined || conditions.ifMatch !== undefined;
      return rewrite(to, async (current) => {
        if (isConditional) await checkConditions(to, current, conditions);
        return { bytes, details: {} };
      });
    },
    async append(path, data) {
      const to = resolvePath(path);
      const added = typeof data === 'string' ? data : new Uint8Array(data);
      return rewrite(to, async (current) => {
        const before = current === undefined ? new Uint8Array() : await current.read();
        if (before === undefined) return undefined;
        const after = typeof added === 'string' ? encodeAdded(added, before, to) : added;
        return { bytes: concatBytes(before, after), keeps: before, details: {} };
      });
    },
    edit: (path, replacement) => editText(path, (decoded, to) => replaceText(decoded, replacement, to)),
    insertLines: (path, line, inserted) =>
      editText(path, ({ text }, to) => insertText(text, { line, inserted, path: to })),
    async makeDirectory(path) {
      const to = resolvePath(path);
      return inOrder([to], () => makeDirectory(store, to));
    },
    async remove(path, conditions = {}) {
      const target = resolvePath(path);
      return inOrder([target], () => removeEntry(store, target, conditions));
    },
    async move(from, to, { overwrite = false } = {}) {
      const route = { from: resolvePath(from), to: resolvePath(to), overwrite };
      return inOrder([route.from, route.to], () => moveEntry(store, route));
    },
    async copy(from, to, { overwrite = false } = {}) {
      const route = { from: resolvePath(from), to: resolvePath(to), overwrite };
      return inOrder([route.to], () => copyFile(store, route));
    },
    async list(path, query) {
      const listing = await listDirectory(store, resolvePath(path), query);
      await tracker.listed(listing.entries.map((entry) => entry.path));
      return listing;
    },
    usage: () => measureUsage(driver),
    batch: (work) => batch((staged) => work(filesOver(baseOf(staged, { now, maxFileBytes }, ledger), observer))),
    watch: (path, listener) => watchBelow(driver, resolvePath(path), listener),
  };
  return observable(files, {
    seenBy: (next) => filesOver(base, bothObservers(observer, next)),
    hasTaint: async () => !(await ledger.open(driver, observer?.session)).isEmpty,
  });

  function rewrite<Details extends object>(path: string, next: Rewrite<Details>['next']): Promise<FileStat & Details> {
    return inOrder([path], () => rewriteFile(store, { path, next, maxFileBytes }));
  }

  async function editText(path: string, edit: (decoded: DecodedText, path: string) => TextEdit): Promise<EditResult> {
    const to = resolvePath(path);
    return rewrite(to, async (current) => {
      if (current === undefined) throw await noSuchEntry(store, 'files', to);
      const before = await current.read();
      if (before === undefined) return undefined;
      await tracker.read({ ...toStat(current.entry), bytes: before }, undefined, async () => before);
      const decoded = decodeFile(before, to);
      const details = edit(decoded, to);
      return { bytes: encodeText(details.text, decoded.format, to), keeps: before, details };
    });
  }

  async function checkConditions(
    path: string,
    current: Current | undefined,
    { create = 'may', ifMatch }: WriteOptions,
  ) {
    if (current !== undefined && create === 'must') throw fileError('EEXIST', path, { hint: 'Choose another name.' });
    if (current === undefined && create === 'never') throw await noSuchEntry(store, 'files', path);
    if (ifMatch !== undefined && current?.entry.etag !== ifMatch) throw notAsRead(path);
  }
}

/** Appended text in the file's encoding and with its line breaks. */
function encodeAdded(added: string, before: Uint8Array, path: string): Uint8Array {
  const { text, format } = decodeFile(before, path);
  return encodeBody(adaptLines(added, text), format, path);
}
