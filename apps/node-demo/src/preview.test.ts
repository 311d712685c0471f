import type { Json } from '@utensil/core';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { changedBy, difference, judgedOf } from './preview.ts';

const shown = (preview: Json | undefined): readonly string[] => changedBy(preview).map(({ sign, text }) => sign + text);
const change = (path: string, texts: { readonly before?: string; readonly after?: string }) => ({ path, ...texts });

it.each<[string, Json | undefined, readonly string[]]>([
  ['a new file', { type: 'changes', changes: [change('/a', { after: 'a\nb\n' })] }, ['+a', '+b']],
  ['one that goes', { type: 'changes', changes: [change('/a', { before: 'a' })] }, ['-a']],
  [
    'a line between others',
    { type: 'changes', changes: [change('/a', { before: '1\n2\n3\n4\n5\n6', after: '1\n2\n3\nvier\n5\n6' })] },
    [' 2', ' 3', '-4', '+vier', ' 5', ' 6'],
  ],
  [
    'several files',
    { type: 'changes', changes: [change('/a', { after: 'x' }), change('/b', { before: 'x' })] },
    [' /a', '+x', ' /b', '-x'],
  ],
  ['what no tool says', undefined, []],
  ['another form', { type: 'table' }, []],
])('shows %s', (_, preview, lines) => {
  expect(shown(preview)).toEqual(lines);
});

it('shows a script or a command in full if no line holds it', () => {
  const linesOf = (given: Parameters<typeof judgedOf>[0]) => judgedOf(given).map(({ text }) => text);
  expect(linesOf({ input: { code: 'one()\ntwo()', n: 1, name: 'x' } })).toEqual(['one()', 'two()']);
  const command = 'rm '.padEnd(50, '.');
  expect(linesOf({ input: { command: 'rm' }, preview: { type: 'command', command } })).toEqual([command]);
});

it('has a mark where lines are left out', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `${index}\n`);
  const after = lines.with(0, 'a\n').with(19, 'z\n').join('');
  expect(difference(lines.join(''), after).map(({ text }) => text)).toEqual([
    '0',
    'a',
    '1',
    '2',
    '…',
    '17',
    '18',
    '19',
    'z',
  ]);
});

it('has every line that differs', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c')).map((lines) => lines.map((line) => `${line}\n`).join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = difference(before, after);
      const count = (of: string): number => of.split('\n').length;
      const of = (kind: string): number => lines.filter(({ sign }) => sign === kind).length;
      expect(count(after) - count(before)).toBe(of('+') - of('-'));
      expect(lines.length === 0).toBe(before === after);
    }),
  );
});
