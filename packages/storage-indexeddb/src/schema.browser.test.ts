import { createFiles } from '@utensil/core';
import type { Files } from '@utensil/core';
import type { StorageChange, StorageDriver } from '@utensil/core/storage';
import { deleteDB, openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createConnection } from './connection.ts';
import { indexeddbStorage, storageOn } from './indexeddb.ts';
import type { IndexeddbStorageOptions } from './indexeddb.ts';
import { steps } from './schema.ts';
import type { Step } from './schema.ts';
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
  await own.end();
});

const open = (options?: IndexeddbStorageOptions): StorageDriver => own.open(options);
const kept = (driver: StorageDriver): StorageDriver => own.kept(driver);
const paths = (from = files, depth = 9): Promise<readonly string[]> => pathsIn(from, depth);

describe('versions of the database', () => {
  const next: readonly Step[] = [...steps, (db) => void db.createObjectStore('later' as never)];

  it('lets another tab have a newer one, and says that it cannot go on', async () => {
    await files.write('/a', 'a');
    const newer = createFiles(kept(storageOn(createConnection(database, { steps: next }), '')));
    expect((await newer.readText('/a')).text).toBe('a');
    await newer.write('/b', 'b');
    expect(await failureOf(files.read('/a'))).toMatch(/^EIO: .* newer version of this app: reload/);
    expect(await paths(newer)).toEqual(['/a', '/b']);
  });

  it('finishes the commit that is under way before it lets go', async () => {
    await files.write('/a', 'a');
    const changes = Array.from({ length: 300 }, (_, index) => write(`/${index}`));
    const driver = open();
    await driver.stat([]);
    const committing = driver.commit({ expect: [], changes, time: 0 });
    const newer = createFiles(kept(storageOn(createConnection(database, { steps: next }), '')));
    expect(await paths(newer)).toHaveLength(301);
    expect((await committing).ok).toBe(true);
  });

  it('says which tabs are in the way, and goes on when they are gone', async () => {
    const stubborn = await openDB(database, 1, {
      upgrade(db) {
        for (const step of steps) step(db as never);
      },
    });
    const newer = createFiles(kept(storageOn(createConnection(database, { steps: next }), '')));
    expect(await failureOf(newer.write('/a', 'a'))).toMatch(/^EBUSY: .* Other tabs .* close them/);
    expect(await failureOf(newer.write('/a', 'a'))).toMatch(/^EBUSY/);
    stubborn.close();
    await vi.waitFor(() => newer.write('/a', 'a'), { timeout: 100_000 });
    expect((await newer.readText('/a')).text).toBe('a');
  });

  it('two tabs that open it for the first time at once both can', async () => {
    const both = [createFiles(open()), createFiles(open())];
    await Promise.all(both.map((each, index) => each.write(`/${index}`, 'a')));
    expect(await paths()).toEqual(['/0', '/1']);
  });
});

