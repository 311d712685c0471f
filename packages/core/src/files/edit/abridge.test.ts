import { expect, it } from 'vitest';
import { abridgeList, abridgeText } from './abridge.ts';

it('lists what fits, and counts the rest', () => {
  expect(abridgeList([1, 2, 3], { most: 3 })).toBe('1, 2, 3');
  expect(abridgeList([1, 2, 3], { most: 2 })).toBe('1, 2 and 1 more');
  expect(abridgeList([1, 2, 3], { most: 3, count: 12_348 })).toBe('1, 2, 3 and 12,345 more');
  expect(abridgeList([], { most: 3 })).toBe('');
});

it('cuts a text, but no character, and counts what is left out', () => {
  expect(abridgeText('abc', 3)).toBe('abc');
  expect(abridgeText('abcd', 3)).toBe('abc… (1 more character)');
  expect(abridgeText('ab😀d', 3)).toBe('ab… (3 more characters)');
});
