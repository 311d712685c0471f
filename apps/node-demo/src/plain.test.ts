import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { fit, plain, plainLine, plainLines, wrap } from './plain.ts';

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

it.each([
  ['a\r\nb\tc', 'a\nb\tc'],
  ['over\rwritten', 'over␍written'],
  ['\u001b[31mred\u001b[0m', '␛[31mred␛[0m'],
  ['\u009b2J\u007f\u0000', '�2J␡␀'],
  ['user\u202egpj.exe', 'user�gpj.exe'],
  ['half \ud83e', 'half �'],
  ['grüße 🥛 👩‍👩‍👧 日本', 'grüße 🥛 👩‍👩‍👧 日本'],
])('shows %j as it is safe', (text, shown) => {
  expect(plain(text)).toBe(shown);
});

it('lets nothing through that steers a terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(plain(text)).not.toMatch(controls);
      expect(Buffer.from(plain(text)).toString()).toBe(plain(text)); // no half of a pair
      expect(plain(plain(text))).toBe(plain(text));
      expect(plainLine(text)).not.toMatch(/[\n\t]/);
      expect(plainLines(text).join('')).not.toMatch(/[\n\t]/);
    }),
  );
});

it.each([
  ['short', 10, 'short'],
  ['exactly10!', 10, 'exactly10!'],
  ['eleven char', 10, 'eleven ch…'],
  ['日本語日本語', 8, '日本語…'],
  ['日本語日', 8, '日本語日'],
  ['🥛🥛🥛', 5, '🥛🥛…'],
  ['e\u0301e\u0301e\u0301', 3, 'e\u0301e\u0301e\u0301'],
])('fits %j into %i columns', (line, columns, shown) => {
  expect(fit(line, columns)).toBe(shown);
});

it.each([
  ['one two three', 8, ['one two', 'three']],
  ['a/path/that/is/long is', 8, ['a/path/that/is/long', 'is']],
  ['  indented line', 10, ['  indented', 'line']],
  ['', 8, ['']],
])('wraps %j', (line, columns, lines) => {
  expect(wrap(line, columns)).toEqual(lines);
});
