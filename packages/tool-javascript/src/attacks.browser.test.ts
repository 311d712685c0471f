import { createFiles } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { quickjsSandbox } from '@utensil/sandbox-quickjs';
import { memoryStorage } from '@utensil/storage-memory';
import { afterAll, describe, expect, inject, it } from 'vitest';
import {
  attackClasses,
  attacksOf,
  callClasses,
  sampleOf,
  throughTools,
} from '../../../tooling/fixtures/attacks/attacks.ts';
import { memoryBytes } from '../../../tooling/fixtures/attacks/in-sandbox.ts';
import { attackTool } from '../../../tooling/fixtures/attacks/in-tool.ts';
import type { Play } from '../../../tooling/fixtures/attacks/in-tool.ts';
import { playHostile } from './test-kit/hostile-script.ts';

describe('code mode in a browser', () => {
  const wasm = new URL('/packages/sandbox-quickjs/node_modules/quickjs-wasi/quickjs.wasm', location.href);
  const sandbox = quickjsSandbox({ wasm, maxWorkers: 1, graceMs: 40, limits: { memoryBytes } });
  afterAll(() => sandbox.close());

  // The first of each class: Node.js runs others, and `npm run test:long` runs all of them here too.
  const known = [...attacksOf(callClasses), ...attacksOf(attackClasses).map(throughTools)];
  const attacks = inject('isLong') ? known : sampleOf(known);

  it.each(attacks)('survives $kind: $name', async (attack) => {
    const files = createFiles(memoryStorage());
    const play: Play = ({ code, ...more }) => {
      const model = scriptedModel([{ calls: [{ name: 'javascript', input: { code } }] }, { text: 'Done.' }]);
      return playHostile({ model, sandbox, files, ...more });
    };
    expect(await attackTool(play, attack, { files })).toBeUndefined();
  });
});
