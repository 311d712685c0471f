import { expect, it } from 'vitest';
import { reportWorkspace } from './report.ts';
import { ripgrepVersion } from './ripgrep.ts';
import type { WorkspaceSample } from './job.ts';
import { workspacePlan } from './plan.ts';

it('fails, and says what to install, if there is no ripgrep', () => {
  expect(() => ripgrepVersion('no-such-ripgrep')).toThrow(/^There is no ripgrep to compare with: .*Install it/);
});

it('measures five times if nothing is said', () => {
  expect(workspacePlan({})).toEqual({ quick: false, rounds: 5, patienceMs: 10_000 });
  expect(workspacePlan({ quick: true })).toEqual({ quick: true, rounds: 1, patienceMs: 0 });
  expect(() => workspacePlan({ quick: true, rounds: '0' })).toThrow('--rounds takes whole numbers from 1');
});

it('compares within a round', () => {
  const sample = (variant: WorkspaceSample['variant'], round: number, ms: number): WorkspaceSample[] =>
    (['cold', 'warm'] as const).map((temperature) => ({
      question: 'glob',
      variant,
      temperature,
      round,
      ms: temperature === 'cold' ? ms * 2 : ms,
      found: 1,
      busyCpus: 1,
      ...(variant !== 'rg' && { firstMs: 3 }),
    }));
  const samples = [sample('rg', 0, 10), sample('rg', 1, 100), sample('reader', 0, 15), sample('reader', 1, 150)];
  const rows = reportWorkspace(samples.flat()).split('\n').slice(2);
  expect(rows.map((row) => row.split('|').map((cell) => cell.trim()))).toEqual([
    ['', 'glob', 'ripgrep', '–', '110', '1.00', '55.0', '1.00', '1.00', ''],
    ['', 'glob', 'Utensil, with the reader of the directory', '3.00', '165', '1.50', '82.5', '1.50', '1.00', ''],
  ]);
});
