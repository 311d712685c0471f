import { expect, it } from 'vitest';
import { effectAt, instructionDirectories } from './instructions.ts';

it.each([
  '/hooks/guard.js',
  'hooks/guard.js',
  '/lib',
  '/lib/deep/a.js',
  '/LIB/a.js',
  '/notes/../skills/s/SKILL.md',
  '/share/lib/a.js',
  '/share',
  '/minions/_global.md',
  '//hooks//a.js',
])('a write to %s was an ordinary write', (path) => {
  expect(effectAt('write', ['/notes/a.md', path])).toBe('destructive');
});

it.each([
  '/notes/a.md',
  '/library/a.js',
  '/hooks.md',
  '/share/a.md',
  '/sharerw/lib/a.js',
  'src/lib/a.ts',
  '',
  undefined,
  null,
])('a write to %s is an ordinary write', (path) => {
  expect(effectAt('write', [path])).toBe('write');
});

it('a path that none can be made of counts as one of them, and reading is reading', () => {
  expect(effectAt('write', ['/a\0b'])).toBe('destructive');
  expect(effectAt('read', instructionDirectories)).toBe('read');
  expect(effectAt('destructive', ['/notes/a.md'])).toBe('destructive');
});
