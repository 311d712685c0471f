import { expect, it } from 'vitest';
import { isDrawn } from './emoji.ts';

it('does not use an emoji that is drawn as an empty box or as letters', () => {
  expect(isDrawn('\u{10ffff}')).toBe(false);
  expect(isDrawn('A')).toBe(false);
});
