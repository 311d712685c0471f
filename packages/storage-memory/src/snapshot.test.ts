import { createFiles, isUtensilError } from '@utensil/core';
import type { EntryKey, StorageDriver, StorageTree } from '@utensil/core/storage';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryState, memoryStorage } from './memory.ts';
import { memorySnapshot, restoreSnapshot } from './snapshot.ts';

const write = (driver: StorageDriver, path: string, tree: StorageTree = 'files') =>
  driver.commit({
    expect: [],
    changes: [{ type: 'write', tree, path, content: new TextEncoder().encode(path) }],
    time: 1,
  });

/** All of a tree: paths, etags and contents. */
async function contentOf(driver: StorageDriver, tree: StorageTree) {
  const listed = await driver.list({ tree, path: '/', depth: 32, limit: 1000 });
  return Promise.all(listed.map(async (each) => [each, await driver.read(each)] as const));
}

/** Random moves, removals and writes at a few paths. */
const works = fc.array(
  fc.record({
    what: fc.constantFrom('write', 'remove', 'move'),
    from: fc.constantFrom('/a', '/A', '/d/a', '/d', '/d/e/b'),
    to: fc.constantFrom('/b', '/d/c', '/e', '/e/f'),
  }),
  { maxLength: 15 },
);

async function work(driver: StorageDriver, steps: Iterable<{ what: string; from: string; to: string }>) {
  const files = createFiles(driver, { now: () => 1 });
  for (const { what, from, to } of steps) {
    const call =
      what === 'write'
        ? files.write(from, to)
        : what === 'move'
          ? files.move(from, to)
          : files.remove(from, { recursive: true });
    await call.catch((error: unknown) => {
      if (!isUtensilError(error)) throw error;
    });
  }
  await write(driver, '/record', 'records');
}

describe('a snapshot', () => {
  it('restores all entries with the same etags, any number of times', async () => {
    const property = fc.asyncProperty(works, works, works, async (before, between, after) => {
      const state = memoryState();
      const driver = memoryStorage({ state });
      await work(driver, before);
      const snapshot = memorySnapshot(state);
      const expected = [await contentOf(driver, 'files'), await contentOf(driver, 'records')];
      for (const steps of [between, after]) {
        await work(driver, steps);
        restoreSnapshot(state, snapshot);
        expect([await contentOf(driver, 'files'), await contentOf(driver, 'records')]).toEqual(expected);
      }
      for (const [, found] of expected.flat()) {
        if (found === undefined) continue;
        const twin = found.entry.path.replace(/[a-z]$/i, (last) =>
          last === last.toUpperCase() ? last.toLowerCase() : last.toUpperCase(),
        );
        const expectation = { tree: found.entry.tree, path: twin, etag: null };
        const { ok } = await driver.commit({ expect: [expectation], changes: [], time: 1 });
        expect(ok, `${twin} beside ${found.entry.path}`).toBe(false);
      }
    });
    await expect(fc.assert(property, { numRuns: 100 })).resolves.toBeUndefined();
  });

  it('empties open storages whose namespace is not in the snapshot', async () => {
    const state = memoryState();
    const [one, snapshot] = [memoryStorage({ state, namespace: 'one' }), memorySnapshot(state)];
    const late = memoryStorage({ state, namespace: 'late' });
    await write(one, '/a');
    await write(late, '/a');
    restoreSnapshot(state, snapshot);
    expect([await contentOf(one, 'files'), await contentOf(late, 'files')]).toEqual([[], []]);
    await write(late, '/b');
    expect(await contentOf(memoryStorage({ state, namespace: 'late' }), 'files')).toHaveLength(1);
  });

  it('never reuses the etag of a lost version', async () => {
    const state = memoryState();
    const files = createFiles(memoryStorage({ state }));
    await files.write('/a', 'first');
    const snapshot = memorySnapshot(state);
    const { etag } = await files.write('/a', 'gone');
    restoreSnapshot(state, snapshot);
    await files.write('/a', 'later');
    await expect(files.write('/a', 'x', { ifMatch: etag })).rejects.toMatchObject({ code: 'ECONFLICT' });
  });

  it('notifies watchers that anything may have changed', async () => {
    const state = memoryState();
    const driver = memoryStorage({ state });
    const told: EntryKey[] = [];
    driver.watch((keys) => told.push(...keys));
    restoreSnapshot(state, memorySnapshot(state));
    expect(told).toEqual([
      { tree: 'files', path: '/' },
      { tree: 'records', path: '/' },
    ]);
  });

  it('is refused by another state, which has other etags', () => {
    const snapshot = memorySnapshot(memoryState());
    expect(() => restoreSnapshot(memoryState(), snapshot)).toThrow('taken of another state');
  });
});
