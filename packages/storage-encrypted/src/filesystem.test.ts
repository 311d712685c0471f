// On a real disk: what is stored has names that a disk takes, and stays when nothing else does.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFiles } from '@utensil/core';
import { recordSuite, storageSuite } from '@utensil/core/testing';
import type { StorageBackend } from '@utensil/core/testing';
import { filesystemStorage } from '@utensil/storage-filesystem';
import { afterAll, describe, expect, it, test } from 'vitest';
import { encryptedStorage } from './encrypted.ts';

const key = new Uint8Array(32).fill(7);
const root = await mkdtemp(join(tmpdir(), 'utensil-encrypted-'));
afterAll(() => rm(root, { recursive: true }));

describe('encryptedStorage in a directory', { timeout: 30_000 }, () => {
  const make = async (): Promise<StorageBackend> => {
    const place = await mkdtemp(join(root, 'suite-'));
    const open = async (namespace: string) => encryptedStorage(filesystemStorage(join(place, namespace)), key);
    return { open, destroy: async () => {} };
  };
  storageSuite({ test }, make);
  recordSuite({ test }, make);

  it('leaves nothing on the disk that anybody can read', async () => {
    const place = join(root, 'canary');
    const files = createFiles(encryptedStorage(filesystemStorage(place), key));
    await files.write(`/canary/${'canary'.repeat(40)}.md`, 'canary '.repeat(50));
    for (const entry of await readdir(place, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const content = entry.isFile() ? await readFile(path, 'latin1') : '';
      expect(`${path.slice(place.length)} ${content}`).not.toContain('canary');
    }
  });
});
