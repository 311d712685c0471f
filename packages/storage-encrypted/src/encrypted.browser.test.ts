// In a real browser, over its own database, and with a key of its own that no script can read.

import { createFiles } from '@utensil/core';
import { recordSuite, storageSuite } from '@utensil/core/testing';
import type { StorageBackend } from '@utensil/core/testing';
import { indexeddbStorage } from '@utensil/storage-indexeddb';
import { describe, expect, it, test } from 'vitest';
import { sampled } from '../../../tooling/sampled.ts';
import { encryptedStorage } from './encrypted.ts';
import { deriveKey } from './key.ts';

const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const deleting = indexedDB.deleteDatabase(name);
    deleting.addEventListener('success', () => resolve());
    deleting.addEventListener('error', () => reject(new Error('The database could not be deleted.')));
  });
}

describe('encryptedStorage in a browser', () => {
  const make = (): StorageBackend => {
    const database = crypto.randomUUID();
    const open = async (namespace: string) => encryptedStorage(indexeddbStorage({ database, namespace }), key);
    return { open, destroy: () => deleteDatabase(database) };
  };
  // A sample: Node.js runs the whole suites.
  storageSuite({ test: sampled(test) }, make);
  recordSuite({ test: sampled(test) }, make);

  it('keeps 5 MB with a key from a passphrase, and reads a part of it', async () => {
    const database = crypto.randomUUID();
    const content = Uint8Array.from({ length: 5 * 1024 * 1024 + 3 }, (_, index) => (index * 31) % 251);
    const salt = crypto.getRandomValues(new Uint8Array(16));
    const driver = encryptedStorage(indexeddbStorage({ database }), await deriveKey('correct horse', salt));
    await createFiles(driver).write('/large', content);
    await driver.close();
    const again = encryptedStorage(indexeddbStorage({ database }), await deriveKey('correct horse', salt));
    const part = await again.read({ tree: 'files', path: '/large' }, { start: 3_000_000, end: 3_100_000 });
    expect([part?.entry.size, part?.content.every((byte, at) => content[3_000_000 + at] === byte)]).toEqual([
      content.length,
      true,
    ]);
    await again.close();
    await deleteDatabase(database);
  });
});
