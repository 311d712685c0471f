// Shared by the browser tests.

import { isUtensilError } from '@utensil/core';
import type { Files } from '@utensil/core';
import type { StorageChange, StorageDriver } from '@utensil/core/storage';
import { deleteDB } from 'idb';
import { indexeddbStorage } from '../indexeddb.ts';
import type { IndexeddbStorageOptions } from '../indexeddb.ts';

/** A database of a test's own, and the storages that are open on it. */
export interface TestDatabase {
  readonly name: string;
  open(options?: IndexeddbStorageOptions): StorageDriver;
  /** Closes this one at the end, too. */
  kept(driver: StorageDriver): StorageDriver;
  end(): Promise<void>;
}

/** A database that nobody else uses. */
export function testDatabase(): TestDatabase {
  const name = crypto.randomUUID();
  const drivers: StorageDriver[] = [];
  const kept = (driver: StorageDriver): StorageDriver => {
    drivers.push(driver);
    return driver;
  };
  return {
    name,
    open: (options = {}) => kept(indexeddbStorage({ database: name, ...options })),
    kept,
    async end() {
      await Promise.all(drivers.map((driver) => driver.close()));
      await deleteDB(name);
    },
  };
}

/** A file to be written. */
export function write(path: string, content: Uint8Array = new Uint8Array(1)): StorageChange {
  return { type: 'write', tree: 'files', path, content };
}

/** All paths. */
export async function pathsIn(files: Files, depth = 9): Promise<readonly string[]> {
  return (await files.list('/', { depth })).entries.map(({ path }) => path);
}

/** Message of a failing call, which must not reveal browser internals. */
export async function failureOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'nothing';
  } catch (error) {
    const isWorded = isUtensilError(error) && !/IDB|DOMException|transaction|Error\b/.test(error.message);
    if (!isWorded) throw error;
    return error.message;
  }
}
