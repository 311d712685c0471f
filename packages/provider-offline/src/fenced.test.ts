import { expect, it } from 'vitest';
import { codeSpan, fenced } from './fenced.ts';

it('shows a text with more runs of backticks than a function takes arguments', () => {
  const text = '` '.repeat(300_000);
  expect(fenced(text).startsWith('```output\n')).toBe(true);
  expect(codeSpan(text).startsWith('`` ')).toBe(true);
});
