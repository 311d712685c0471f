import type { StorageChange, StorageCommit, StorageDriver, StorageTree } from '@utensil/core/storage';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { encryptedStorage } from './encrypted.ts';
import { headerKeys } from './header.ts';

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

it('hands a durable commit on as one, and keeps what all others need to be read as one', async () => {
  const { driver, commits } = recorded(memoryStorage());
  const storage = encryptedStorage(driver, new Uint8Array(32).fill(7));
  await storage.commit({ expect: [], changes: [write('/a')], time: 1 });
  await storage.commit({ expect: [], changes: [write('/a'), write('/r', 'records')], time: 1, durable: true });
  expect(commits.map(({ durable }) => durable)).toEqual([true, undefined, true]);
  expect(commits[0]?.changes).toMatchObject(headerKeys);
});
