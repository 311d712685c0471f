import { createFiles } from '@utensil/core';
import type { Files, Sandbox } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { quickjsSandbox } from '@utensil/sandbox-quickjs/node';
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

const worker = new URL(inject('sandboxWorker'));

const known = attacksOf(attackClasses);
const own = attacksOf(callClasses);

const engines = ['quickjs-wasi', 'quickjs-emscripten'] as const;
/** Every attack on the engine that is the default; on the other those that are made of calls. */
const attacksOn = { 'quickjs-wasi': [...own, ...known.map(throughTools)], 'quickjs-emscripten': own };
/**
 * The sample, of which `pnpm test:long` makes all: each attack by calls on one of the engines, of the others the first of each
 * class, as the sandbox itself is attacked with more of them.
 */
const isPicked = {
  'quickjs-wasi': (index: number) => index < own.length && index % 3 !== 0,
  'quickjs-emscripten': (index: number) => index % 3 === 0,
};
const filesOf = () => createFiles(memoryStorage());

const plays =
  (sandbox: Sandbox, files: Files): Play =>
  ({ code, ...more }) => {
    const model = scriptedModel([{ calls: [{ name: 'javascript', input: { code } }] }, { text: 'Done.' }]);
    return playHostile({ model, sandbox, files, ...more });
  };

it('is how half of the attacks are made', () => {
  const made = Object.values(attacksOn).flat().length;
  expect(made).toBeGreaterThanOrEqual(known.length * engines.length);
  expect(new Set(own.map(({ kind, name }) => `${kind} ${name}`)).size).toBe(own.length);
  expect(own.length).toBeGreaterThanOrEqual(100);
});

describe.each(engines)('code mode in %s', (engine) => {
  const sandbox = quickjsSandbox({ engine, worker, maxWorkers: 1, graceMs: 40, limits: { memoryBytes } });
  afterAll(() => sandbox.close());

  const attacks = inject('isLong') ? attacksOn[engine] : sampleOf(attacksOn[engine], isPicked[engine]);

  it.each(attacks)('survives $kind: $name', async (attack) => {
    const files = filesOf();
    expect(await attackTool(plays(sandbox, files), attack, { files })).toBeUndefined();
  });
});

const guarded = Object.entries(callClasses).flatMap(([kind, { stoppedBy }]) =>
  typeof stoppedBy === 'string' ? [] : stoppedBy.map((each) => ({ kind, name: each.attack.name, ...each })),
);

/** Every guard of the engine that is the default; of the other one of each class, and all of them in `pnpm test:long`. */
const guardedOn = { 'quickjs-wasi': guarded, 'quickjs-emscripten': inject('isLong') ? guarded : sampleOf(guarded) };

/** Limits so wide that only the guard in question can end an attack. */
const wide = { workMs: 60_000, wallMs: 120_000 };

describe.each(engines)('a guard of code mode in %s', (engine) => {
  const sandbox = quickjsSandbox({ engine, worker, maxWorkers: 1, graceMs: 5_000 });
  afterAll(() => sandbox.close());

  it.each(guardedOn[engine])('stops $kind: $name, which succeeds without', async ({ attack, under, lifted }) => {
    const files = filesOf();
    const play = plays(sandbox, files);
    expect(await attackTool(play, attack, { files, guards: { ...wide, ...under } })).toBeUndefined();
    const problem = await attackTool(play, attack, { files, guards: { ...wide, ...lifted }, waits: 1_000 });
    expect(problem).toMatch(/^It (?:was not stopped|found|said|did not end)/);
  });
});
