import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { tableFacts } from './table.ts';

it.each([
  [[], { rows: 0, numbers: [] }],
  [['a,b'], { rows: 0, numbers: [] }],
  [['a,b', '', '1,x', '2,'], { rows: 2, numbers: [{ name: 'a', total: 3, least: 1, most: 2 }] }],
  [['"a, b",c', '"say ""hi""\n2",-1'], { rows: 1, numbers: [{ name: 'c', total: -1, least: -1, most: -1 }] }],
  [['a', '1', 'one'], { rows: 2, numbers: [] }],
])('counts %j', (lines, facts) => {
  expect(tableFacts(lines)).toEqual(facts);
});

it('counts every row and adds up every number, whatever the cells beside them are', () => {
  const row = fc.tuple(fc.string(), fc.integer({ min: -1e6, max: 1e6 }));
  fc.assert(
    fc.property(fc.array(row, { minLength: 1 }), (rows) => {
      const lines = rows.map(([text, number]) => `"${text.replaceAll('"', '""')}",${number}`);
      const facts = tableFacts(['text,number', ...lines]);
      expect(facts.rows).toBe(rows.length);
      const total = rows.reduce((sum, [, number]) => sum + number, 0);
      expect(facts.numbers.find(({ name }) => name === 'number')?.total).toBe(total);
    }),
  );
});

it('looks at no cell that a wide table with many short rows does not have', () => {
  const lines = ['a,'.repeat(30_000), ...Array.from({ length: 30_000 }, () => '1')];
  expect(tableFacts(lines)).toEqual({ rows: 30_000, numbers: [{ name: 'a', total: 30_000, least: 1, most: 1 }] });
});
