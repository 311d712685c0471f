import { expect, it } from 'vitest';
import { isDrawn } from './emoji.ts';

it('takes what is drawn as an empty box, or as letters are, for no picture', () => {
  expect(isDrawn('\u{10ffff}')).toBe(false);
  expect(isDrawn('A')).toBe(false);
});
