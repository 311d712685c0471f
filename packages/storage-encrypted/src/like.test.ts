import { createFiles } from '@utensil/core';
import type { StorageChange, StorageDriver } from '@utensil/core/storage';
import { memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { encryptedStorage } from './encrypted.ts';

it('tells the storage below nothing of which file a copy is like', async () => {
  const storage = memoryStorage();
  const made: StorageChange[] = [];
  const recorded: StorageDriver = {
    ...storage,
    commit(commit) {
      made.push(...commit.changes);
      return storage.commit(commit);
    },
  };
  const files = createFiles(encryptedStorage(recorded, new Uint8Array(32).fill(7)));
  await files.write('/secret plan.sh', 'go');
  await files.copy('/secret plan.sh', '/copy.sh');
  expect((await files.readText('/copy.sh')).text).toBe('go');
  expect(made.length).toBeGreaterThan(2);
  expect(JSON.stringify(made)).not.toMatch(/like|secret/);
});
