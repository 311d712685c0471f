import { expect, it } from 'vitest';
import { type Given, mappersOptions } from './mappers-options.ts';

const given = { quick: false, api: '', only: '' };

it('reads what is given, and measures everything where nothing is', () => {
  expect(mappersOptions(given)).toMatchObject({ rounds: 5, threads: 5, works: ['text', 'calls', 'reasoning'] });
  const chosen = mappersOptions({ ...given, rounds: '2', api: 'gemini', only: 'calls,text', pieces: '0', wait: '3' });
  expect(chosen).toMatchObject({ rounds: 2, apis: ['gemini'], works: ['text', 'calls'], threads: 0, pieceBytes: 0 });
  expect(mappersOptions({ ...given, quick: true, only: 'requests' })).toMatchObject({
    rounds: 1,
    works: [],
    threads: 1,
  });
});

it.each<[Partial<Given>, string]>([
  [{ only: 'images' }, '--only takes text, calls, reasoning, requests; got "images".'],
  [{ pieces: '-1' }, '--pieces takes whole numbers from 0; got "-1".'],
  [{ rounds: '0' }, '--rounds takes whole numbers from 1; got "0".'],
])('says what is wrong with %j', (wrong, message) => {
  expect(() => mappersOptions({ ...given, ...wrong })).toThrow(new Error(message));
});
