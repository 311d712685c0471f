import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rowOf, rowsAt, rowStarts } from './rows.ts';

it('breaks lines that are longer than a row', () => {
  const text = 'abcdef\n\nxy\n';
  const starts = rowStarts(text, 4);
  expect(rowsAt(text, starts, [0, 99])).toEqual(['abcd', 'ef', '', 'xy', '']);
  expect(rowsAt(text, starts, [1, 2])).toEqual(['ef', '']);
});

it('loses nothing of any text, and finds every place', () => {
  const unit = fc.constantFrom('a', 'b', '\n', '😀');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 300 }), fc.integer({ min: 2, max: 9 }), (text, columns) => {
      const starts = rowStarts(text, columns);
      const rows = rowsAt(text, starts, [0, Infinity]);
      expect(rows.join('')).toBe(text.replaceAll('\n', ''));
      expect(rows.every((row) => row.length <= columns && !/^[\udc00-\udfff]/.test(row))).toBe(true);
      for (const [row, start] of starts.entries()) expect(rowOf(starts, start)).toBe(row);
    }),
    { numRuns: 300 },
  );
});

it('goes through one long line once', () => {
  expect(rowStarts('x'.repeat(20_000_000), 100)).toHaveLength(200_000);
});

it('has room for millions of rows', () => {
  expect(rowStarts('\n'.repeat(3_000_000), 80)).toHaveLength(3_000_001);
});
