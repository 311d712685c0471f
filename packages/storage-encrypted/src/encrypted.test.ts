import { createFiles } from '@utensil/core';
import { fileError, foldCase, nameOf, parentOf } from '@utensil/core/files';
import { comparePaths } from '@utensil/core/storage';
import type {
  StorageChange,
  StorageCommit,
  StorageCommitResult,
  EntryKey,
  ListedEntry,
  StorageDriver,
  StorageTree,
} from '@utensil/core/storage';
import { checkFiles, recordSuite, storageSuite, threadSuite } from '@utensil/core/testing';
import type { StorageBackend } from '@utensil/core/testing';
import { memoryState, memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { chunkBytes, headBytes } from './content.ts';
import { encryptedStorage } from './encrypted.ts';

const key = new Uint8Array(32).fill(7);

describe.each(['encrypted', 'plain'] as const)('encryptedStorage with %s names', (names) => {
  const make = (): StorageBackend => {
    const state = memoryState();
    const open = async (namespace: string) => encryptedStorage(memoryStorage({ state, namespace }), key, { names });
    return { open, destroy: async () => {} };
  };
  storageSuite({ test }, make);
  recordSuite({ test }, make);
  threadSuite({ test }, make);

  it('does with random work what a plain map would', async () => {
    const seeds = fc.asyncProperty(fc.nat(), (seed) =>
      checkFiles(createFiles(encryptedStorage(memoryStorage(), key, { names })), { seed, steps: 30 }),
    );
    await expect(fc.assert(seeds, { numRuns: 20 })).resolves.toBeUndefined();
  });
});

const treeOf = fc.constantFrom<StorageTree>('files', 'files', 'records');
const name = fc.constantFrom('a', 'A', 'a', 'A', 'b', 'x'.repeat(200), 'X'.repeat(200));
const keyOf: fc.Arbitrary<EntryKey> = fc
  .record({ tree: treeOf, names: fc.oneof(fc.tuple(name), fc.tuple(name), fc.tuple(name, name)) })
  .map(({ tree, names }) => ({ tree, path: `/${names.join('/')}` }));
const changeOf: fc.Arbitrary<StorageChange> = fc.oneof(
  keyOf.map((key): StorageChange => ({ ...key, type: 'write', content: new Uint8Array(3) })),
  keyOf.map((key): StorageChange => ({ ...key, type: 'make-directory' })),
  fc.tuple(keyOf, fc.boolean()).map(([key, recursive]): StorageChange => ({ ...key, type: 'remove', recursive })),
  fc.tuple(keyOf, keyOf).map(([key, to]): StorageChange => ({ ...key, type: 'move', to })),
);
const changesOf = fc.oneof(fc.tuple(changeOf), fc.tuple(changeOf, changeOf), fc.array(changeOf, { maxLength: 4 }));
const commitOf = fc.record({ absent: fc.option(keyOf, { freq: 3 }), changes: changesOf });

/** Comparable part of a result, without etags. */
function outcomeOf(result: StorageCommitResult): unknown {
  if (result.ok) return result.entries.map(({ tree, path, kind, size }) => ({ tree, path, kind, size }));
  return { conflict: result.conflict, entry: result.entry && foldCase(result.entry.path) };
}

const allOf = async (driver: StorageDriver): Promise<readonly ListedEntry[]> => {
  const query = { path: '/', depth: 9, limit: 999 };
  return (await Promise.all((['files', 'records'] as const).map((tree) => driver.list({ tree, ...query })))).flat();
};

/** Expected spelling count of each marker, from the visible entries. */
function spellingsOf(entries: readonly ListedEntry[]): readonly number[] {
  const names = entries.map(({ tree, path }) => `${tree}:${parentOf(path)}/${foldCase(nameOf(path))}`);
  return [...new Set(names)].map((each) => names.filter((name) => name === each).length).sort((a, b) => a - b);
}

/** Actual spelling count of each marker in the underlying storage. */
function markedOf(stored: readonly ListedEntry[]): readonly number[] {
  return stored
    .filter(({ path }) => nameOf(path).startsWith('f'))
    .map(({ size }) => size)
    .sort((a, b) => a - b);
}

describe('commits', () => {
  it('meet the same conflicts as without encryption, among names that differ only in case', async () => {
    const property = fc.asyncProperty(fc.array(commitOf, { minLength: 5, maxLength: 40 }), async (commits) => {
      const [plain, inner] = [memoryStorage(), memoryStorage()];
      const encrypted = encryptedStorage(inner, key);
      for (const { absent, changes } of commits) {
        const commit = { expect: absent === null ? [] : [{ ...absent, etag: null }], changes, time: 5 };
        expect(outcomeOf(await encrypted.commit(commit))).toEqual(outcomeOf(await plain.commit(commit)));
        const entries = await allOf(plain);
        expect(await allOf(encrypted)).toEqual(entries);
        expect(markedOf(await allOf(inner))).toEqual(spellingsOf(entries));
      }
    });
    await expect(fc.assert(property, { numRuns: 60 })).resolves.toBeUndefined();
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

  it('move a directory in one step, with everything in it unchanged', async () => {
    const inner = memoryStorage();
    const driver = encryptedStorage(inner, key);
    const files = createFiles(driver);
    const long = `/d/${'é'.repeat(100)}`;
    await files.write(long, 'long');
    await files.write('/d/e/A', 'a');
    const changes: (readonly StorageChange[])[] = [];
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

describe('the storage below', () => {
  const at = { tree: 'files', path: '/a' } as const;
  const write = (content: Uint8Array): StorageCommit => ({
    expect: [],
    changes: [{ ...at, type: 'write', content }],
    time: 1,
  });

  it('may change between the two readings of a range', async () => {
    const inner = memoryStorage();
    const driver = encryptedStorage(inner, key);
    await driver.commit(write(new Uint8Array(2 * chunkBytes).fill(1)));
    const changing: StorageDriver = {
      ...inner,
      async read(stored, range) {
        const found = await inner.read(stored, range);
        if (range?.end === headBytes) await driver.commit(write(new Uint8Array(2 * chunkBytes + 1).fill(2)));
        return found;
      },
    };
    const found = await encryptedStorage(changing, key).read(at, { start: chunkBytes + 5, end: chunkBytes + 8 });
    expect([found?.entry.size, [...(found?.content ?? [])]]).toEqual([2 * chunkBytes + 1, [2, 2, 2]]);
  });

  it('may change between a plan and its commit', async () => {
    const inner = memoryStorage();
    const driver = encryptedStorage(inner, key);
    await driver.commit(write(new Uint8Array(1)));
    let isRenamed = false;
    const changing: StorageDriver = {
      ...inner,
      async commit(commit) {
        const change: StorageChange = { ...at, type: 'move', to: { tree: 'files', path: '/A' } };
        if (!isRenamed) await driver.commit({ expect: [], changes: [change], time: 1 });
        isRenamed = true;
        return inner.commit(commit);
      },
    };
    await encryptedStorage(changing, key).commit(write(new Uint8Array(2)));
    expect((await allOf(driver)).map(({ path, size }) => `${path} ${size}`)).toEqual(['/A 1', '/a 2']);
    expect(markedOf(await allOf(inner))).toEqual([2]);
  });

  it('is abandoned if others are always faster', async () => {
    const inner = memoryStorage();
    const driver = encryptedStorage(inner, key);
    const changing: StorageDriver = {
      ...inner,
      async commit(commit) {
        await driver.commit(write(new Uint8Array(1)));
        return inner.commit(commit);
      },
    };
    const losing = encryptedStorage(changing, key);
    await expect(losing.commit(write(new Uint8Array(2)))).rejects.toMatchObject({ code: 'EBUSY', retryable: true });
  });

  it('fails under the names that people know', async () => {
    const inner = memoryStorage();
    const driver = encryptedStorage(inner, key);
    await driver.commit(write(new Uint8Array(1)));
    const fail = async (stored: EntryKey | undefined): Promise<never> => {
      throw fileError('ENOSPC', stored?.path ?? '/', { hint: "There is no room for '/it'.", retryable: true });
    };
    const failing = (index: number): StorageDriver =>
      encryptedStorage({ ...inner, commit: ({ changes }) => fail(changes[index]), list: fail }, key);
    const expected = (path: string) => {
      const message = `ENOSPC: no space left on device, '${path}'. There is no room for '/it'.`;
      return { code: 'ENOSPC', message, path, retryable: true };
    };
    const { changes } = write(new Uint8Array(1));
    const more = changes.concat(changes.map((change) => ({ ...change, path: `/${'b'.repeat(200)}` })));
    const commit = { expect: [], changes: more, time: 1 };
    await expect(failing(0).commit(commit)).rejects.toMatchObject(expected('/a'));
    await expect(failing(1).commit(commit)).rejects.toMatchObject(expected(`/${'b'.repeat(200)}`));
    await expect(failing(2).commit(commit)).rejects.toMatchObject(expected('/a')); // it is about a marker
    await expect(failing(0).list({ ...at, depth: 1, limit: 1 })).rejects.toMatchObject(expected('/a'));
  });

  it('gives a large directory in pages, and is closed with this one', async () => {
    const inner = memoryStorage();
    const driver = encryptedStorage(inner, key);
    const paths = Array.from({ length: 1500 }, (_, index) => `/${index}`);
    const changes = paths.map((path): StorageChange => ({
      tree: 'files',
      path,
      type: 'write',
      content: new Uint8Array(),
    }));
    await driver.commit({ expect: [], changes, time: 1 });
    const listed = await driver.list({ tree: 'files', path: '/', depth: 1, limit: 9999 });
    expect(listed.map(({ path }) => path)).toEqual(paths.toSorted(comparePaths));
    await driver.close();
    await expect(inner.stat([at])).rejects.toMatchObject({ code: 'EBADF' });
  });

  it('reports changes in their order', async () => {
    const inner = memoryStorage();
    const driver = encryptedStorage(inner, key);
    const told: string[] = [];
    driver.watch((changed) => told.push(...changed.map(({ path }) => path)));
    const long = `/${'x'.repeat(200)}`;
    const done = new Promise<void>((resolve) => {
      driver.watch((changed) => changed.some(({ path }) => path === '/last') && resolve());
    });
    for (const path of [long, '/a', '/last']) {
      const content = new Uint8Array(1);
      await driver.commit({ expect: [], changes: [{ tree: 'files', path, type: 'write', content }], time: 1 });
    }
    await done;
    expect(told).toEqual([long, '/a', '/last']);
  });
});
