import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storageSuite } from '@utensil/core/testing';
import { describe, test } from 'vitest';
import { filesystemStorage } from './filesystem.ts';

describe('filesystemStorage', () => {
  storageSuite({ test }, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'utensil-'));
    return {
      open: async (namespace) => filesystemStorage(join(directory, namespace)),
      destroy: () => rm(directory, { recursive: true }),
    };
  });
});
