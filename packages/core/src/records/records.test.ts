import { memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePaths } from '../files/paths.ts';
import { logKey } from '../files/record-key.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { StorageChange, StorageCommit, StorageDriver } from '../files/storage/driver.ts';
import { createRecords } from './records.ts';
import type { RecordStore } from './records.ts';

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(`${JSON.stringify(value)}\n`);

interface Calls {
  reads: number;
  lists: number;
  listed: number;
  commits: number;
}

/** A driver that counts what it is asked for. */
function counted(driver: StorageDriver): { readonly driver: StorageDriver; readonly calls: Calls } {
  const calls = { reads: 0, lists: 0, listed: 0, commits: 0 };
  const counting: StorageDriver = {
    ...driver,
    async list(query) {
      const entries = await driver.list(query);
      calls.lists++;
      calls.listed += entries.length;
      return entries;
    },
    read(key, range) {
      calls.reads++;
      return driver.read(key, range);
    },
    commit(commit) {
      calls.commits++;
      return driver.commit(commit);
    },
  };
  return { driver: counting, calls };
}

/** A driver to which something happens just before its first commits, one after the other. */
function interrupted(driver: StorageDriver, ...interruptions: (() => Promise<unknown>)[]): StorageDriver {
  return {
    ...driver,
    async commit(commit: StorageCommit) {
      await interruptions.shift()?.();
      return driver.commit(commit);
    },
  };
}

async function make(driver: StorageDriver, changes: readonly StorageChange[]): Promise<void> {
  const { ok } = await driver.commit({ expect: [], changes, time: 1 });
  expect(ok).toBe(true);
}

async function valuesOf(records: RecordStore, ...given: Parameters<RecordStore['list']>): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  for await (const record of records.list(...given)) values.push('value' in record ? record.value : record.problem);
  return values;
}

const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

const path = (directory: string, number: number): string => `${directory}/${`${number}`.padStart(12, '0')}`;

/** A log of 100,000 records, and as many threads with a directory each. */
async function full(): Promise<StorageDriver> {
  const driver = memoryStorage();
  const directory = (at: string): StorageChange => ({ type: 'make-directory', tree: 'records', path: at });
  const record = (at: string, value: number): StorageChange => {
    return { type: 'write', tree: 'records', path: `${at}.json`, content: encode(value) };
  };
  const numbers = range(1, 100_000);
  await make(driver, [directory('/log'), ...numbers.map((number) => record(path('/log', number), number))]);
  const threads = numbers.flatMap((number) => {
    const at = path('/threads', number);
    return [directory(at), record(at, number)];
  });
  await make(driver, [directory('/threads'), ...threads]);
  return driver;
}

describe('among 100,000 records', () => {
  const storage = full();

  it('a page of a log costs its own reads and one listing', async () => {
    const { driver, calls } = counted(await storage);
    const records = createRecords(driver);
    for (const after of [0, 49_950, 99_950]) {
      const before = { ...calls };
      expect(await valuesOf(records, ['log'], { after, limit: 50 })).toEqual(range(after + 1, after + 50));
      expect({ ...calls }).toEqual({
        ...before,
        reads: before.reads + 50,
        lists: before.lists + 1,
        listed: before.listed + 50,
      });
    }
  });

  it('a page of threads passes over their directories, and over no more', async () => {
    const { driver, calls } = counted(await storage);
    const page = { after: 49_950, limit: 50 };
    expect(await valuesOf(createRecords(driver), ['threads'], page)).toEqual(range(49_951, 50_000));
    expect(calls).toEqual({ reads: 50, lists: 2, listed: 150, commits: 0 });
  });

  it('the last number is found by listing a few of them', async () => {
    const { driver, calls } = counted(await storage);
    const records = createRecords(driver);
    expect(await records.last(['log'])).toBe(100_000);
    expect([calls.lists <= 24, calls.listed <= 24 * 64, calls.reads]).toEqual([true, true, 0]);
    const before = { ...calls };
    expect(await records.append(['log'], 'new')).toBe(100_001);
    expect(await records.append(['log'], 'another')).toBe(100_002);
    expect([calls.lists - before.lists <= 24, calls.commits]).toEqual([true, 2]);
  });
});

