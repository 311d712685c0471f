import { memoryState, memoryStorage } from '@utensil/storage-memory';
import { describe, it } from 'vitest';
import { threadSuite } from './thread-suite.ts';

describe('a thread in records', () => {
  threadSuite({ test: it }, () => {
    const state = memoryState();
    return { open: async (namespace) => memoryStorage({ state, namespace }), destroy: async () => {} };
  });
});
