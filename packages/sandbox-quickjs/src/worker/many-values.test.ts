import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasManyValues, mostValues } from './many-values.ts';

const lists = (count: number): string => JSON.stringify(Array.from({ length: count }, () => ({})));

it('counts what JSON would become', () => {
  expect(hasManyValues(lists(mostValues / 4))).toBe(false);
  expect(hasManyValues(lists(mostValues))).toBe(true);
  expect(hasManyValues('['.repeat(mostValues + 1))).toBe(true);
});

it('takes no text for values, whatever is in it', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^["\\,[{:a]{1,20}$/), (text) => {
      expect(hasManyValues(JSON.stringify({ text: text.repeat(mostValues) }))).toBe(false);
    }),
    { numRuns: 20 },
  );
});
