import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFiles } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import { filesystemStorage } from '@utensil/storage-filesystem';
import { memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { versionedStorage } from './versioned.ts';
import type { VersionedStorageOptions } from './versioned.ts';

const start = 1_700_000_000_001;
/** 50 old versions, at most 16 more between two listings, and the current content. */
const most = 50 + 16 + 1;

const count = 150;

const clocks: Readonly<Record<string, (index: number) => number>> = {
  'stands still': () => start,
  'never divides by sixteen': (index) => start + index * 16,
  'goes backwards': (index) => start - index * 1000,
  'jumps to and fro': (index) => start + (index % 7) * 86_400_000 - (index % 5) * 50_000_000,
  'has fractions': (index) => start + index * 7.3,
  'knows no time': () => Number.NaN,
  'is beyond all years': (index) => 8.64e15 + index,
  'is before all years': (index) => -index * 1000,
};

/** Writes to one file through several instances in turn; each is reopened after a number of writes. */
async function writeOften(
  inner: StorageDriver,
  how: { now: (index: number) => number; instances: number; life: number },
) {
  const open = (options: VersionedStorageOptions = {}) =>
    versionedStorage(inner, { retention: { days: 1e9 }, ...options });
  const storages = Array.from({ length: how.instances }, () => open());
  let longest = 0;
  for (let index = 0; index < count; index++) {
    const slot = index % how.instances;
    if (Math.floor(index / how.instances) % how.life === 0) storages[slot] = open();
    const storage = storages[slot] ?? open();
    await createFiles(storage, { now: () => how.now(index) }).write('/a', `text ${index}`);
    if (index % 10 === 0) longest = Math.max(longest, (await storage.history.versions('/a')).length);
  }
  const { history } = open();
  const versions = await history.versions('/a');
  const texts: string[] = [];
  for (const { number } of versions) texts.push(new TextDecoder().decode((await history.read('/a', number)).bytes));
  return { longest: Math.max(longest, versions.length), texts };
}

describe.each(Object.entries(clocks))('a clock that %s', (_, now) => {
  it.each([
    [1, count],
    [1, 1],
    [3, count],
    [4, 7],
  ])(
    'keeps the newest versions up to the limit, in order (%i instances, opened for %i writes)',
    async (instances, life) => {
      const { longest, texts } = await writeOften(memoryStorage(), { now, instances, life });
      expect(longest).toBeLessThanOrEqual(most);
      expect(texts).toEqual(Array.from({ length: texts.length }, (_, index) => `text ${count - texts.length + index}`));
      expect(texts.length).toBeGreaterThan(50);
    },
  );
});

describe('the versions of a file', () => {
  it('stay within the limit in a real directory, with a new instance for each write', async () => {
    const root = await mkdtemp(join(tmpdir(), 'utensil-bound-'));
    const { longest, texts } = await writeOften(filesystemStorage(root), { now: () => start, instances: 2, life: 1 });
    expect(longest).toBeLessThanOrEqual(most);
    expect(texts.at(-2)).toBe(`text ${count - 2}`);
    await rm(root, { recursive: true });
  });

  it('are counted correctly after the file was moved, restored or rolled back', async () => {
    const steps = fc.array(fc.tuple(fc.nat(5), fc.nat(2), fc.integer({ min: 1, max: 30 })), { maxLength: 25 });
    const property = fc.asyncProperty(steps, async (taken) => {
      const inner = memoryStorage();
      const storages = [0, 1, 2].map(() => versionedStorage(inner, { now: () => start, retention: { versions: 10 } }));
      let count = 0;
      for (const [step, which, repeats] of taken) {
        const { history, ...storage } = storages[which] ?? versionedStorage(inner);
        const files = createFiles(storage, { now: () => start });
        for (let index = 0; index < repeats; index++) await files.write('/a', `${count++}`);
        if (step === 1) await files.move('/a', '/b', { overwrite: true });
        if (step === 2) await files.remove('/a');
        const [trashed] = step === 3 ? await history.trash() : [];
        if (trashed !== undefined) await history.restore(trashed.id, { to: `/restored ${count}` });
        if (step === 4) await history.rollBack('/a', 1);
        if (step === 5) await history.compact();
        for (const { path } of (await files.list('/')).entries) {
          expect((await history.versions(path)).length).toBeLessThanOrEqual(10 + 16 + 1);
        }
      }
    });
    await expect(fc.assert(property, { numRuns: 40 })).resolves.toBeUndefined();
  });

  it('are listed once in sixteen changes by one storage, and less often if the list is long', async () => {
    const listsOf = async (versions: number, writes: number): Promise<number> => {
      const inner = memoryStorage();
      let lists = 0;
      const list: StorageDriver['list'] = (query) => {
        if (query.path === '/.v/f/a') lists++;
        return inner.list(query);
      };
      const files = createFiles(versionedStorage({ ...inner, list }, { retention: { versions } }));
      for (let index = 0; index < versions; index++) await files.write('/a', `before ${index}`);
      lists = 0;
      for (let index = 0; index < writes; index++) await files.write('/a', `${index}`);
      return lists;
    };
    expect(await listsOf(50, 340)).toBeLessThanOrEqual(340 / 17 + 1);
    // A list of more than a thousand entries takes two pages.
    expect(await listsOf(800, 1000)).toBeLessThanOrEqual(2 * (1000 / 160 + 1));
  });

  it('are not miscounted if other programs remove and recreate the file', async () => {
    const inner = memoryStorage();
    const { history, ...storage } = versionedStorage(inner, { author: { actor: 'a' } });
    for (let index = 0; index < 100; index++) {
      await createFiles(storage).write('/a', `${index}`);
      await createFiles(inner).remove('/a');
    }
    const stored = await inner.list({ tree: 'records', path: '/.v/f/a', depth: 1, limit: 1000 });
    expect(stored.length).toBeLessThanOrEqual(2 + 16);
    await createFiles(storage).write('/a', 'now');
    expect(await history.versions('/a')).toMatchObject([{ author: { actor: 'a' } }]);
  });
});
