import { isUtensilError } from '@utensil/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines, readPath, shownPath } from './path.ts';

function tryTo(work: () => string): string {
  try {
    return work();
  } catch (error) {
    return isUtensilError(error) ? error.code : 'not an error of ours';
  }
}

describe('readPath', () => {
  it.each([
    ['src/a.ts', '/src/a.ts'],
    ['/src/a.ts', '/src/a.ts'],
    ['./src//a.ts', '/src/a.ts'],
    ['src\\lib\\a.ts', '/src/lib/a.ts'],
    ['.\\src\\..\\b.ts', '/b.ts'],
    ['.', '/'],
    ['a/../b', '/b'],
    ['a:10-20', '/a:10-20'],
  ])('understands %j', (given, path) => {
    expect(readPath(given)).toBe(path);
  });

  it.each([
    ['C:\\Users\\ada\\a.ts', 'It is a path of a disk'],
    ['c:/a.ts', 'It is a path of a disk'],
    ['c:a.ts', 'It is a path of a disk'],
    ['\\\\server\\share\\a.ts', 'It is a path of a disk'],
    ['file:///etc/passwd', 'It is a path of a disk'],
    ['../a.ts', 'It leads out of the project'],
    ['a/../../b.ts', 'It leads out of the project'],
    ['/../etc/passwd', 'It leads out of the project'],
    ['..\\a.ts', 'It leads out of the project'],
    ['a\0b', 'U+0000'],
  ])('refuses %j in words', (given, words) => {
    expect(() => readPath(given)).toThrow(
      expect.objectContaining({ code: 'EINVAL', message: expect.stringContaining(words) }),
    );
  });

  it('never leads out of the project, whatever the path', () => {
    const piece = fc.constantFrom('..', '.', 'a', '/', '\\', '//', '...', ' ', '%2e%2e', 'C:');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
        const path = tryTo(() => readPath(pieces.join('')));
        expect(path).toMatch(/^(?:\/|EINVAL$)/);
        expect(path.split('/')).not.toContain('..');
      }),
    );
  });

  it('shows a path from the root', () => {
    expect([shownPath('/'), shownPath('/a/b')]).toEqual(['.', 'a/b']);
  });
});

it.each([
  ['f:10-20', { path: 'f', first: 10, last: 20 }],
  ['f:10-', { path: 'f', first: 10 }],
  ['f:-20', { path: 'f', last: 20 }],
  ['f:15', { path: 'f', first: 15, last: 15 }],
  ['f', { path: 'f' }],
  ['f:', { path: 'f:' }],
  ['f:-', { path: 'f:-' }],
  ['a:b:3', { path: 'a:b', first: 3, last: 3 }],
])('reads the lines of %j', (given, lines) => {
  expect(readLines(given)).toEqual(lines);
});
