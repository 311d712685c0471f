import type { FileEntry } from '@utensil/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { freePath, moveBy, rowsOf, sorted } from './tree.ts';

const file = (path: string): FileEntry => ({ path, kind: 'file', size: 0, modifiedAt: 0 });
const folder = (path: string): FileEntry => ({ path, kind: 'directory', size: 0, modifiedAt: 0 });

const directories = new Map([
  ['/', sorted([file('/b10.md'), file('/b9.md'), folder('/a')])],
  ['/a', [folder('/a/deep'), file('/a/x.md')]],
  ['/a/deep', [file('/a/deep/y.md')]],
]);
const pathsOf = (open: readonly string[]): readonly string[] =>
  rowsOf(directories, new Set(open)).map(({ entry }) => entry.path);

it('shows what is in open folders, folders first and numbers in their order', () => {
  expect(pathsOf([])).toEqual(['/a', '/b9.md', '/b10.md']);
  expect(pathsOf(['/a', '/a/deep'])).toEqual(['/a', '/a/deep', '/a/deep/y.md', '/a/x.md', '/b9.md', '/b10.md']);
  expect(pathsOf(['/a/deep'])).toEqual(['/a', '/b9.md', '/b10.md']); // it is in a folder that is closed
  const [, row] = rowsOf(directories, new Set(['/a']));
  expect(row).toMatchObject({ level: 2, position: 1, siblings: 2, name: 'deep', isOpen: false });
});

it.each([
  ['ArrowDown', '/a', { to: '/a/deep' }],
  ['ArrowUp', '/a', undefined],
  ['End', '/a', { to: '/b10.md' }],
  ['Home', '/b9.md', { to: '/a' }],
  ['ArrowRight', '/a', { to: '/a/deep' }],
  ['ArrowRight', '/a/deep', { open: '/a/deep' }],
  ['ArrowRight', '/b9.md', undefined],
  ['ArrowLeft', '/a', { close: '/a' }],
  ['ArrowLeft', '/a/deep', { to: '/a' }],
  ['ArrowLeft', '/b9.md', undefined],
  ['b', '/b9.md', { to: '/b10.md' }],
  ['B', '/b10.md', { to: '/b9.md' }],
  ['q', '/a', undefined],
  ['Tab', '/a', undefined],
  ['ArrowDown', '/gone', undefined],
] as const)('%s at %s leads to %o', (key, path, move) => {
  expect(moveBy(key, rowsOf(directories, new Set(['/a'])), path)).toEqual(move);
});

it('finds a name that nothing has, and keeps the ending', () => {
  expect(freePath('/a', 'x.md', [file('/a/X.md'), file('/a/x 2.md')])).toBe('/a/x 3.md');
  expect(freePath('/', '.env', [file('/.env')])).toBe('/.env 2');
  const names = fc.uniqueArray(fc.stringMatching(/^[a-c]{1,2}(\.md)?$/), { maxLength: 20 });
  fc.assert(
    fc.property(names, fc.stringMatching(/^[a-c]{1,2}(\.md)?$/), (names, name) => {
      const taken = names.map((name) => file(`/${name}`));
      expect(taken.map(({ path }) => path)).not.toContain(freePath('/', name, taken));
    }),
  );
});
