import { expect, it } from 'vitest';
import { runsPlan } from './plan.ts';

it('measures everything five times if nothing is said', () => {
  const parts = ['tool-start', 'concurrent', 'reads', 'growth', 'journal', 'transcript'];
  expect(runsPlan({})).toEqual({ rounds: 5, parts, amounts: { calls: 200, runs: 1000 }, patienceMs: 10_000 });
  expect(runsPlan({ quick: true })).toMatchObject({ rounds: 1, patienceMs: 0 });
});

it.each([
  [{ part: 'journal,cost' }, '--part takes tool-start, concurrent, reads, growth, journal, transcript; got "cost".'],
  [{ rounds: '0' }, '--rounds takes whole numbers from 1; got "0".'],
])('says which option is wrong: %o', (wrong, message) => {
  expect(() => runsPlan(wrong)).toThrow(message);
});