describe('the last number of a log', () => {
  const gaps = fc.uniqueArray(fc.integer({ min: 1, max: 4000 }), { maxLength: 150 });

  it('is the largest number, whatever gaps, records set aside and other ids there are', async () => {
    const property = fc.asyncProperty(gaps, gaps, fc.boolean(), async (present, aside, isMixed) => {
      const driver = memoryStorage();
      const write = (at: string): StorageChange => {
        return { type: 'write', tree: 'records', path: at, content: encode(1) };
      };
      const others = [
        '/log/%41.json',
        '/log/7.json',
        '/log/a.json',
        '/log/000000000001x.json',
        '/log/0000000000015.json',
      ];
      await make(driver, [
        { type: 'make-directory', tree: 'records', path: '/log' },
        { type: 'make-directory', tree: 'records', path: '/log/000000009999' },
        ...present.map((number) => write(`${path('/log', number)}.json`)),
        ...aside.map((number) => write(`${path('/log', number)}.corrupt-5`)),
        ...(isMixed ? others : []).map(write),
      ]);
      const last = Math.max(0, ...present, ...aside);
      const records = createRecords(driver);
      expect(await records.last(['log'])).toBe(last);
      expect(await records.append(['log'], 'next')).toBe(last + 1);
    });
    await expect(fc.assert(property, { numRuns: 200 })).resolves.toBeUndefined();
  });

  it('is looked up from the remembered number on after others have appended', async () => {
    const storage = memoryStorage();
    const { driver, calls } = counted(storage);
    const [records, other] = [createRecords(driver), createRecords(storage)];
    await records.commit(range(1, 1000).map((value) => ({ type: 'append', log: ['log'], value })));
    await other.append(['log'], 'of another');
    const before = { ...calls };
    expect(await records.append(['log'], 'mine')).toBe(1002);
    expect([calls.lists - before.lists, calls.commits - before.commits]).toEqual([1, 2]);
  });

  it('is 0 again once the log was removed', async () => {
    const records = createRecords(memoryStorage());
    await records.append(['threads', 't', 'log'], 1);
    await records.remove(['threads', 't'], { recursive: true });
    expect(await records.append(['threads', 't', 'log'], 1)).toBe(1);
  });
});

const id = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.string({ unit: fc.constantFrom('x', 'X', 'é', '-', '.'), minLength: 60, maxLength: 300 }),
  fc.tuple(fc.integer({ min: 195, max: 205 }), fc.constantFrom('', 'a', '-', '.', '_')).map(([length, end]) => {
    return 'x'.repeat(length) + end;
  }),
);
const prefix = fc.array(fc.constantFrom('p', 'x'.repeat(205), ''), { maxLength: 2 });

describe('a page', () => {
  it('is the slice of a map, sorted by file names, after an id and up to a limit', async () => {
    const given = fc.record({
      prefix,
      ids: fc.uniqueArray(id, { maxLength: 25 }),
      nested: fc.array(fc.tuple(id, id), { maxLength: 5 }),
      afters: fc.array(id, { minLength: 1, maxLength: 4 }),
      limit: fc.integer({ min: 0, max: 12 }),
    });
    const property = fc.asyncProperty(given, async ({ prefix, ids, nested, afters, limit }) => {
      const storage = memoryStorage();
      const records = createRecords(storage);
      const puts = [
        ...ids.map((each) => [...prefix, each]),
        ...nested.map(([above, below]) => [...prefix, above, below, 'x']),
      ];
      for (const key of puts) await records.put(key, key);
      const order = await orderOf([...ids, ...afters]);
      const sorted = [...ids].sort(order);
      const idsAfter = async (options: Parameters<RecordStore['list']>[1]) =>
        (await valuesOf(records, prefix, options)).map((key) => (key as RecordKey).at(-1));
      expect(await idsAfter({})).toEqual(sorted);
      for (const after of [...afters, ...ids.slice(0, 4)]) {
        const rest = sorted.filter((each) => order(each, after) > 0);
        expect(await idsAfter({ after, limit })).toEqual(rest.slice(0, limit));
        expect(await idsAfter({ after })).toEqual(rest);
      }
    });
    await expect(fc.assert(property, { numRuns: 150 })).resolves.toBeUndefined();
  });

  it('is filled up if records are removed while it is read', async () => {
    const storage = memoryStorage();
    await createRecords(storage).commit(range(1, 20).map((value) => ({ type: 'append', log: ['log'], value })));
    const removing: StorageDriver = {
      ...storage,
      read: async (key, bytes) => (/0[135]\.json$/.test(key.path) ? undefined : storage.read(key, bytes)),
    };
    expect(await valuesOf(createRecords(removing), ['log'], { limit: 6 })).toEqual([2, 4, 6, 7, 8, 9]);
  });

  it('is refused after an invalid number', async () => {
    const records = createRecords(memoryStorage());
    for (const after of [-1, 1.5, Number.NaN, 1e12]) {
      await expect(valuesOf(records, ['log'], { after })).rejects.toMatchObject({ code: 'EINVAL' });
      expect(() => logKey(['log'], after)).toThrow(expect.objectContaining({ code: 'EINVAL' }));
    }
  });
});

/** Compares ids by the paths of their files, as the driver lists them. */
async function orderOf(ids: readonly string[]): Promise<(left: string, right: string) => number> {
  const files = new Map<string, string>();
  for (const each of ids) {
    const storage = memoryStorage();
    await createRecords(storage).put([each], 1);
    const entries = await storage.list({ tree: 'records', path: '/', depth: 32, limit: 9 });
    files.set(each, entries.find(({ kind }) => kind === 'file')?.path ?? '');
  }
  return (left, right) => comparePaths(files.get(left) ?? '', files.get(right) ?? '');
}

