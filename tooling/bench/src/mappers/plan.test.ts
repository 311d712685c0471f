import { expect, it } from 'vitest';
import type { Given } from '../runner/options.ts';
import { mappersPlan } from './plan.ts';

it('reads its options, and measures everything without any', () => {
  expect(mappersPlan({})).toMatchObject({ rounds: 5, threads: 5, works: ['text', 'calls', 'reasoning'] });
  const chosen = mappersPlan({ rounds: '2', api: 'gemini', only: 'calls,text', pieces: '0', wait: '3' });
  expect(chosen).toMatchObject({ rounds: 2, apis: ['gemini'], works: ['text', 'calls'], threads: 0, pieceBytes: 0 });
  expect(mappersPlan({ quick: true, only: 'requests' })).toMatchObject({
    rounds: 1,
    works: [],
    threads: 1,
  });
});

it.each<[Given, string]>([
  [{ only: 'images' }, '--only takes text, calls, reasoning, requests; got "images".'],
  [{ pieces: '-1' }, '--pieces takes whole numbers from 0; got "-1".'],
  [{ rounds: '0' }, '--rounds takes whole numbers from 1; got "0".'],
])('says what is wrong with %j', (wrong, message) => {
  expect(() => mappersPlan(wrong)).toThrow(new Error(message));
});
