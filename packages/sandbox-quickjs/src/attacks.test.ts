import { createFiles } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { afterAll, describe, expect, inject, it } from 'vitest';
import type { Attack, Guards } from '../../../tooling/fixtures/attacks/attack.ts';
import { attackClasses, attacksOf, callClasses, sampleOf } from '../../../tooling/fixtures/attacks/attacks.ts';
import { attackSandbox, memoryBytes } from '../../../tooling/fixtures/attacks/in-sandbox.ts';
import { quickjsSandbox } from './node.ts';
import type { Sandbox, ScriptResult } from './node.ts';

const worker = new URL(inject('sandboxWorker'));

const engines = ['quickjs-wasi', 'quickjs-emscripten'] as const;
const known = attacksOf(attackClasses);
/** Each attack on one of the engines, and the first of each class on both. `npm run test:long` runs all on both. */
const attacksOn = {
  'quickjs-wasi': inject('isLong') ? known : sampleOf(known, (index) => index % 2 === 0),
  'quickjs-emscripten': inject('isLong') ? known : sampleOf(known, (index) => index % 2 === 1),
};
const filesOf = () => createFiles(memoryStorage());
const classes = Object.entries({ ...attackClasses, ...callClasses });

describe('the attacks', () => {
  it('are of at least twelve classes, and a hundred', () => {
    expect(Object.keys(attackClasses).length).toBeGreaterThanOrEqual(12);
    expect(known.length).toBeGreaterThanOrEqual(100);
  });

  it.each(classes)('on %s cite an advisory, or what was measured', (_, { source }) => {
    expect(source).toMatch(/^(?:(?:CVE-\d{4}-\d{4,}|GHSA(?:-[\w]{4}){3})\b|probe: ).{20,}/);
  });

  it.each(classes)('on %s are stopped by guards, or it is said why there is nothing to lift', (_, { stoppedBy }) => {
    expect(typeof stoppedBy === 'string' ? stoppedBy.split(' ').length > 8 : stoppedBy.length > 0).toBe(true);
  });
});

/** Less than the time of a test, and far more than an attack needs for its memory, however busy the machine is. */
const enoughMs = 250_000;

/** Bytes of its WebAssembly that a script of the sandbox has taken at most. */
function measured(sandbox: Sandbox) {
  const watched = {
    taken: 0,
    async run(script: Parameters<Sandbox['run']>[0]) {
      const result = await sandbox.run(script);
      watched.taken = Math.max(watched.taken, result.stats.memoryBytes);
      return result;
    },
  };
  return watched;
}

describe.each(engines)('%s', (engine) => {
  const sandbox = quickjsSandbox({ engine, worker, maxWorkers: 1, graceMs: 40, limits: { memoryBytes } });
  afterAll(() => sandbox.close());

  it.each(attacksOn[engine])('survives $kind: $name', async (attack) => {
    expect(await attackSandbox(sandbox, attack, { files: filesOf() })).toBeUndefined();
  });

  it.each(['push', 'objects', 'a Map', 'closures', 'many small buffers', 'symbols'])(
    'takes no more memory than its limit and 8 MB: %s',
    async (name) => {
      const attack = known.find((each) => each.name === name);
      const watched = measured(sandbox);
      const guards = { memoryBytes, workMs: enoughMs, wallMs: enoughMs }; // only memory ends it
      const options = { files: filesOf(), guards, waits: enoughMs };
      expect(attack && (await attackSandbox(watched, attack, options))).toBeUndefined();
      expect(watched.taken).toBeGreaterThan(memoryBytes / 2); // it has tried
      expect(watched.taken).toBeLessThanOrEqual(memoryBytes + 8 * 1024 * 1024);
    },
  );
});

const guarded = Object.entries(attackClasses).flatMap(([kind, { stoppedBy }]) =>
  typeof stoppedBy === 'string' ? [] : stoppedBy.map((each) => ({ kind, name: each.attack.name, ...each })),
);

/** Every guard of the engine that is the default; of the other one of each class, and all of them in `pnpm test:long`. */
const guardedOn = { 'quickjs-wasi': guarded, 'quickjs-emscripten': inject('isLong') ? guarded : sampleOf(guarded) };

/** So wide that nothing ends an attack but the guard in question. */
const wide = { workMs: 60_000, wallMs: 120_000, memoryBytes: 64 * 1024 * 1024 };

describe.each(engines)('a guard of %s', (engine) => {
  const all: Sandbox[] = [];
  afterAll(() => all.forEach((each) => each.close()));
  const make = (graceMs: number, most: number) => {
    const sandbox = quickjsSandbox({ engine, worker, maxWorkers: 1, graceMs, limits: { memoryBytes: most } });
    all.push(sandbox);
    return sandbox;
  };
  const common = make(5_000, wide.memoryBytes);

  async function problem(attack: Attack, own: Partial<Guards>, waits: number): Promise<string | undefined> {
    const guards = { ...wide, ...own };
    const isOwn = own.graceMs !== undefined || own.memoryBytes !== undefined;
    const sandbox = isOwn ? make(own.graceMs ?? 5_000, guards.memoryBytes) : common;
    return attackSandbox(sandbox, attack, { files: filesOf(), guards, waits });
  }

  it.each(guardedOn[engine])('stops $kind: $name, which succeeds without', async ({ attack, under, lifted }) => {
    expect(await problem(attack, under, 30_000)).toBeUndefined();
    const waits = lifted.graceMs === undefined ? 30_000 : 1_500;
    expect(await problem(attack, lifted, waits)).toMatch(/^It (?:was not stopped|found|said|did not end|changed)/);
  });
});

describe('a sandbox with a defect', () => {
  const well: ScriptResult = {
    status: 'done',
    text: 'contained',
    console: [],
    consoleDropped: 0,
    stats: { workMs: 0, hostCalls: 0, memoryBytes: 0 },
  };
  const answering = (answer: Partial<ScriptResult>, next = '42'): Pick<Sandbox, 'run'> => ({
    run: async ({ code }) => ({ ...well, ...(code === 'return 6 * 7' ? { text: next } : answer) }),
  });

  it.each([
    ['stopped', answering({}), /^It was not stopped/],
    ['stopped', answering({ status: 'aborted' }), /^It did not end by itself/],
    [{ gives: 'contained' }, answering({ text: 'object' }), /^It found something/],
    ['ended', answering({ text: 'at run (node:internal)' }), /^It learnt of the host/],
    ['ended', answering({ console: [{ level: 'LOG', text: '/home/me/a.js' }] }), /^It learnt of the host/],
    ['ended', answering({ text: 'x'.repeat(400_000) }), /^It said 400000 characters/],
    ['ended', answering({ stats: { ...well.stats, memoryBytes: 2 ** 26 } }), /^It took 67108864 bytes/],
    ['ended', answering({}, 'undefined'), /^The next script is not well/],
  ] as const)('is found out, where the attack is to be %j', async (outcome, sandbox, problem) => {
    const attack = { name: 'any', code: '', outcome };
    expect(await attackSandbox(sandbox, attack, { files: filesOf() })).toMatch(problem);
  });
});
