import { createBatch } from './batch.ts';
import type { StorageDriver } from './driver.ts';
import { fileError } from './file-error.ts';
import type { EditResult, FileStat, ProjectFiles, WriteOptions } from './files.ts';
import { noSuchEntry } from './nearest.ts';
import { resolvePath } from './paths.ts';
import { createQueue } from './queue.ts';
import { measureUsage, withQuota } from './quota.ts';
import type { Quota } from './quota.ts';
import { listDirectory, readBytes, toStat } from './reading.ts';
import { copyFile, makeDirectory, moveEntry, notAsRead, removeEntry } from './rearrange.ts';
import { rewriteFile } from './rewrite.ts';
import type { Current, Rewrite } from './rewrite.ts';
import { concatBytes, decodeFile, encodeBody, encodeText, utf8 } from './text.ts';
import type { DecodedText } from './text.ts';
import { adaptLines, insertText, replaceText } from './text-edit.ts';
import type { TextEdit } from './text-edit.ts';
import { guardDriver } from './transaction.ts';
import { watchBelow } from './watching.ts';

/** What {@link createFiles} may be told. */
export interface FilesOptions {
  /** The clock, in milliseconds since 1970. */
  readonly now?: () => number;
  /** The largest content that a write, append or edit may leave; default 10 MiB. */
  readonly maxFileBytes?: number;
  /**
   * How much all files may take together; unlimited by default. Beyond it, changes throw `EDQUOT`. What is written by way of
   * other `Files` counts within a minute.
   */
  readonly quota?: Quota;
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
  const { now = Date.now, maxFileBytes = 10 * 1024 * 1024, quota } = options;
  const guarded = guardDriver(storage);
  const store = { driver: quota === undefined ? guarded : withQuota(guarded, quota), now };
  const inOrder = createQueue();
  const batch = createBatch(store, inOrder);

  return {
    async stat(path) {
      const [entry] = await store.driver.stat([{ tree: 'files', path: resolvePath(path) }]);
      return entry && toStat(entry);
    },
    read: async (path, range) => readBytes(store.driver, resolvePath(path), range),
    async readText(path) {
      const { bytes, ...stat } = await readBytes(store.driver, resolvePath(path));
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
        return { bytes: concatBytes(before, after), details: {} };
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
    list: async (path, query) => listDirectory(store.driver, resolvePath(path), query),
    usage: () => measureUsage(store.driver),
    batch: (work) => batch((driver) => work(createFiles(driver, { now, maxFileBytes }))),
    watch: (path, listener) => watchBelow(store.driver, resolvePath(path), listener),
  };

  function rewrite<Details extends object>(path: string, next: Rewrite<Details>['next']): Promise<FileStat & Details> {
    return inOrder([path], () => rewriteFile(store, { path, next, maxFileBytes }));
  }

  async function editText(path: string, edit: (decoded: DecodedText, path: string) => TextEdit): Promise<EditResult> {
    const to = resolvePath(path);
    return rewrite(to, async (current) => {
      if (current === undefined) throw await noSuchEntry(store.driver, 'files', to);
      const before = await current.read();
      if (before === undefined) return undefined;
      const decoded = decodeFile(before, to);
      const details = edit(decoded, to);
      return { bytes: encodeText(details.text, decoded.format, to), details };
    });
  }

  async function checkConditions(
    path: string,
    current: Current | undefined,
    { create = 'may', ifMatch }: WriteOptions,
  ) {
    if (current !== undefined && create === 'must') throw fileError('EEXIST', path, { hint: 'Choose another name.' });
    if (current === undefined && create === 'never') throw await noSuchEntry(store.driver, 'files', path);
    if (ifMatch !== undefined && current?.entry.etag !== ifMatch) throw notAsRead(path);
  }
}

/** Text to add to a file, in its encoding and with its line breaks. */
function encodeAdded(added: string, before: Uint8Array, path: string): Uint8Array {
  const { text, format } = decodeFile(before, path);
  return encodeBody(adaptLines(added, text), format, path);
}
