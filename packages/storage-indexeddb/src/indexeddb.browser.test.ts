import {
  messagesOf,
  createFiles,
  createRecords,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  openThread,
  resolveToolset,
  run,
} from '@utensil/core';
import { comparePaths } from '@utensil/core/storage';
import type { Files } from '@utensil/core';
import type { StorageChange, StorageCommitResult, StorageEntry, EntryKey, StorageDriver } from '@utensil/core/storage';
import { checkFiles, recordSuite, scriptedModel, storageSuite, threadSuite } from '@utensil/core/testing';
import type { StorageBackend } from '@utensil/core/testing';
import * as fc from 'fast-check';
import { deleteDB, openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, inject, it, test, vi } from 'vitest';
import { pieceBytes } from './content.ts';
import { indexeddbStorage } from './indexeddb.ts';
import type { IndexeddbStorageOptions } from './indexeddb.ts';
import { pathsIn, testDatabase, write } from './test-kit/database.ts';
import type { TestDatabase } from './test-kit/database.ts';

/** Entries of a large directory. */
const many = inject('isLong') ? 10_000 : 1500;

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
  await own.end();
});

const open = (options?: IndexeddbStorageOptions): StorageDriver => own.open(options);
const paths = (from = files, depth = 9): Promise<readonly string[]> => pathsIn(from, depth);

describe('indexeddbStorage', () => {
  const make = (): StorageBackend => {
    const name = crypto.randomUUID();
    return {
      open: async (namespace) => indexeddbStorage({ database: name, namespace }),
      destroy: () => deleteDB(name),
    };
  };
  storageSuite({ test }, make);
  recordSuite({ test }, make);
  threadSuite({ test }, make);

  it('does with random work what a plain map would', async () => {
    let namespaces = 0;
    const seeds = fc.asyncProperty(fc.nat(), (seed) =>
      checkFiles(createFiles(open({ namespace: `${++namespaces}` })), { seed, steps: 20 }),
    );
    await expect(fc.assert(seeds, { numRuns: 25 })).resolves.toBeUndefined();
  });

  it('keeps namespaces apart, whatever their names', async () => {
    const names = ['', 'a', 'a\0files', '\0', '\u0001', '\u0001\u0002', '\u0001\u0001', '\ud800', '__proto__', '/'];
    for (const namespace of names) await createFiles(open({ namespace })).write('/a', namespace.length.toString());
    for (const namespace of names) {
      const some = createFiles(open({ namespace }));
      expect([await paths(some), (await some.readText('/a')).text]).toEqual([['/a'], `${namespace.length}`]);
    }
  });

  it('stores no more of an array than the part that it is given, and shares none with anybody', async () => {
    const driver = open();
    const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    const [whole, shared] = [new Uint8Array(3), new Uint8Array(buffer)];
    for (const given of [whole, shared, new Uint8Array(1000).subarray(10, 13)]) {
      given.fill(1);
      const wanted = given.slice();
      await driver.commit({ expect: [], changes: [write('/a', given)], time: 0 });
      given.fill(2);
      for (let time = 0; time < 2; time++) {
        const found = await driver.read({ tree: 'files', path: '/a' });
        expect(indexedDB.cmp(found?.content, wanted)).toBe(0);
        expect(found?.content.buffer.byteLength).toBe(given.length);
        found?.content.fill(3);
      }
    }
  });

  it("keeps a run's thread for the next time", async () => {
    const driver = open();
    const search = defineTool({
      name: 'search',
      description: 'Searches.',
      input: jsonSchema({ type: 'object' }),
      effects: 'read',
      execute: () => 'found',
    });
    const toolset = resolveToolset(createRegistry([search]), emptySettings, {});
    const model = scriptedModel([{ calls: [{ name: 'search' }] }, { text: 'Found.' }]);
    const thread = openThread(createRecords(driver), 't');
    const { messages, status } = await run({ model, toolset, thread, messages: 'Find it.' }).result;
    await driver.close();
    expect([status, messages.length]).toEqual(['complete', 4]);
    expect(await messagesOf(openThread(createRecords(open()), 't'))).toEqual(messages);
  });

  it('opens nothing again that was asked for something when it was closed', async () => {
    await files.write('/a', 'a');
    const connect = vi.spyOn(IDBFactory.prototype, 'open');
    const driver = open();
    const reading = [driver.read({ tree: 'files', path: '/a' }), driver.stat([{ tree: 'files', path: '/a' }])];
    await driver.close();
    await Promise.all(reading);
    expect(connect).toHaveBeenCalledTimes(1);
  });

  it('waits for the disk if asked to', async () => {
    const begin = vi.spyOn(IDBDatabase.prototype, 'transaction');
    await createFiles(open({ durability: 'strict' })).write('/a', 'a');
    await files.write('/b', 'b');
    const asked = begin.mock.calls.filter(([, mode]) => mode === 'readwrite').map(([, , options]) => options);
    expect(asked).toEqual([{ durability: 'strict' }, { durability: 'relaxed' }]);
  });

  it('waits for the disk with a durable commit, and with what shares its transaction', async () => {
    const begin = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const driver = open();
    const make = (path: string, durable?: boolean) =>
      driver.commit({ expect: [], changes: [write(path)], time: 0, ...(durable !== undefined && { durable }) });
    await make('/a');
    await make('/b', true);
    await Promise.all([make('/c'), make('/d', true), make('/e')]);
    await make('/f', false);
    await open({ durability: 'strict' }).commit({ expect: [], changes: [write('/g')], time: 0, durable: false });
    const asked = begin.mock.calls.flatMap(([, mode, options]) => (mode === 'readwrite' ? [options?.durability] : []));
    expect(asked).toEqual(['relaxed', 'strict', 'strict', 'relaxed', 'strict']);
    expect(await paths()).toEqual(['/a', '/b', '/c', '/d', '/e', '/f', '/g']);
  });
});

