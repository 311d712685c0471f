import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { privateFolders } from './private-folders.ts';

const roots: string[] = [];
afterEach(() => roots.splice(0).forEach((root) => rmSync(root, { recursive: true })));

function project(...folders: readonly string[]): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'utensil-private-')));
  roots.push(root);
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  return root;
}

it('makes the folder of the project, which a command could make otherwise', async () => {
  const root = project('src');
  expect(await privateFolders(root, [])).toEqual([join(root, '.utensil')]);
  expect(await privateFolders(root, [])).toEqual([join(root, '.utensil')]);
});

it('finds those of nested projects and other writable folders, in every spelling that a disk takes for the same', async () => {
  const root = project('.utensil/records/.utensil', 'b/.Utensil', 'a/inner/.utensil', 'node_modules/x/.utensil');
  const other = project('deep/.utensil');
  const linked = project('.utensil');
  symlinkSync(linked, join(root, 'linked'));
  expect(await privateFolders(root, [other])).toEqual([
    join(root, '.utensil'),
    join(root, 'b/.Utensil'),
    join(other, 'deep/.utensil'),
    join(root, 'a/inner/.utensil'),
  ]);
});

it('looks at a bounded number of directories, the nearest first', async () => {
  const root = project('.utensil', 'z/.utensil', ...Array.from({ length: 1_200 }, (_, index) => `y/${index}/.utensil`));
  const found = await privateFolders(root, []);
  expect(found.slice(0, 2)).toEqual([join(root, '.utensil'), join(root, 'z/.utensil')]);
  expect(found.length).toBe(100);
});

it('reads a bounded number of entries, however many a command has left', async () => {
  const root = project('.utensil', ...Array.from({ length: 40 }, (_, index) => `many/${index}.d/.utensil`));
  const bounds = { directories: 1_000, entries: 12, folders: 100 };
  expect((await privateFolders(root, [], bounds)).length).toBeLessThan(12);
  expect((await privateFolders(root, [])).length).toBe(41);
});

it('finds nothing below a name that is not text, which would keep every command from running', async () => {
  const root = project('.utensil');
  mkdirSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff]), Buffer.from('/.utensil')]), {
    recursive: true,
  });
  expect(await privateFolders(root, [])).toEqual([join(root, '.utensil')]);
});

it.each(['a file', 'a link'])('refuses a project whose folder is %s, which a command could replace', async (kind) => {
  const root = project();
  if (kind === 'a file') writeFileSync(join(root, '.utensil'), '');
  else symlinkSync('/nowhere', join(root, '.utensil'));
  await expect(privateFolders(root, [])).rejects.toThrow('".utensil" of the project is not a directory');
});
