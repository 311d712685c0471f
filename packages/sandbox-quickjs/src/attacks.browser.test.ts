import { createFiles } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { attackClasses, attacksOf, sampleOf } from '../../../tooling/fixtures/attacks/attacks.ts';
import { attackSandbox, memoryBytes } from '../../../tooling/fixtures/attacks/in-sandbox.ts';
import { quickjsSandbox } from './index.ts';

// The other engine is attacked by way of the tool, in tool-javascript: with the same, and more.
describe('quickjs-emscripten in a browser', () => {
  const wasm = new URL(
    '../node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm',
    import.meta.url,
  );
  const engine = 'quickjs-emscripten';
  const sandbox = quickjsSandbox({ engine, wasm, maxWorkers: 1, graceMs: 40, limits: { memoryBytes } });
  afterAll(() => sandbox.close());

  // The first of each class: Node.js runs others, and `pnpm test:long` runs all of them here too.
  const known = attacksOf(attackClasses);
  const attacks = inject('isLong') ? known : sampleOf(known);

  it.each(attacks)('survives $kind: $name', async (attack) => {
    expect(await attackSandbox(sandbox, attack, { files: createFiles(memoryStorage()) })).toBeUndefined();
  });
});
