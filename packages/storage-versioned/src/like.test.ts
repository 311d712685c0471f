import { createFiles } from '@utensil/core';
import type { StorageChange, StorageDriver } from '@utensil/core/storage';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { versionedStorage } from './versioned.ts';

it('passes on the likeness of a copy, in a batch too', async () => {
  const storage = memoryStorage();
  const made: StorageChange[] = [];
  const recorded: StorageDriver = {
    ...storage,
    commit(commit) {
      made.push(...commit.changes);
      return storage.commit(commit);
    },
  };
  const files = createFiles(versionedStorage(recorded));
  await files.write('/run.sh', 'go');
  await files.copy('/run.sh', '/one.sh');
  await files.batch((staged) => staged.copy('/run.sh', '/two.sh'));
  const like = { tree: 'files', path: '/run.sh' };
  for (const path of ['/one.sh', '/two.sh']) {
    expect(made.find((change) => change.type === 'write' && change.path === path)).toMatchObject({ like });
  }
});
