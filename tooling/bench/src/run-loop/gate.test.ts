import { expect, it } from 'vitest';
import { compare, type Committed, gateFailure, gateTable } from './gate.ts';
import type { Sample } from './job.ts';

const committed: Committed = { scripted: { 100: { step: 2, allocated: 3 } } };

/** Rounds in which our loop takes so many times what the loop by hand takes. */
function rounds(ours: readonly number[], change: Partial<Sample> = {}): readonly Sample[] {
  return ours.flatMap((times, round) => [sample('utensil', round, times, change), sample('hand', round, 1, change)]);
}

function sample(variant: string, round: number, times: number, change: Partial<Sample>): Sample {
  const common = { mode: 'scripted', work: { calls: 200, tools: 100 }, round, variant, foreignCpus: 0 } as const;
  const figures = { wallMs: 1, cpuMs: 1, earlyMs: 1, lateMs: 1, processCpuMs: 1, stepMs: 0.03 * times };
  const allocated = change.allocatedKb === undefined ? {} : { allocatedKb: change.allocatedKb * times };
  return { ...common, ...figures, ...change, ...allocated };
}

const heap = { allocatedKb: 10 };
const fail = (samples: readonly Sample[]) => gateFailure(compare(samples, committed), samples);

it('is open while the medians of the rounds are within what is committed', () => {
  const samples = [...rounds([1.9, 2.1, 9]), ...rounds([3, 3.1], heap)];
  expect(fail(samples)).toBeUndefined();
  expect(gateTable(compare(samples, committed))).toContain(
    '| scripted |   100 | step      |   2.10 |      2.00 | ok      |',
  );
});

it.each([
  ['a step', [...rounds([2.4, 2.4, 1]), ...rounds([3], heap)], 'scripted, 100 tools, step: 2.40 × the hand-written'],
  ['allocated bytes', [...rounds([2]), ...rounds([3.3], heap)], 'scripted, 100 tools, allocated: 3.30 ×'],
])('is closed if the ratio of %s grew, and says which and what to write', (_, samples, told) => {
  expect(fail(samples)).toContain(told);
  expect(fail(samples)).toContain('scripted: { 100: { step: ');
});

it.each([
  ['the heap was not counted', rounds([2])],
  [
    'the loop by hand was not measured',
    [...rounds([2]), ...rounds([3], heap)].filter((each) => each.variant !== 'hand'),
  ],
  ['nothing is committed for so many tools', rounds([2], { work: { calls: 200, tools: 7 } })],
])('is closed if %s', (_, samples) => expect(fail(samples)).toContain('was not measured'));

it('says that a busy machine is no place to judge', () => {
  const samples = [...rounds([4], { foreignCpus: 1.2 }), ...rounds([3], heap)];
  expect(fail(samples)).toContain('repeat it on an idle machine');
});
