import { mkdtemp, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFiles } from '@utensil/core';
import type { ProjectFiles } from '@utensil/core';
import type { StorageChange, StorageDriver } from '@utensil/core/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesystemStorage } from './filesystem.ts';

let root: string;
let driver: StorageDriver;
let files: ProjectFiles;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'utensil-'));
  driver = filesystemStorage(root);
  files = createFiles(driver);
  await files.write('/kept.md', 'kept');
  await files.makeDirectory('/d');
});
afterEach(() => rm(root, { recursive: true }));

/** The project as another process opens it: everything can be read and written. */
async function expectWorking(): Promise<void> {
  const others = createFiles(filesystemStorage(root));
  for (const each of [files, others]) {
    expect((await each.readText('/kept.md')).text).toBe('kept');
    await each.write('/after.md', `${Math.random()}`);
    await each.batch(async (all) => {
      await all.write('/one.md', `${Math.random()}`);
      await all.write('/two.md', 'two');
    });
  }
  expect(await readlink(join(root, '.utensil/state'))).toMatch(/^idle/);
}

const attempts: Readonly<Record<string, (files: ProjectFiles) => Promise<unknown>>> = {
  'makes it below a missing directory': (each) => each.makeDirectory('/new/.utensil'),
  'makes it by its short name': (each) => each.makeDirectory('/d/UTENSI~1'),
  'makes it in a batch': (each) => each.batch((all) => all.makeDirectory('/.utensil')),
  'makes it in a batch after others': (each) =>
    each.batch(async (all) => {
      await all.write('/first.md', 'first');
      await all.makeDirectory('/x/.Utensil ');
    }),
  'writes below it': (each) => each.write('/new/.utensil/state', 'active'),
  'moves to it': (each) => each.move('/d', '/e/.utensil'),
  'copies to it': (each) => each.copy('/kept.md', '/e/.utensil/x'),
};

describe('the name of the folder .utensil', () => {
  it.each(Object.entries(attempts))('does no harm to a project if a program %s', async (_, attempt) => {
    await expect(attempt(files)).rejects.toMatchObject({ code: 'EACCES' });
    await expectWorking();
  });

  it.each<[string, readonly StorageChange[]]>([
    ['made', [{ tree: 'files', path: '/x/.utensil', type: 'make-directory' }]],
    ['written', [{ tree: 'files', path: '/.utensil/state', type: 'write', content: new Uint8Array() }]],
    ['removed', [{ tree: 'files', path: '/.utensil', type: 'remove', recursive: true }]],
    ['moved to', [{ tree: 'files', path: '/d', type: 'move', to: { tree: 'files', path: '/d2/.utensil' } }]],
    ['no normal path', [{ tree: 'records', path: '/../../x', type: 'make-directory' }]],
  ])('is refused before anything of a commit is written down in which it is %s', async (_, changes) => {
    const first: StorageChange = { tree: 'files', path: '/x', type: 'make-directory' };
    for (const all of [changes, [first, ...changes]]) {
      await expect(driver.commit({ expect: [], changes: all, time: 0 })).rejects.toMatchObject({ code: 'EACCES' });
      await expectWorking();
    }
  });
});