describe('a commit', () => {
  const append = { type: 'append', log: ['thread', 'log'], value: 'mine' } as const;

  async function begin() {
    const storage = memoryStorage();
    const other = createRecords(storage);
    const owner = await other.put(['owner'], { fence: 1 });
    const { driver, calls } = counted(storage);
    return { driver, calls, other, owner };
  }

  it('is retried if others make its directory, take its number or change a record that it puts unconditionally', async () => {
    const { driver, calls, other, owner } = await begin();
    const interruptions = [
      () => other.append(['thread', 'log'], 'of another'),
      () => other.append(['thread', 'log'], 'of another'),
      () => other.put(['a'], 'of another'),
    ];
    const records = createRecords(interrupted(driver, ...interruptions));
    const result = await records.commit([append, { type: 'put', key: ['a'], value: 1 }], { expect: [owner] });
    const keys = result.ok ? result.records.map(({ key }) => key) : [];
    expect([keys, calls.commits]).toEqual([[logKey(['thread', 'log'], 3), ['a']], 4]);
    expect(await valuesOf(records, ['thread', 'log'])).toEqual(['of another', 'of another', 'mine']);
  });

  it('ends as soon as an expectation fails, even if there is other interference to retry', async () => {
    const { driver, calls, other, owner } = await begin();
    const takeOver = async () => {
      await other.append(['thread', 'log'], 'of another');
      await other.put(['owner'], { fence: 2 });
    };
    const records = createRecords(interrupted(driver, takeOver));
    const result = await records.commit([append], { expect: [owner] });
    expect(result).toMatchObject({ ok: false, conflict: ['owner'], record: { value: { fence: 2 } } });
    expect(calls.commits).toBe(1);
    expect(await valuesOf(records, ['thread', 'log'])).toEqual(['of another']);
  });

  it('checks several expectations atomically, even without a change', async () => {
    const { driver, other, owner } = await begin();
    const head = await other.put(['head'], { last: 1 });
    const records = createRecords(interrupted(driver, () => other.put(['head'], { last: 2 })));
    const result = await records.commit([], { expect: [owner, head] });
    expect(result).toMatchObject({ ok: false, conflict: ['head'], record: { value: { last: 2 } } });
  });

  it('is retried if the record that failed an expectation is gone before it was read', async () => {
    const { driver, other } = await begin();
    await other.put(['lock'], 'of another');
    const releasing: StorageDriver = {
      ...driver,
      async stat(keys) {
        const entries = await driver.stat(keys);
        await other.remove(['lock']);
        return entries;
      },
    };
    const lock = { type: 'put', key: ['lock'], value: 'mine' } as const;
    const result = await createRecords(releasing).commit([lock], { expect: [{ key: ['lock'], etag: null }] });
    expect(result).toMatchObject({ ok: true, records: [{ value: 'mine' }] });
  });

  it('removes records that appear below a record while it is being removed', async () => {
    const { driver, other } = await begin();
    await other.put(['thread'], 1);
    const records = createRecords(interrupted(driver, () => other.append(['thread', 'log'], 'late')));
    await records.remove(['thread'], { recursive: true });
    expect([await records.get(['thread']), await records.last(['thread', 'log'])]).toEqual([undefined, 0]);
  });

  it('that only checks, or writes identical values, changes nothing', async () => {
    const { driver, calls, owner } = await begin();
    const records = createRecords(driver);
    const same = { type: 'put', key: owner.key, value: owner.value } as const;
    expect(await records.commit([same])).toEqual({ ok: true, records: [owner] });
    expect(await records.commit([same], { expect: [owner] })).toEqual({ ok: true, records: [owner] });
    expect(await records.commit([], { expect: [owner] })).toEqual({ ok: true, records: [] });
    expect(await records.commit([])).toEqual({ ok: true, records: [] });
    await records.remove(['missing'], { recursive: true });
    expect(calls.commits).toBe(0);
    expect(await records.commit([same], { durable: true })).toMatchObject({
      ok: true,
      records: [{ value: owner.value }],
    });
    expect(calls.commits).toBe(1);
  });

  it('reads only what it may overwrite', async () => {
    const { driver, calls, owner } = await begin();
    const records = createRecords(driver);
    const put = (number: number) => ({ type: 'put', key: logKey(['log'], number), value: number }) as const;
    const absent = range(1, 3).map((number) => ({ key: logKey(['log'], number), etag: null }));
    await records.commit([...range(1, 3).map(put), append], { expect: [owner, ...absent] });
    expect([calls.reads, calls.commits]).toEqual([0, 1]);
  });

  it('keeps to the values that it was given', async () => {
    const records = createRecords(memoryStorage());
    const value = { text: 'before' };
    const committing = records.commit([{ type: 'put', key: ['a'], value }]);
    value.text = 'after';
    await committing;
    expect((await records.get(['a']))?.value).toEqual({ text: 'before' });
  });
});
