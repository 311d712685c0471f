import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parts } from './catalog.ts';
import { assertDone, quantile } from './measurement.ts';
import { reportRuns } from './report.ts';
import { actions, commonStart } from './transcript.ts';

const variants = Object.entries(parts).flatMap(([part, { variants: its }]) =>
  Object.entries(its).map(([variant, load]) => [part, variant, load] as const),
);

it.each(variants)('%s: %s does its work, and gives figures', async (_part, _variant, load) => {
  const directory = await mkdtemp(join(tmpdir(), 'bench-runs-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const measure = await load();
  const figures = Object.values(await measure({ calls: 3, runs: 3, directory }));
  expect(figures.length).toBeGreaterThan(2);
  expect(figures.every(Number.isFinite)).toBe(true);
});

it('two fifths of the reads are of a file that has not changed since it was read', () => {
  const seen = new Set<string>();
  let again = 0;
  for (const { tool, path } of actions()) {
    if (tool === 'edit_file') seen.delete(path);
    else if (seen.has(path)) again++;
    else seen.add(path);
  }
  expect([actions().filter(({ tool }) => tool === 'read_file').length, again]).toEqual([20, 8]);
});

it('work that was not done is told', () => {
  expect(() => assertDone('calls', 9, 10)).toThrow('9 calls instead of 10.');
});

it('finds what texts have in common, and quantiles', () => {
  expect([commonStart('abcd', 'abxd'), commonStart('ab', 'abc'), commonStart('', 'a')]).toEqual([2, 2, 0]);
  expect([quantile([3, 1, 2], 0.5), quantile([1, 2], 0.99), quantile([], 0.5)]).toEqual([2, 2, NaN]);
});

it('prints the medians of the rounds, with the target', () => {
  const sample = { part: 'concurrent', variant: 'no thread', foreignCpus: 0.5 };
  const samples = [1, 2, 9].map((wall, round) => ({ ...sample, round, figures: { 'wall ms': wall } }));
  expect(reportRuns(samples)).toBe(
    [
      'Runs of ten calls at once, in one process (target: 1,000 runs, ≤ 32 KB of heap each, no call lost)',
      '',
      '| by        | wall ms | foreign CPUs |',
      '| --------- | ------: | -----------: |',
      '| no thread |    2.00 |        0.500 |',
      '',
    ].join('\n'),
  );
});
