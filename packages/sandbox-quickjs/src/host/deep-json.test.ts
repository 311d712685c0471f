import { expect, it } from 'vitest';
import { deepest, isTooDeep } from './deep-json.ts';

it('counts levels, and no brackets in strings', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
  expect(isTooDeep(nested(deepest))).toBe(false);
  expect(isTooDeep(nested(deepest + 1))).toBe(true);
  expect(isTooDeep(JSON.stringify(['['.repeat(5_000), '"{'.repeat(5_000)]))).toBe(false);
  expect(isTooDeep(JSON.stringify(Array.from({ length: 5_000 }, () => ({}))))).toBe(false);
});

it('reads texts of many megabytes, of which a pattern overflowed the stack', () => {
  expect(isTooDeep(JSON.stringify({ text: 'x"'.repeat(10_000_000) }))).toBe(false);
});
