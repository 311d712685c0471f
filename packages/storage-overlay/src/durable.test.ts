import type { StorageChange, StorageCommit, StorageDriver, StorageTree } from '@utensil/core/storage';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { overlayStorage } from './overlay.ts';

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

it('passes a durable commit on to the upper storage', async () => {
  const { driver, commits } = recorded(memoryStorage());
  const overlay = overlayStorage(memoryStorage(), driver);
  for (const durable of [true, false]) {
    for (const key of [write('/a'), write('/r', 'records')]) {
      expect(await overlay.commit({ expect: [], changes: [key], time: 1, ...(durable && { durable }) })).toMatchObject({
        ok: true,
      });
    }
  }
  expect(commits.map(({ durable }) => durable)).toEqual([true, true, undefined, undefined]);
});
