import { expect, it } from 'vitest';
import { durationText } from './duration.ts';

it('says how long something took', () => {
  const spans = [0, 80, 949, 950, 9_940, 9_960, 59_400, 59_600, 125_000, 3_599_600, 7_260_000];
  expect(spans.map(durationText)).toEqual([
    '0 ms',
    '80 ms',
    '949 ms',
    '0.9 s',
    '9.9 s',
    '10 s',
    '59 s',
    '1 min 0 s',
    '2 min 5 s',
    '1 h 0 min',
    '2 h 1 min',
  ]);
});
