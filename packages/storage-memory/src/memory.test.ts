import { createFiles } from '@utensil/core';
import { checkFiles, recordSuite, storageSuite, threadSuite } from '@utensil/core/testing';
import type { StorageBackend } from '@utensil/core/testing';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { memoryState, memoryStorage } from './memory.ts';

describe('memoryStorage', () => {
  const make = (): StorageBackend => {
    const state = memoryState();
    return { open: async (namespace) => memoryStorage({ state, namespace }), destroy: async () => {} };
  };
  storageSuite({ test }, make);
  recordSuite({ test }, make);
  threadSuite({ test }, make);

  it('behaves like a plain map under random operations', async () => {
    const seeds = fc.asyncProperty(fc.nat(), (seed) => checkFiles(createFiles(memoryStorage()), { seed }));
    await expect(fc.assert(seeds, { numRuns: 100 })).resolves.toBeUndefined();
  });

  it('copies written content, even of a class whose slices are views', async () => {
    const driver = memoryStorage();
    const content = Buffer.from('given');
    await driver.commit({ expect: [], changes: [{ type: 'write', tree: 'files', path: '/a', content }], time: 0 });
    content.fill(0);
    const found = await driver.read({ tree: 'files', path: '/a' });
    expect(new TextDecoder().decode(found?.content)).toBe('given');
  });
});