describe('large contents and long listings', () => {
  it('keeps 50 MB, and reads a part without the rest', async () => {
    const driver = open();
    const content = new Uint8Array(50 * 1024 * 1024 + 3);
    for (let index = 0; index < content.length; index++) content[index] = (index * 31) % 251;
    await driver.commit({ expect: [], changes: [write('/large', content)], time: 0 });
    const key = { tree: 'files', path: '/large' } as const;
    const all = await driver.read(key);
    expect(indexedDB.cmp(all?.content, content)).toBe(0);
    const [get, getAll] = [vi.spyOn(IDBObjectStore.prototype, 'get'), vi.spyOn(IDBObjectStore.prototype, 'getAll')];
    for (const [start, end] of [
      [0, 3],
      [pieceBytes - 1, pieceBytes + 1],
      [3 * pieceBytes, 4 * pieceBytes],
      [3 * pieceBytes - 2, 5 * pieceBytes + 2],
      [content.length - 2, content.length + 9],
    ] as const) {
      const part = await driver.read(key, { start, end });
      expect(indexedDB.cmp(part?.content, content.slice(start, end))).toBe(0);
    }
    const ranges = getAll.mock.calls.map(([range]) => (range instanceof IDBKeyRange ? [range.lower, range.upper] : []));
    expect(ranges.map((bounds) => bounds.map((bound) => bound[1]))).toEqual([
      [0, 1],
      [2, 5],
    ]);
    expect(get.mock.calls.map(([piece]) => (piece as [string, number])[1])).toEqual([0, 3, 50]);
  });

  it('leaves nothing of a content that was replaced, removed or never committed', async () => {
    const driver = open();
    const large = new Uint8Array(2 * pieceBytes + 1);
    const commit = (...changes: StorageChange[]) => driver.commit({ expect: [], changes, time: 0 });
    await commit(write('/a', large), write('/b', large));
    await commit(write('/a'));
    await commit({ type: 'remove', tree: 'files', path: '/b' });
    await commit(write('/c', large), { type: 'remove', tree: 'files', path: '/missing' });
    const raw = await openDB(database);
    expect([await raw.count('contents'), await raw.count('entries'), await raw.count('spellings')]).toEqual([1, 1, 0]);
    raw.close();
  });

  it('removes thousands of files by the ranges of their keys, and leaves nothing of them', async () => {
    const driver = open();
    const commit = (...changes: readonly StorageChange[]) => driver.commit({ expect: [], changes, time: 0 });
    const below = (path: string): readonly StorageChange[] => [
      { type: 'make-directory', tree: 'files', path },
      ...Array.from({ length: many }, (_, index) => write(`${path}/File ${index}`)),
    ];
    await commit(write('/before'), ...below('/d'), write('/d/File 5'), write('/after'));
    const remove = vi.spyOn(IDBObjectStore.prototype, 'delete');
    expect((await commit({ type: 'remove', tree: 'files', path: '/d', recursive: true })).ok).toBe(true);
    expect(remove.mock.calls.length).toBeLessThan(10);
    expect(await paths()).toEqual(['/after', '/before']);
    const raw = await openDB(database);
    expect([await raw.count('contents'), await raw.count('entries'), await raw.count('spellings')]).toEqual([2, 2, 0]);
    raw.close();
  });

  it('removes many files whose contents lie among others', async () => {
    const driver = open();
    const change = (index: number): StorageChange => write(`/${index % 7 === 0 ? 'd' : 'e'}/${index}`);
    const directories = ['/d', '/e'].map((path): StorageChange => ({ type: 'make-directory', tree: 'files', path }));
    const writes = Array.from({ length: 1000 }, (_, index) => change(index));
    await driver.commit({ expect: [], changes: [...directories, ...writes], time: 0 });
    await files.remove('/d', { recursive: true });
    const raw = await openDB(database);
    expect([await raw.count('contents'), await raw.count('entries')]).toEqual([857, 858]);
    raw.close();
    for (const index of [1, 6, 8, 499, 999]) expect((await files.read(`/e/${index}`)).size).toBe(1);
  });

  it('lists thousands of names in order, page by page and past directories that are too deep', async () => {
    const driver = open();
    const directories = ['/d', '/d/deep', '/e'];
    const names = Array.from({ length: many }, (_, index) => `name ${(index * 7919) % many}`);
    const all = [
      ...directories,
      ...names.flatMap((name) => [`/d/deep/${name}`, `/${name}`]),
      '/d x',
      '/d.txt',
      '/d/x',
      '/d-',
    ].sort(comparePaths);
    const changes = all.map((path): StorageChange =>
      directories.includes(path) ? { type: 'make-directory', tree: 'files', path } : write(path),
    );
    expect((await driver.commit({ expect: [], changes, time: 0 })).ok).toBe(true);
    const list = async (depth: number, limit: number, path = '/'): Promise<readonly string[]> => {
      const found: string[] = [];
      for (;;) {
        const after = found.at(-1);
        const query = { tree: 'files', path, depth, limit } as const;
        const page = await driver.list(after === undefined ? query : { ...query, after });
        found.push(...page.map((entry) => entry.path));
        if (page.length < limit) return found;
      }
    };
    expect(await list(9, 2 * many + 10)).toEqual(all);
    expect(await list(3, 777)).toEqual(all);
    const levels = (path: string): number => path.split('/').length - 1;
    for (const depth of [1, 2]) expect(await list(depth, 999)).toEqual(all.filter((path) => levels(path) <= depth));
    expect(await list(1, many, '/d/deep')).toEqual(all.filter((path) => path.startsWith('/d/deep/')));
    expect(await list(1, 9, '/d')).toEqual(['/d/deep', '/d/x']);
    const read = vi.spyOn(IDBObjectStore.prototype, 'getAllKeys');
    await driver.list({ tree: 'files', path: '/d/deep', depth: 1, limit: 1 });
    await driver.list({ tree: 'files', path: '/d/deep', depth: 1, limit: 9999 });
    expect(read.mock.calls.map(([, count]) => count)).toEqual([1, 1024, 8975]);
  });
});

