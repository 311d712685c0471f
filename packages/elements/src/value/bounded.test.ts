import type { Json } from '@utensil/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { headOf, wholeText } from './bounded.ts';

it('gives the whole of what is short', () => {
  expect(headOf({ a: [1, 'two', {}], b: [] }, 1_000, 100)).toEqual({
    text: '{\n  "a": [\n    1,\n    "two",\n    {}\n  ],\n  "b": []\n}',
    isWhole: true,
  });
});

it('is the beginning of the whole, for any value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 200 }), (json, limit) => {
      const value = JSON.parse(JSON.stringify(json)) as Json;
      const { text, isWhole } = headOf(value, limit, Infinity);
      const whole = wholeText(value);
      expect(whole.startsWith(text)).toBe(true);
      expect(isWhole).toBe(text === whole);
      expect(text.length).toBeLessThanOrEqual(limit);
    }),
    { numRuns: 300 },
  );
});

it('ends after so many lines, and splits no character', () => {
  expect(headOf('a\nb\nc', 100, 2)).toEqual({ text: 'a\nb', isWhole: false });
  expect(headOf('ab😀', 3, 9)).toEqual({ text: 'ab', isWhole: false });
});

it('writes values on one line that are nested deeper than platforms write on lines', () => {
  const deep = `${'[1,{"a\\"":'.repeat(6_000)}[true,[],{}]${'}]'.repeat(6_000)}`;
  expect(wholeText(JSON.parse(deep) as Json)).toBe(deep);
});
