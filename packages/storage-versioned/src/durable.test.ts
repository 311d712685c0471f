import type { StorageChange, StorageCommit, StorageDriver, StorageTree } from '@utensil/core/storage';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { versionedStorage } from './versioned.ts';

const write = (path: string, tree: StorageTree = 'files'): StorageChange => ({
  tree,
  path,
  type: 'write',
  content: new Uint8Array(1),
});

/** Records the commits that a storage receives. */
function recorded(storage: StorageDriver) {
  const commits: StorageCommit[] = [];
  const commit: StorageDriver['commit'] = (given) => {
    commits.push(given);
    return storage.commit(given);
  };
  return { driver: { ...storage, commit }, commits };
}

it('keeps replaced contents durably in a durable commit', async () => {
  const { driver, commits } = recorded(memoryStorage());
  const storage = versionedStorage(driver, { author: { actor: 'a', turn: 't' } });
  const make = (durable: boolean, ...changes: readonly StorageChange[]) =>
    storage.commit({ expect: [], changes, time: 1, ...(durable && { durable }) });
  await make(false, write('/a'));
  await make(true, write('/a'));
  await make(true, { tree: 'files', path: '/a', type: 'remove' });
  await make(true, write('/r', 'records'));
  await make(false, write('/a'));
  expect(commits.map(({ durable }) => durable)).toEqual([undefined, true, true, true, undefined]);
});
