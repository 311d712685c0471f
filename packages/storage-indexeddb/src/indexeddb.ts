import { fileError } from '@utensil/core/files';
import type { StorageDriver } from '@utensil/core/storage';
import { prepare } from './commit.ts';
import { createCommitter } from './committer.ts';
import { createConnection } from './connection.ts';
import type { Connection } from './connection.ts';
import { scopeOf } from './key.ts';
import { listBelow } from './listing.ts';
import { createNotifications } from './notifications.ts';
import { createReader } from './reader.ts';
import { refusal } from './refusal.ts';
import { createStat } from './stat.ts';

/** Options of {@link indexeddbStorage}. */
export interface IndexeddbStorageOptions {
  /** Name of the database. Default: `utensil`. */
  readonly database?: string;
  /** Storages with different names share no entries, even in the same database. Default: `''`. */
  readonly namespace?: string;
  /**
   * Durability of acknowledged changes. `relaxed` (default): they survive a crash of the page or the browser. `strict`:
   * they also survive power loss, at the cost of waiting for the disk.
   */
  readonly durability?: 'relaxed' | 'strict';
}

/**
 * Creates a storage in IndexedDB, for pages and workers. Any number of tabs may share one database.
 *
 * @example
 * ```ts no-run
 * import { createFiles } from '@utensil/core';
 * import { indexeddbStorage } from '@utensil/storage-indexeddb';
 *
 * const files = createFiles(indexeddbStorage({ database: 'my-app', namespace: 'project-1' }));
 * await files.write('/notes/todo.md', 'buy milk');
 * ```
 */
export function indexeddbStorage(options: IndexeddbStorageOptions = {}): StorageDriver {
  const { database = 'utensil', namespace = '', durability = 'relaxed' } = options;
  return storageOn(createConnection(database, { durability }), namespace);
}

/** Creates a storage on its own connection. */
export function storageOn(connection: Connection, namespace: string): StorageDriver {
  const scope = scopeOf(namespace);
  const newEtag = createEtags();
  const stat = createStat(connection, scope);
  const read = createReader(connection, scope);
  const { tell, watch, close } = createNotifications(connection.name, namespace);
  const commit = createCommitter(connection, { scope, tell });
  const underWay = new Set<Promise<unknown>>();
  let isClosed = false;

  function assertOpen(path: string): void {
    if (isClosed) throw fileError('EBADF', path, { hint: 'Open it again.' });
  }

  /** Runs an operation on an open storage; errors of IndexedDB get this path. */
  async function on<Result>({ path }: { readonly path: string }, work: () => Promise<Result>): Promise<Result> {
    assertOpen(path);
    const working = (async () => work())();
    underWay.add(working);
    try {
      return await working;
    } catch (error) {
      throw refusal(error, path);
    } finally {
      underWay.delete(working);
    }
  }

  return {
    stat: (keys) => on(keys[0] ?? top, () => stat(keys)),
    list: (query) => on(query, () => connection.use('readonly', (transaction) => listBelow(transaction, scope, query))),
    read: (key, range) => on(key, () => read(key, range)),
    commit: (given) => on(given.changes[0] ?? top, () => commit(prepare(given, newEtag))),
    watch(listener) {
      assertOpen('/');
      return watch(listener);
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(underWay);
      close();
      connection.release();
    },
  };
}

const top = { path: '/' };

/** Creates etags unique across tabs: 60 random bits in ten characters, and a counter. */
function createEtags(): () => string {
  const session = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => alphabet[byte % 64]).join('');
  let count = 0;
  return () => session + (++count).toString(36);
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
