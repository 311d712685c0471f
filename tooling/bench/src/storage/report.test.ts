import { expect, it } from 'vitest';
import { reportStorage } from './report.ts';
import type { StorageSample } from './job.ts';

function sample(variant: string, round: number, figures: Partial<StorageSample>): StorageSample {
  const amounts = { small: 10, many: 1000, largeBytes: 1_000_000 };
  const counts = { operations: 10, ms: 20, quietMs: 10, cpuMs: 10, given: 100, written: 100, foreignCpus: 0 };
  return { backend: 'filesystem', variant, work: 'new', amounts, round, ...counts, ...figures };
}

it('compares within a round, and leaves out what says nothing', () => {
  const report = reportStorage([
    sample('utensil', 0, { ms: 30 }),
    sample('raw', 0, { ms: 20, written: NaN }),
    sample('versions', 0, { ms: 60, written: 150 }),
    sample('utensil', 1, { ms: 300 }),
    sample('raw', 1, { ms: 200, written: NaN }),
  ]);
  const rows = report.split('\n').filter((line) => line.startsWith('| 1 KB'));
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  expect(cells.map(([, , by, ms, perSecond, , , , timeByRaw]) => [by, ms, perSecond, timeByRaw])).toEqual([
    ['Utensil', '16.5', '61', '1.50'],
    ['node:fs by hand', '11.0', '91', '1.00'],
    ['Utensil with versions', '6.00', '167', '3.00'],
  ]);
  expect(cells[2]?.slice(12, 15)).toEqual(['1.50', '1.50', 'bytes ≤ 1.5 × ours']);
  expect(reportStorage([sample('utensil', 0, { given: 0, operations: 1 })])).not.toMatch(/bytes|per second|time × raw/);
});
