import { createFiles } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { afterAll, describe, expect, it } from 'vitest';
import { quickjsSandbox } from './index.ts';
import { attackSandbox } from './testing/attack-sandbox.ts';
import { allAttacks } from './testing/attacks.ts';

describe('in a browser', () => {
  const wasm = new URL('../node_modules/quickjs-wasi/quickjs.wasm', import.meta.url);
  const sandbox = quickjsSandbox({ wasm, maxWorkers: 1, graceMs: 100 });
  afterAll(() => sandbox.close());

  it.each(allAttacks)('survives $kind: $name', { timeout: 60_000 }, async (attack) => {
    expect(await attackSandbox(sandbox, createFiles(memoryStorage()), attack)).toBeUndefined();
  });
});