describe('what version 1 wrote', () => {
  const large = Uint8Array.from({ length: 1_048_578 }, (_, index) => index % 251);
  const text = (content: string): Uint8Array => new TextEncoder().encode(content);

  /** As it was released: what stands here is never changed. `/` is U+0000, and an entry is its key. */
  const rows: Readonly<Record<string, readonly (readonly [IDBValidKey, unknown])[]>> = {
    entries: [
      ['|f|d||loyw3v28', 0],
      ['|f|d|Note.md||loyw3v29 5 s-1', 0],
      ['|f|d|empty||loyw3v2a 0 s-2', 0],
      ['|f|large||loyw3v2b mh36 s-3', 0],
      ['|r|settings.json||loyw3v2c 2 s-4', 0],
      ['a\u0001\u0002b|f|other||loyw3v2d 1 s-5', 0],
    ].map(([key, value]) => [`${key}`.replaceAll('|', '\0'), value]),
    spellings: [['|f|d|note.md||Note.md'.replaceAll('|', '\0'), 0]],
    contents: [
      [['s-1', 0], text('hello')],
      [['s-3', 0], large.slice(0, 1_048_576)],
      [['s-3', 1], large.slice(1_048_576)],
      [['s-4', 0], text('{}')],
      [['s-5', 0], text('x')],
    ],
  };

  beforeEach(async () => {
    const raw = await openDB(database, 1, {
      upgrade(db) {
        for (const [name, pairs] of Object.entries(rows)) {
          const store = db.createObjectStore(name);
          for (const [key, value] of pairs) void store.put(value, key);
        }
      },
    });
    raw.close();
  });

  it('is read', async () => {
    const driver = open();
    const listed = await driver.list({ tree: 'files', path: '/', depth: 9, limit: 9 });
    const entries = await driver.stat(listed);
    expect(entries).toEqual([
      { tree: 'files', path: '/d', kind: 'directory', size: 0, modifiedAt: 1_700_000_000_000, etag: 'directory' },
      { tree: 'files', path: '/d/Note.md', kind: 'file', size: 5, modifiedAt: 1_700_000_000_001, etag: 's-1' },
      { tree: 'files', path: '/d/empty', kind: 'file', size: 0, modifiedAt: 1_700_000_000_002, etag: 's-2' },
      { tree: 'files', path: '/large', kind: 'file', size: 1_048_578, modifiedAt: 1_700_000_000_003, etag: 's-3' },
    ]);
    expect((await files.readText('/d/Note.md')).text).toBe('hello');
    expect((await files.readText('/d/empty')).text).toBe('');
    expect((await driver.read({ tree: 'files', path: '/large' }))?.content).toEqual(large);
    expect((await driver.read({ tree: 'records', path: '/settings.json' }))?.content).toEqual(text('{}'));
    const other = createFiles(kept(indexeddbStorage({ database, namespace: 'a\0b' })));
    expect((await other.readText('/other')).text).toBe('x');
  });

  it('is changed as if it had been written today', async () => {
    await expect(files.write('/d/NOTE.md', 'x')).rejects.toMatchObject({ code: 'EEXIST' });
    await files.move('/d', '/e');
    await files.remove('/large');
    await files.write('/e/Note.md', 'hi');
    await files.remove('/e', { recursive: true });
    const raw = await openDB(database);
    const left = ['s-4', 's-5'];
    expect((await raw.getAllKeys('contents')).map((key) => (key as [string, number])[0])).toEqual(left);
    expect((await raw.getAllKeys('entries')).map((key) => String(key).split(' ').at(-1))).toEqual(left);
    expect(await raw.count('spellings')).toBe(0);
    raw.close();
  });

  it('is what is written today', async () => {
    const [before, after] = [open(), indexeddbStorage({ database: `${database} today` })];
    const copies: StorageChange[] = [];
    for (const tree of ['files', 'records'] as const) {
      for (const { path, kind } of await before.list({ tree, path: '/', depth: 9, limit: 9 })) {
        const found = await before.read({ tree, path });
        copies.push(
          kind === 'directory' || found === undefined
            ? { type: 'make-directory', tree, path }
            : { type: 'write', tree, path, content: found.content },
        );
      }
    }
    await after.commit({ expect: [], changes: copies, time: 1_700_000_000_000 });
    await after.close();
    const raw = await openDB(`${database} today`);
    const shape = (key: unknown): string =>
      String(key)
        .replace(/loyw3v\w+|[\w-]+$/g, '')
        .replace(/^[\w-]+,/, '');
    for (const [name, pairs] of Object.entries(rows)) {
      const expected = pairs.map(([key]) => key).filter((key) => !String(key).match(/^a|^s-5/));
      expect((await raw.getAllKeys(name)).map(shape)).toEqual(expected.map(shape));
    }
    raw.close();
    await deleteDB(`${database} today`);
  });

  it('stays as it is if a newer version has been there', async () => {
    const newer = await openDB(database, 7);
    newer.close();
    expect(await failureOf(files.write('/a', 'a'))).toMatch(/^EIO: .* newer version of this app: reload/);
    const raw = await openDB(database);
    for (const [name, pairs] of Object.entries(rows)) expect(await raw.count(name)).toBe(pairs.length);
    expect(raw.version).toBe(7);
    raw.close();
  });
});
