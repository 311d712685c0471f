import { createFiles, foldCase } from '@utensil/core';
import type { Change, CommitResult, EntryKey, Expectation, StorageDriver, Tree } from '@utensil/core';
import { checkFiles, storageSuite } from '@utensil/core/testing';
import { memoryState, memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { encryptedStorage } from './encrypted.ts';

const key = new Uint8Array(32).fill(7);

describe.each(['encrypted', 'plain'] as const)('encryptedStorage with %s names', { timeout: 30_000 }, (names) => {
  storageSuite({ test }, () => {
    const state = memoryState();
    const open = async (namespace: string) => encryptedStorage(memoryStorage({ state, namespace }), key, { names });
    return { open, destroy: async () => {} };
  });

  it('does with random work what a plain map would', async () => {
    const seeds = fc.asyncProperty(fc.nat(), (seed) =>
      checkFiles(createFiles(encryptedStorage(memoryStorage(), key, { names })), { seed, steps: 30 }),
    );
    await expect(fc.assert(seeds, { numRuns: 20 })).resolves.toBeUndefined();
  });
});

const treeOf = fc.constantFrom<Tree>('files', 'records');
const name = fc.oneof(
  fc.constantFrom('a', 'A', 'b', 'B'),
  fc.constantFrom('x', 'X').map((each) => each.repeat(200)),
);
const keyOf: fc.Arbitrary<EntryKey> = fc
  .record({ tree: treeOf, names: fc.array(name, { minLength: 1, maxLength: 3 }) })
  .map(({ tree, names }) => ({ tree, path: `/${names.join('/')}` }));
const changeOf: fc.Arbitrary<Change> = fc.oneof(
  keyOf.map((key): Change => ({ ...key, type: 'write', content: new Uint8Array(3) })),
  keyOf.map((key): Change => ({ ...key, type: 'make-directory' })),
  fc.tuple(keyOf, fc.boolean()).map(([key, recursive]): Change => ({ ...key, type: 'remove', recursive })),
  fc.tuple(keyOf, keyOf).map(([key, to]): Change => ({ ...key, type: 'move', to })),
);
const commitOf = fc.record({ absent: fc.option(keyOf), changes: fc.array(changeOf, { minLength: 1, maxLength: 4 }) });

/** What can be compared of two storages whose etags are their own. */
function outcomeOf(result: CommitResult): unknown {
  if (result.ok) return result.entries.map(({ tree, path, kind, size }) => ({ tree, path, kind, size }));
  return { conflict: result.conflict, entry: result.entry && foldCase(result.entry.path) };
}

const listingOf = async (driver: StorageDriver): Promise<unknown> =>
  Promise.all((['files', 'records'] as const).map((tree) => driver.list({ tree, path: '/', depth: 9, limit: 99 })));

describe('commits', { timeout: 30_000 }, () => {
  it('meet the same conflicts as without encryption, among names that differ only in case', async () => {
    const property = fc.asyncProperty(fc.array(commitOf, { minLength: 1, maxLength: 25 }), async (commits) => {
      const [plain, encrypted] = [memoryStorage(), encryptedStorage(memoryStorage(), key)];
      for (const { absent, changes } of commits) {
        const expect: readonly Expectation[] = absent === null ? [] : [{ ...absent, etag: null }];
        const [wanted, got] = [
          await plain.commit({ expect, changes, time: 5 }),
          await encrypted.commit({ expect, changes, time: 5 }),
        ];
        if (JSON.stringify(outcomeOf(got)) !== JSON.stringify(outcomeOf(wanted))) return false;
      }
      return JSON.stringify(await listingOf(plain)) === JSON.stringify(await listingOf(encrypted));
    });
    await expect(fc.assert(property, { numRuns: 150 })).resolves.toBeUndefined();
  });

  it('let one of two be first with names that differ only in case, however they meet', async () => {
    for (let round = 0; round < 20; round++) {
      const state = memoryState();
      const open = () => encryptedStorage(memoryStorage({ state }), key);
      const [one, two] = [open(), open()];
      const results = await Promise.all(
        ['/Note', '/note', '/NOTE', '/nOTE'].map((path, index) =>
          (index % 2 === 0 ? one : two).commit({
            expect: [{ tree: 'files', path, etag: null }],
            changes: [{ type: 'write', tree: 'files', path, content: new Uint8Array(1) }],
            time: 1,
          }),
        ),
      );
      expect(results.filter((result) => result.ok)).toHaveLength(1);
    }
  });

  it('move a directory in one step, with everything in it as it was', async () => {
    const inner = memoryStorage();
    const driver = encryptedStorage(inner, key);
    const files = createFiles(driver);
    const long = `/d/${'é'.repeat(100)}`;
    await files.write(long, 'long');
    await files.write('/d/e/A', 'a');
    const changes: (readonly Change[])[] = [];
    const commit = inner.commit;
    inner.commit = (given) => {
      changes.push(given.changes);
      return commit(given);
    };
    await driver.commit({
      expect: [],
      changes: [{ type: 'move', tree: 'files', path: '/d', to: { tree: 'records', path: '/kept' } }],
      time: 1,
    });
    expect(changes.map((each) => each.map(({ type }) => type))).toEqual([['move', 'remove', 'write']]);
    const listed = await driver.list({ tree: 'records', path: '/kept', depth: 9, limit: 9 });
    expect(listed.map(({ path }) => path)).toEqual(['/kept/e', '/kept/e/A', long.replace('/d', '/kept')]);
  });
});
