import { expect, it } from 'vitest';
import { digits, median } from './statistics.ts';
import { table } from './table.ts';

it('the middle of some numbers', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([])).toBeNaN();
});

it.each([
  [0.12345, '0.123'],
  [1.2345, '1.23'],
  [12.345, '12.3'],
  [1234.5, '1235'],
  [NaN, '–'],
])('%d is written %s', (value, text) => expect(digits(value)).toBe(text));

it('a table has even columns, numbers at the right', () => {
  expect(
    table([
      ['loop', 'ms'],
      ['ours', '1.5'],
      ['a longer one', '–'],
    ]),
  ).toBe(
    ['| loop         |  ms |', '| ------------ | --: |', '| ours         | 1.5 |', '| a longer one |   – |'].join('\n'),
  );
});
