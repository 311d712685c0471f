import { createFiles } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { afterAll, describe, expect, it } from 'vitest';
import { quickjsSandbox } from './node.ts';
import type { Script, ScriptResult } from './node.ts';
import { attacks } from './testing/attacks.ts';
import type { Outcome } from './testing/attacks.ts';

const engines = ['quickjs-wasi', 'quickjs-emscripten'] as const;
const all = Object.entries(attacks).flatMap(([kind, listed]) => listed.map((attack) => ({ kind, ...attack })));

/** What only the host could have said. */
const ofTheHost = /node:|file:\/\/|\/(?:home|root|usr|work|tmp)\/|node_modules|\.ts:|wasm-function|worker_threads/;

it('is of at least twelve classes, and of a hundred attacks', () => {
  expect(Object.keys(attacks).length).toBeGreaterThanOrEqual(12);
  expect(all.length).toBeGreaterThanOrEqual(100);
});

describe.each(engines)('%s', (engine) => {
  const sandbox = quickjsSandbox({ engine, maxWorkers: 1, graceMs: 100 });
  afterAll(() => sandbox.close());

  it.each(all)('survives $kind: $name', { timeout: 60_000 }, async ({ code, outcome }) => {
    const files = createFiles(memoryStorage());
    await files.write('/memories/a', 'kept');
    const script: Script = { code, files, readOnly: ['/memories'], limits: outcome === 'stopped' ? tight : bounded };

    const { status, text, console } = await sandbox.run(script);

    expect(succeeded(outcome, { status, text })).toBe(false);
    const said = [text, ...console.map((line) => line.text)].join('\n');
    expect(said).not.toMatch(ofTheHost);
    expect(said.length).toBeLessThan(300_000);
    expect((await files.readText('/memories/a')).text).toBe('kept');
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(await sandbox.run({ code: 'return 6 * 7' })).toMatchObject({ status: 'done', text: '42', console: [] });
  });
});

const bounded = { workMs: 1_000, wallMs: 5_000, memoryBytes: 64 * 1024 * 1024 };
const tight = { workMs: 100, wallMs: 2_000, memoryBytes: 32 * 1024 * 1024, hostCalls: 500, hostCharacters: 10_000_000 };

/** Whether an attack did what it must not do: it was not stopped, or it found something. */
function succeeded(outcome: Outcome, { status, text }: Pick<ScriptResult, 'status' | 'text'>): boolean | string {
  if (outcome === 'ended') return false;
  if (outcome === 'stopped') return status === 'done' ? `it gave ${text.slice(0, 100)}` : false;
  return status === 'done' && text === outcome.gives ? false : `${status}: ${text.slice(0, 500)}`;
}
