import { createFiles } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { afterAll, describe, expect, it } from 'vitest';
import { quickjsSandbox } from './node.ts';
import type { Sandbox, ScriptResult } from './node.ts';
import { attackSandbox } from './testing/attack-sandbox.ts';
import { allAttacks, attacks } from './testing/attacks.ts';

it('is of at least twelve classes, and of a hundred attacks', () => {
  expect(Object.keys(attacks).length).toBeGreaterThanOrEqual(12);
  expect(allAttacks.length).toBeGreaterThanOrEqual(100);
});

describe.each(['quickjs-wasi', 'quickjs-emscripten'] as const)('%s', (engine) => {
  const sandbox = quickjsSandbox({ engine, maxWorkers: 1, graceMs: 100 });
  afterAll(() => sandbox.close());

  it.each(allAttacks)('survives $kind: $name', { timeout: 60_000 }, async (attack) => {
    expect(await attackSandbox(sandbox, createFiles(memoryStorage()), attack)).toBeUndefined();
  });
});

describe('a sandbox with a defect', () => {
  const answering = (answer: Partial<ScriptResult>, next = '42'): Sandbox => ({
    engine: 'quickjs-wasi',
    isolation: 'worker',
    close: () => undefined,
    run: async ({ code }) => ({ ...well, ...(code === 'return 6 * 7' ? { text: next } : answer) }),
  });
  const well: ScriptResult = {
    status: 'done',
    text: 'contained',
    console: [],
    consoleDropped: 0,
    stats: { workMs: 0, hostCalls: 0, memoryBytes: 0 },
  };

  it.each([
    ['stopped', answering({}), /^It was not stopped/],
    [{ gives: 'contained' }, answering({ text: 'object' }), /^It found something/],
    ['ended', answering({ text: 'at run (node:internal)' }), /^It learnt of the host/],
    ['ended', answering({ console: [{ level: 'LOG', text: '/home/me/a.js' }] }), /^It learnt of the host/],
    ['ended', answering({ text: 'x'.repeat(400_000) }), /^It said 400000 characters/],
    ['ended', answering({}, 'undefined'), /^The next script is not well/],
  ] as const)('is found out, where the attack is to be %j', async (outcome, sandbox, problem) => {
    const attack = { name: 'any', code: '', outcome };
    expect(await attackSandbox(sandbox, createFiles(memoryStorage()), attack)).toMatch(problem);
  });
});
