import { isUtensilError, UtensilError } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import { createListeners } from '@utensil/core/storage';
import type { StorageChange, StorageCommit, StorageEntry, EntryKey, StorageDriver } from '@utensil/core/storage';
import { commitChanges } from './commit.ts';
import type { Target } from './commit.ts';
import { beginHeader, openHeader } from './copies.ts';
import type { Opened } from './copies.ts';
import type { NamesPolicy } from './header.ts';
import { checkKey } from './key.ts';
import type { StorageKey } from './key.ts';
import { listBelow } from './listing.ts';
import { encryptedNames, plainNames } from './names.ts';
import { placeOf, plainEntry } from './place.ts';
import { readContent } from './reading.ts';
import { plainKeys } from './watching.ts';

/** Options of {@link encryptedStorage}. */
export interface EncryptedStorageOptions {
  /**
   * Policy for names of files and directories: `encrypted`, or `plain` to leave them readable. The first write fixes
   * it. Default: `encrypted` for a new storage, later the stored policy. A different policy throws.
   */
  readonly names?: NamesPolicy;
}

/**
 * Creates a storage that encrypts everything before it passes it to `driver`. It owns that driver: closing this storage
 * closes both.
 *
 * @example
 * ```ts
 * import { createFiles } from '@utensil/core';
 * import { encryptedStorage } from '@utensil/storage-encrypted';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const key = crypto.getRandomValues(new Uint8Array(32));
 * const files = createFiles(encryptedStorage(memoryStorage(), key));
 * await files.write('/diary.md', 'Nobody reads this.');
 * console.log((await files.readText('/diary.md')).text); // Nobody reads this.
 * ```
 */
export function encryptedStorage(
  driver: StorageDriver,
  key: StorageKey,
  { names }: EncryptedStorageOptions = {},
): StorageDriver {
  checkKey(key);
  const credentials = { key: key instanceof Uint8Array ? new Uint8Array(key) : key, names };
  const leave = new Set<() => void>();
  let target: (Target & Pick<Opened, 'mend'>) | undefined;
  let isClosed = false;

  function assertOpen(path: string): void {
    if (isClosed) throw fileError('EBADF', path, { hint: 'Open it again.' });
  }

  /** Keeps the keys, which never change once they are known. */
  function settle({ keys, names, mend }: Opened): NonNullable<typeof target> {
    return (target ??= {
      driver,
      secret: keys.content,
      names: names === 'plain' ? plainNames : encryptedNames(keys),
      mend,
    });
  }

  async function open(path: string): Promise<typeof target> {
    assertOpen(path);
    if (target !== undefined) return target;
    const opened = await openHeader(driver, credentials);
    return opened && settle(opened);
  }

  /** Runs an operation on a path, so that errors of the underlying storage do not reveal the stored path. */
  async function naming<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!isUtensilError(error) || error.path === undefined || error.path === path) throw error;
      const [named] = target === undefined ? [] : await plainKeys(target, [{ tree: 'files', path: error.path }]);
      throw renamed(error, named?.path ?? path);
    }
  }

  return {
    async stat(keys) {
      return naming(keys.at(-1)?.path ?? '/', async () => {
        const opened = await open(keys[0]?.path ?? '/');
        if (opened === undefined) return statRoots(driver, keys);
        const places = await Promise.all(keys.map((key) => placeOf(opened.names, key)));
        const found = await driver.stat(places.map(({ stored }) => stored));
        return found.map((entry, index) => entry && plainEntry(entry, keys[index] ?? entry));
      });
    },
    async list(query) {
      return naming(query.path, async () => {
        const opened = await open(query.path);
        return opened === undefined ? [] : listBelow(opened, query, (await placeOf(opened.names, query)).stored);
      });
    },
    async read(key, range) {
      return naming(key.path, async () => {
        const opened = await open(key.path);
        if (opened === undefined) return undefined;
        const { stored } = await placeOf(opened.names, key);
        const found = await readContent({ ...opened, stored, path: key.path }, range);
        return found && { ...found, entry: plainEntry(found.entry, key) };
      });
    },
    async commit(given) {
      const commit = copyOf(given);
      const path = commit.changes[0]?.path ?? '/';
      return naming(path, async () => {
        const opened = (await open(path)) ?? settle(await beginHeader(driver, credentials, commit.time));
        await opened.mend(commit.time);
        return commitChanges(opened, commit);
      });
    },
    watch(listener, options) {
      assertOpen('/');
      const listeners = createListeners<readonly EntryKey[]>();
      listeners.subscribe(listener);
      const tell = async (changed: readonly EntryKey[]): Promise<void> => {
        const opened = await open('/');
        const keys = opened === undefined ? [] : await plainKeys(opened, changed);
        if (keys.length > 0 && leave.has(stop)) listeners.notify(keys);
      };
      let telling: Promise<void> = Promise.resolve();
      const end = driver.watch((changed) => {
        telling = telling.then(() => tell(changed)).catch(() => {}); // the next read reports the error
      }, options);
      const stop = (): void => {
        leave.delete(stop);
        end();
      };
      leave.add(stop);
      return stop;
    },
    async close() {
      isClosed = true;
      for (const stop of leave) stop();
      await driver.close();
    },
  };
}

/** The roots, for a storage without writes. */
async function statRoots(
  driver: StorageDriver,
  keys: readonly EntryKey[],
): Promise<readonly (StorageEntry | undefined)[]> {
  const roots = await driver.stat(keys.map(({ tree }) => ({ tree, path: '/' })));
  return keys.map(({ path }, index) => (path === '/' ? roots[index] : undefined));
}

/** Copies a commit, so that the caller cannot alter it. */
function copyOf(commit: StorageCommit): StorageCommit {
  const { expect, changes } = commit;
  const copies = changes.map((change): StorageChange => {
    if (change.type === 'write') return { ...change, content: new Uint8Array(change.content) };
    return change.type === 'move' ? { ...change, to: { ...change.to } } : { ...change };
  });
  return { ...commit, expect: expect.map((each) => ({ ...each })), changes: copies };
}

/** The same error with another path. */
function renamed(error: UtensilError, path: string): UtensilError {
  const { code, message, retryable } = error;
  return new UtensilError(
    code,
    message.replace(/'[^']*'/, () => `'${path}'`),
    { path, retryable, cause: error },
  );
}
