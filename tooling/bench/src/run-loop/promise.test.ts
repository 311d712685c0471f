import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineTool, jsonSchema } from '@utensil/core';
import type { Tool } from '@utensil/core';
import { toolSuite } from '@utensil/core/testing';
import { expect, it } from 'vitest';
import { runLoopBenchmark } from './benchmark.ts';
import { startServer } from './server.ts';
import { variants } from './variants/index.ts';
import { callAt, finalText, indices } from './work.ts';

const weather = defineTool({
  name: 'weather',
  description: 'The weather of a city.',
  input: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
  effects: 'read',
  execute: ({ city }) => `Sun in ${city}`,
});

/** Names of the suite's tests that a tool fails. */
async function failuresOf(tool: Tool): Promise<{ readonly tests: number; readonly failed: readonly string[] }> {
  const tests: (readonly [string, () => unknown])[] = [];
  toolSuite({ test: (name, run) => void tests.push([name, run]) }, tool, { examples: [{ city: 'Rome' }] });
  const failed: string[] = [];
  for (const [name, run] of tests) {
    try {
      await run();
    } catch {
      failed.push(name);
    }
  }
  return { tests: tests.length, failed };
}

it('[S3-27] a tool of others is tested by the published suite, a run from end to end, and what a step costs is measured', async () => {
  expect(await failuresOf(weather)).toEqual({ tests: 5, failed: [] });
  const broken = { ...weather, execute: () => Promise.reject(new Error('No.')) };
  expect((await failuresOf(broken)).failed).toEqual(['answers each example with JSON and some text for the model']);

  await using server = await startServer();
  const work = { calls: 3, tools: 2 };
  const inputs: unknown[] = [];
  const variant = await variants.http['utensil']?.load();
  const loop = variant?.({ tools: work.tools, onCall: (input) => inputs.push(input), onRequest: () => {} });
  expect(await loop?.run(work, `${server.url}/end-to-end.3.2/v1`)).toBe(finalText(work));
  expect(inputs).toEqual(indices(3).map((step) => JSON.parse(callAt(step, work).text)));

  const given = { quick: true, rounds: '1', mode: 'scripted', only: 'utensil,hand', tools: '1', wait: '0' };
  const { report, samples } = await runLoopBenchmark.prepare(given)(() => {});
  expect(samples).toHaveLength(4); // two loops, timed once and with their allocations counted once
  const rows = report.split('\n').filter((line) => line.startsWith('|'));
  const cells = (row = '') => row.split('|').map((cell) => cell.trim());
  const column = cells(rows[0]).indexOf('CPU ms');
  const ours = cells(rows.find((row) => row.includes('| Utensil ')));
  const byHand = cells(rows.find((row) => row.includes('| hand-written loop ')));
  for (const row of [ours, byHand]) expect(Number(row[column])).toBeGreaterThan(0);
  expect(Number(ours[cells(rows[0]).indexOf('CPU × hand')])).toBeGreaterThan(0);

  const page = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  expect(page).toMatch(/^\| run-loop +\| CPU of a step, scripted model +\| [\d.]+ \/ [\d.]+ \/ [\d.]+ ms +\|/m);
}, 60_000);
