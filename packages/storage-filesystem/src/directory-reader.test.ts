import fs, { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFiles } from '@utensil/core';
import { afterAll, expect, it } from 'vitest';
import { directoryReader } from './directory-reader.ts';
import { filesystemStorage } from './filesystem.ts';

const base = mkdtempSync(join(tmpdir(), 'utensil-reader-'));
const root = join(base, 'root');
mkdirSync(join(root, 'b/deep'), { recursive: true });
mkdirSync(join(base, 'outside'));
writeFileSync(join(base, 'outside/secret.txt'), 'secret');
writeFileSync(join(root, 'a.txt'), 'alpha');
writeFileSync(join(root, 'b/large.txt'), 'x'.repeat(700_000));
writeFileSync(join(root, 'b/deep/empty.txt'), '');
symlinkSync(join(base, 'outside'), join(root, 'link'));
symlinkSync(join(base, 'outside/secret.txt'), join(root, 'b/link.txt'));

afterAll(() => rmSync(base, { recursive: true }));

function read(paths: readonly string[], maxBytes = 1_000_000) {
  const found: [string, string | undefined][] = [];
  const visit = (path: string, contents: Uint8Array | string | undefined): void => {
    found.push([
      path,
      contents instanceof Uint8Array ? `${contents.length}: ${String.fromCharCode(...contents.slice(0, 5))}` : contents,
    ]);
  };
  directoryReader(root).readEach(paths, { maxBytes, visit });
  return found;
}

it('gives the names of a directory as the storage lists them', async () => {
  await createFiles(filesystemStorage(root)).write('/b/c.txt', 'c'); // which makes the folder of the storage
  const reader = directoryReader(root);
  expect(reader.list('/')).toEqual([
    { name: 'a.txt', kind: 'file' },
    { name: 'b', kind: 'directory' },
  ]);
  const { entries } = await createFiles(filesystemStorage(root)).list('/b');
  expect(reader.list('/b').map(({ name }) => `/b/${name}`)).toEqual(entries.map(({ path }) => path));
  expect(reader.list('/none')).toEqual([]);
  expect(reader.list('/a.txt')).toEqual([]);
});

it('gives contents of every size, in the order of the paths, and says why there is none', () => {
  expect(read(['/b/large.txt', '/a.txt', '/b/deep/empty.txt', '/none/x', '/b'])).toEqual([
    ['/b/large.txt', '700000: xxxxx'],
    ['/a.txt', '5: alpha'],
    ['/b/deep/empty.txt', '0: '],
    ['/none/x', undefined],
    ['/b', undefined],
  ]);
  expect(read(['/b/large.txt', '/a.txt'], 5)).toEqual([
    ['/b/large.txt', 'too-large'],
    ['/a.txt', '5: alpha'],
  ]);
});

it('follows no link, leaves nothing by its path, and reads nothing of the folder of the storage', () => {
  const paths = [
    '/link/secret.txt',
    '/b/link.txt',
    '/../outside/secret.txt',
    '/.utensil/state',
    '/b/../../outside/secret.txt',
  ];
  expect(read(paths).map(([, contents]) => contents)).toEqual(paths.map(() => undefined));
  expect(directoryReader(root).list('/link')).toEqual([]);
  expect(directoryReader(root).list('/.utensil')).toEqual([]);
});

it('lists nothing behind a link that is made later', () => {
  const reader = directoryReader(root);
  expect(reader.list('/swapped')).toEqual([]);
  symlinkSync(join(base, 'outside'), join(root, 'swapped'));
  expect(reader.list('/swapped')).toEqual([]);
});

it('says what is wrong with the disk in the words of the storage, and names no path of the machine', () => {
  const { openSync } = fs;
  fs.openSync = () => {
    throw Object.assign(new Error(`EMFILE: too many open files, open '${root}/a.txt'`), { code: 'EMFILE' });
  };
  syncBuiltinESMExports();
  try {
    expect(() => read(['/a.txt'])).toThrow(
      expect.objectContaining({ code: 'EBUSY', message: expect.not.stringContaining(base) }),
    );
  } finally {
    fs.openSync = openSync;
    syncBuiltinESMExports();
  }
});

it('gives no name that nobody can ask for', () => {
  mkdirSync(join(root, 'odd'));
  for (const name of ['fine.txt', 'cafe\u0301', 'a\nb', 'a\\b']) writeFileSync(join(root, 'odd', name), '');
  writeFileSync(Buffer.concat([Buffer.from(join(root, 'odd/bad')), Buffer.of(0xff)]), '');
  symlinkSync('fine.txt', join(root, 'odd/link'));
  expect(directoryReader(root).list('/odd')).toEqual([{ name: 'fine.txt', kind: 'file' }]);
});