describe('files that are read at once', () => {
  const read = (driver: StorageDriver, path: string) => driver.read({ tree: 'files', path });

  it('share a transaction, also if each is asked for a while after the one before', async () => {
    const driver = open();
    const names = Array.from({ length: 50 }, (_, index) => `/${index}`);
    const changes = names.map((path, index) => write(path, new Uint8Array(index)));
    await driver.commit({ expect: [], changes, time: 0 });
    const begin = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const reading: ReturnType<StorageDriver['read']>[] = [];
    for (const name of ['/missing', '/', ...names]) {
      reading.push(read(driver, name));
      for (let step = 0; step < 9; step++) await Promise.resolve();
    }
    const found = (await Promise.all(reading)).map((each) => each && [each.entry.path, each.content.length]);
    expect(found).toEqual([undefined, undefined, ...names.map((path, index) => [path, index])]);
    expect(begin).toHaveBeenCalledTimes(1);
  });

  it('are as the last commit left them that was complete when they were asked for', async () => {
    const driver = open();
    const found: Promise<unknown>[] = [];
    for (let size = 0; size < 20; size++) {
      await driver.commit({ expect: [], changes: [write('/a', new Uint8Array(size))], time: 0 });
      const least = size;
      const isNew = async () => ((await read(driver, '/a'))?.content.length ?? -1) >= least;
      found.push(isNew(), isNew());
    }
    expect(await Promise.all(found)).toEqual(found.map(() => true));
  });

  it('fail each for itself', async () => {
    const driver = open();
    await driver.commit({ expect: [], changes: ['/a', '/b', '/c'].map((path) => write(path)), time: 0 });
    const raw = await openDB(database);
    const [, second] = await raw.getAllKeys('contents');
    await raw.delete('contents', second ?? '');
    raw.close();
    const results = await Promise.allSettled(['/a', '/b', '/c'].map((path) => read(driver, path)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

describe('names that differ only in case', () => {
  const expectNone = (driver: StorageDriver, path: string, ...before: StorageChange[]) =>
    driver.commit({ expect: [{ tree: 'files', path, etag: null }], changes: [...before, write(path)], time: 0 });

  it.each([
    ['/README', '/readme'],
    ['/readme', '/README'],
    ['/Readme', '/reADME'],
    ['/ÉTÉ', '/été'],
  ])('%s stays in the way of %s, also after a move', async (there, wanted) => {
    const driver = open();
    await files.write(`/d${there}`, 'a');
    await files.move('/d', '/moved');
    const [entry] = await driver.stat([{ tree: 'files', path: `/moved${there}` }]);
    const conflict = { tree: 'files', path: `/moved${wanted}` };
    expect(await expectNone(driver, conflict.path)).toEqual({ ok: false, conflict, entry });
    expect((await expectNone(driver, `/d${wanted}`)).ok).toBe(false); // there is no /d any more
    await files.remove(`/moved${there}`);
    expect((await expectNone(driver, conflict.path)).ok).toBe(true);
  });

  it('counts what was there before the commit took it away', async () => {
    const driver = open();
    await files.write('/Readme', 'a');
    const result = await expectNone(driver, '/README', { type: 'remove', tree: 'files', path: '/Readme' });
    expect(result).toMatchObject({ ok: false, conflict: { path: '/README' }, entry: { path: '/Readme' } });
  });
});

describe('commits that are asked for at once', () => {
  const commit = (driver: StorageDriver, changes: readonly StorageChange[], etag?: string | null) =>
    driver.commit({
      expect: etag === undefined ? [] : [{ tree: 'files', path: changes[0]?.path ?? '', etag }],
      changes,
      time: 0,
    });
  it('share a transaction, and see each other in their order', async () => {
    const driver = open();
    const begin = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const results = await Promise.all([
      commit(driver, [{ type: 'make-directory', tree: 'files', path: '/d' }]),
      commit(driver, [write('/d/a', new Uint8Array(1))], null),
      commit(driver, [write('/d/a', new Uint8Array(2))]),
      commit(driver, [{ type: 'remove', tree: 'files', path: '/d/a' }]),
      commit(driver, [write('/d/a', new Uint8Array(3))], null),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
    expect(begin).toHaveBeenCalledTimes(1);
    expect((await files.stat('/d/a'))?.size).toBe(3);
    const raw = await openDB(database);
    expect([await raw.count('contents'), await raw.count('entries')]).toEqual([1, 2]);
    raw.close();
  });

  it('share a transaction also if each keeps what was there before', async () => {
    const driver = open();
    const names = Array.from({ length: 50 }, (_, index) => `/${index}`);
    await driver.commit({ expect: [], changes: names.map((path) => write(path)), time: 0 });
    const before = await driver.stat(names.map((path) => ({ tree: 'files', path })));
    const begin = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const results = await Promise.all(
      names.map((path, index) => {
        const to = { tree: 'records', path } as const;
        const changes: StorageChange[] = [{ type: 'move', tree: 'files', path, to }, write(path, new Uint8Array(2))];
        return commit(driver, changes, before[index]?.etag ?? '');
      }),
    );
    expect(begin).toHaveBeenCalledTimes(1);
    const kept = results.map((result) => (result.ok ? result.entries[0] : undefined));
    expect(kept).toEqual(before.map((entry) => entry && { ...entry, tree: 'records' }));
    for (const key of kept) expect((await driver.read(key as StorageEntry))?.content.length).toBe(1);
  });

  it('come to what they would come to one after the other, whatever they are', async () => {
    const name = fc.constantFrom('a', 'A', 'b', 'É', 'é');
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join('/')}`);
    const key = fc.record({ tree: fc.constantFrom('files', 'records'), path }) as fc.Arbitrary<EntryKey>;
    const change: fc.Arbitrary<StorageChange> = fc.oneof(
      key.map((each) => ({ ...each, type: 'write', content: new Uint8Array(1) }) as const),
      key.map((each) => ({ ...each, type: 'make-directory' }) as const),
      fc.tuple(key, fc.boolean()).map(([each, recursive]) => ({ ...each, type: 'remove', recursive }) as const),
      fc.tuple(key, key).map(([each, to]) => ({ ...each, type: 'move', to }) as const),
    );
    const expected = key.map((each) => ({ ...each, etag: null }));
    const some = fc.record({
      expect: fc.array(expected, { maxLength: 1 }),
      changes: fc.array(change, { minLength: 1, maxLength: 3 }),
      time: fc.nat(99),
    });
    /** Everything but the etags, which no two drivers have in common. */
    const withoutEtags = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value).replaceAll(/"etag":"[^"]*"/g, '"etag":""'));
    let count = 0;
    const property = fc.asyncProperty(fc.array(some, { minLength: 2, maxLength: 25 }), async (commits) => {
      const [together, alone] = [open({ namespace: `together ${++count}` }), open({ namespace: `alone ${count}` })];
      const found = await Promise.all(commits.map((each) => together.commit(each)));
      const wanted: StorageCommitResult[] = [];
      for (const each of commits) wanted.push(await alone.commit(each));
      expect(withoutEtags(found)).toEqual(withoutEtags(wanted));
      for (const tree of ['files', 'records'] as const) {
        const query = { tree, path: '/', depth: 9, limit: 999 };
        const listed = await together.list(query);
        expect(listed).toEqual(await alone.list(query));
        for (const entry of listed) expect((await together.read(entry))?.content.length ?? 0).toBe(entry.size);
      }
    });
    await fc.assert(property, { numRuns: 60 });
    const raw = await openDB(database);
    const contents = (await raw.getAllKeys('entries')).filter((each) =>
      String(each).split('\0\0').at(-1)?.includes(' '),
    );
    expect(await raw.count('contents')).toBe(contents.length);
    raw.close();
  });

  it('see what another moved', async () => {
    const driver = open();
    await files.write('/d/a', 'a');
    const missing = { tree: 'files', path: '/e/a', etag: null } as const;
    const results = await Promise.all([
      driver.commit({ expect: [missing], changes: [write('/b')], time: 0 }),
      commit(driver, [{ type: 'move', tree: 'files', path: '/d', to: { tree: 'files', path: '/e' } }]),
      commit(driver, [write('/e/a')], null),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(await paths()).toEqual(['/b', '/e', '/e/a']);
  });

  it('fail each for itself', async () => {
    const driver = open();
    const results = await Promise.all([
      commit(driver, [write('/a')], null),
      commit(driver, [write('/missing/b')]),
      commit(driver, [write('/a')], null),
      commit(driver, [write('/c')], null),
      commit(driver, [{ type: 'move', tree: 'files', path: '/c', to: { tree: 'files', path: '/d' } }]),
      commit(driver, [write('/c')], null),
    ]);
    expect(results.map(({ ok }) => ok)).toEqual([true, false, false, true, true, true]);
    expect(await paths()).toEqual(['/a', '/c', '/d']);
  });
});
