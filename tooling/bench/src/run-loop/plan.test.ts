import { expect, it } from 'vitest';
import type { Given } from '../runner/options.ts';
import { runLoopPlan } from './plan.ts';

it('makes as many calls with each number of tools', () => {
  const { works, modes, rounds, timedRounds } = runLoopPlan({});
  expect(works.map(({ tools, calls }) => [tools, calls])).toEqual([
    [1, 200],
    [100, 200],
    [1000, 200],
  ]);
  expect({ modes, rounds, timedRounds }).toEqual({ modes: ['scripted', 'http'], rounds: 8, timedRounds: 5 });
});

it('reads what is given', () => {
  const plan = runLoopPlan({ rounds: '2', mode: 'http', only: 'utensil,hand', wait: '3' });
  expect(plan).toMatchObject({ timedRounds: 2, modes: ['http'], only: ['utensil', 'hand'], patienceMs: 3000 });
});

it('measures us and the hand-written loop in 15 rounds, once they have settled, if ratios are compared', () => {
  const settled = { only: ['utensil', 'hand'], warmUp: 48_000 };
  expect(runLoopPlan({ gate: 'fail' })).toMatchObject({ gate: 'fail', timedRounds: 15, ...settled });
  expect(runLoopPlan({ gate: 'print', rounds: '2' })).toMatchObject({ gate: 'print', timedRounds: 2, ...settled });
});

it.each<[Given, string]>([
  [{ gate: 'open' }, '--gate takes fail, print; got "open".'],
  [{ mode: 'fast' }, '--mode takes scripted, http; got "fast".'],
  [{ tools: '1,many' }, '--tools takes whole numbers from 1; got "many".'],
  [{ tools: '0' }, '--tools takes whole numbers from 1; got "0".'],
  [{ rounds: '1.5' }, '--rounds takes whole numbers from 1; got "1.5".'],
  [{ 'warm-up': '-1' }, '--warm-up takes whole numbers from 0; got "-1".'],
  [
    { only: 'utensil,us' },
    '--only takes utensil, utensil-read, hand, ai-generate, ai-stream, tanstack, fetch; got "us".',
  ],
])('says what is wrong with %j', (wrong, message) => {
  expect(() => runLoopPlan(wrong)).toThrow(new Error(message));
});
