import { createFiles } from '@utensil/core';
import type { Files } from '@utensil/core';
import type { StorageChange, StorageDriver } from '@utensil/core/storage';
import { deleteDB, openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { IndexeddbStorageOptions } from './indexeddb.ts';
import { failureOf, pathsIn, testDatabase, write } from './test-kit/database.ts';
import type { TestDatabase } from './test-kit/database.ts';

let own: TestDatabase;
let database: string;
let files: Files;

beforeEach(() => {
  own = testDatabase();
  database = own.name;
  files = createFiles(open());
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  await own.end();
});

const open = (options?: IndexeddbStorageOptions): StorageDriver => own.open(options);
const paths = (from = files, depth = 9): Promise<readonly string[]> => pathsIn(from, depth);

const at = (path: string) => ({ tree: 'files', path }) as const;

/** Makes IndexedDB refuse contents. */
function failPuts(isRefused: (content: Uint8Array) => boolean, error: Error): void {
  const put = IDBObjectStore.prototype.put;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
    if (value instanceof Uint8Array && isRefused(value)) throw error;
    return put.call(this, value, key);
  });
}

describe('what IndexedDB refuses', () => {
  it('leaves nothing of a commit that is aborted in its middle', async () => {
    await files.write('/kept', 'before');
    const put = IDBObjectStore.prototype.put;
    let puts = 0;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
      const request = put.call(this, value, key);
      if (++puts === 5) this.add(value, key); // is there already: that ends the transaction, a little later
      return request;
    });
    const changes = Array.from({ length: 20 }, (_, index) => write(`/new ${index}`));
    const commit = open().commit({ expect: [], changes: [write('/kept'), ...changes], time: 0 });
    expect(await failureOf(commit)).toMatch(/^EIO: .* failed: try again/);
    expect([await paths(), (await files.readText('/kept')).text]).toEqual([['/kept'], 'before']);
    const raw = await openDB(database);
    expect([await raw.count('contents'), await raw.count('entries')]).toEqual([1, 1]);
    raw.close();
  });

  it.each([
    ['QuotaExceededError', /^ENOSPC: no space left on device, '\/a'\. Nothing was changed\. .* remove something/],
    ['DataError', /^EIO: input or output failed, '\/a'\. .* try again/],
  ])('%s is a Utensil error, and nothing is lost', async (name, message) => {
    await files.write('/a', 'before');
    failPuts(() => true, new DOMException('IDB told all.', name));
    expect(await failureOf(files.write('/a', 'after'))).toMatch(message);
    expect((await files.readText('/a')).text).toBe('before');
  });

  it('says what to do if there is no IndexedDB', async () => {
    vi.stubGlobal('indexedDB', undefined);
    expect(await failureOf(files.write('/a', 'a'))).toMatch(/^EIO: .* IndexedDB is unavailable/);
  });

  it('says what to do if the page may not use it', async () => {
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException('Access to the IDBFactory is denied.', 'SecurityError');
    });
    expect(await failureOf(files.read('/a'))).toMatch(/^EACCES: .* does not allow this page to store data/);
  });

  it('says that a database is not its own', async () => {
    const other = await openDB(database, 1, { upgrade: (db) => void db.createObjectStore('theirs') });
    other.close();
    expect(await failureOf(files.write('/a', 'a'))).toMatch(/^EIO: .* belongs to something else/);
  });

  it('opens a connection again that was lost, once', async () => {
    await files.write('/a', 'a');
    const begin = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const lose = (): never => {
      throw new DOMException('The connection was closed.', 'InvalidStateError');
    };
    begin.mockImplementationOnce(lose);
    expect((await files.readText('/a')).text).toBe('a');
    begin.mockImplementationOnce(lose).mockImplementationOnce(lose);
    expect(await failureOf(files.read('/a'))).toMatch(/^EIO/);
    await files.write('/a', 'after that');
  });

  it('goes on, with nothing, if somebody deleted the database', async () => {
    await files.write('/a', 'a');
    await deleteDB(database);
    expect(await paths()).toEqual([]);
    await files.write('/b', 'b');
  });
});

describe('no more room', () => {
  const batch = (...changes: readonly StorageChange[]) => ({ expect: [], changes, time: 0 });

  it('fails only the one of several commits for which there is none', async () => {
    const driver = open();
    await files.write('/a', 'a');
    failPuts(({ length }) => length > 100, new DOMException('Full of IDB things.', 'QuotaExceededError'));
    const [small, large] = await Promise.allSettled([
      driver.commit(batch(write('/small'))),
      driver.commit(batch(write('/large', new Uint8Array(200)))),
    ]);
    expect([small.status, large.status]).toEqual(['fulfilled', 'rejected']);
    expect(await paths()).toEqual(['/a', '/small']);
  });

  it('leaves nothing of what does not fit into a real quota', async () => {
    const { storageBuckets } = navigator as unknown as { readonly storageBuckets: StorageBuckets };
    const bucket = await storageBuckets.open(database, { quota: 6 * 1024 * 1024 });
    vi.stubGlobal('indexedDB', bucket.indexedDB);
    const large = (path: string): StorageChange => write(path, randomBytes(8 * 1024 * 1024));
    const driver = open();
    await files.write('/a', 'before');
    expect(await failureOf(driver.commit(batch(write('/a'), large('/large'), write('/z'))))).toMatch(
      /^ENOSPC: .* '\/a'\. Nothing was changed\. .* remove something/,
    );
    const grouped = await Promise.allSettled([
      driver.commit(batch(write('/b'))),
      driver.commit(batch({ type: 'move', tree: 'files', path: '/a', to: at('/c') }, large('/a'))),
      driver.commit(batch(write('/d'))),
    ]);
    // After one refusal, Chromium may refuse more for a while: each report must be accurate.
    const made = ['/b', '/c', '/d'].filter((_, index) => grouped[index]?.status === 'fulfilled');
    expect(made).not.toContain('/c');
    expect([await paths(), (await files.readText('/a')).text]).toEqual([['/a', ...made], 'before']);
    const raw = await openDB(database);
    const rows = made.length + 1;
    expect([await raw.count('contents'), await raw.count('entries')]).toEqual([rows, rows]);
    raw.close();
  });

  /** A part of the origin's storage with a quota of its own; Chromium has it. */
  interface StorageBuckets {
    open(name: string, options: { readonly quota: number }): Promise<{ readonly indexedDB: IDBFactory }>;
  }

  /** Incompressible bytes. */
  function randomBytes(count: number): Uint8Array {
    const bytes = new Uint8Array(count);
    for (let start = 0; start < count; start += 65_536) crypto.getRandomValues(bytes.subarray(start, start + 65_536));
    return bytes;
  }
});
