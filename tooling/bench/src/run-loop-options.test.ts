import { expect, it } from 'vitest';
import { type Given, runLoopOptions } from './run-loop-options.ts';

const given = { quick: false, tools: '1,100,1000', only: '' };

it('makes as many calls with each number of tools', () => {
  const { works, modes, rounds, heapRounds } = runLoopOptions(given);
  expect(works.map(({ tools, calls }) => [tools, calls])).toEqual([
    [1, 200],
    [100, 200],
    [1000, 200],
  ]);
  expect({ modes, rounds, heapRounds }).toEqual({ modes: ['scripted', 'http'], rounds: 5, heapRounds: 3 });
});

it('reads what is given', () => {
  const options = runLoopOptions({ ...given, rounds: '2', mode: 'http', only: 'utensil,hand', wait: '3' });
  expect(options).toMatchObject({ rounds: 2, modes: ['http'], only: ['utensil', 'hand'], patienceMs: 3000 });
});

it.each<[Partial<Given>, string]>([
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
  expect(() => runLoopOptions({ ...given, ...wrong })).toThrow(new Error(message));
});
