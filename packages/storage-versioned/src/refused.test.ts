import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFiles } from '@utensil/core';
import { fileError, isWithin } from '@utensil/core/files';
import type { ProjectFiles } from '@utensil/core';
import type { StorageChange, StorageDriver } from '@utensil/core/storage';
import { filesystemStorage } from '@utensil/storage-filesystem';
import { memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import { versionedStorage } from './versioned.ts';

/** A storage that refuses some changes on commit. */
function create() {
  const inner = memoryStorage();
  const refused = { is: (_change: StorageChange): boolean => false };
  const driver: StorageDriver = {
    ...inner,
    async commit(commit) {
      const change = commit.changes.find((each) => refused.is(each));
      if (change !== undefined) throw fileError('EACCES', change.path, { hint: 'The name is reserved.' });
      return inner.commit(commit);
    },
  };
  const storage = versionedStorage(driver);
  const turn = (id: string): ProjectFiles => createFiles(storage.as({ turn: id }));
  return { inner, refused, history: storage.history, files: createFiles(storage), turn };
}

const isReserved = ({ path }: StorageChange): boolean => path.split('/').includes('.utensil');

async function everythingIn(driver: StorageDriver): Promise<readonly string[]> {
  const trees = (['files', 'records'] as const).map(async (tree) => {
    const entries = await driver.list({ tree, path: '/', depth: 99, limit: 1000 });
    return Promise.all(
      entries.map(
        async (entry) => `${tree}:${entry.path} ${(await driver.read(entry))?.content.join() ?? 'directory'}`,
      ),
    );
  });
  return (await Promise.all(trees)).flat();
}

const refusedWork: readonly (readonly [what: string, work: (files: ProjectFiles) => Promise<unknown>])[] = [
  ['makes a directory', (files) => files.makeDirectory('/x/.utensil')],
  ['writes a file', (files) => files.write('/x/.utensil/note', 'text')],
  ['moves a file', (files) => files.move('/a', '/.utensil')],
  ['copies a file', (files) => files.copy('/a', '/.utensil')],
  [
    'does several things at once',
    (files) =>
      files.batch(async (staged) => {
        await staged.write('/a', 'in the batch');
        await staged.remove('/removed');
        await staged.makeDirectory('/x/.utensil');
      }),
  ],
];

describe('a turn with a change that the storage refuses', () => {
  it.each(refusedWork)('is recorded without it, and undone like any other, if it %s', async (_, work) => {
    const { inner, refused, files, history, turn } = create();
    refused.is = (change) => isReserved(change) || (change.type === 'move' && isReserved({ ...change, ...change.to }));
    for (const path of ['/a', '/b', '/removed']) await files.write(path, 'before');
    await turn('other').write('/c', 'by another turn');
    await turn('t').write('/a', 'by the turn');
    const before = await everythingIn(inner);
    await expect(work(turn('t'))).rejects.toMatchObject({ code: 'EACCES' });
    expect(await everythingIn(inner)).toEqual(before);
    await turn('t').write('/b', 'by the turn');
    await turn('t').makeDirectory('/d/e');
    await history.undo('t');
    const { entries } = await files.list('/', { depth: 9 });
    expect(entries.map(({ path }) => path)).toEqual(['/a', '/b', '/c', '/removed']);
    for (const path of ['/a', '/b', '/removed']) expect((await files.readText(path)).text).toBe('before');
    await history.undo('other');
    expect(await files.stat('/c')).toBeUndefined();
  });
});

describe('undo that the storage refuses', () => {
  it('changes nothing, blocks no other undo, and succeeds once the storage permits it', async () => {
    const { inner, refused, files, history, turn } = create();
    await files.write('/kept', 'before');
    await files.write('/locked', 'before');
    for (const path of ['/kept', '/locked']) await turn('t').write(path, 'by the turn');
    await turn('other').write('/other', 'text');
    refused.is = ({ tree, path }) => tree === 'files' && path === '/locked';
    const before = await everythingIn(inner);
    await expect(history.undo('t')).rejects.toMatchObject({ code: 'EACCES', path: '/locked' });
    expect(await everythingIn(inner)).toEqual(before);
    await history.undo('other');
    await turn('next').write('/next', 'text');
    await history.undo('next');
    refused.is = () => false;
    await history.undo('t');
    expect((await files.readText('/locked')).text).toBe('before');
    expect((await files.readText('/kept')).text).toBe('before');
  });

  it('leaves the directories that the storage does not remove', async () => {
    const { refused, files, history, turn } = create();
    await files.write('/a', 'before');
    await turn('t').makeDirectory('/d/e/f');
    await turn('t').write('/a', 'after');
    await turn('t').write('/d/e/x', 'x');
    refused.is = ({ type, path, tree }) => type === 'remove' && tree === 'files' && isWithin('/d/e', path);
    await history.undo('t');
    expect((await files.list('/', { depth: 9 })).entries.map(({ path }) => path)).toEqual([
      '/a',
      '/d',
      '/d/e',
      '/d/e/f',
    ]);
    expect((await files.readText('/a')).text).toBe('before');
    await expect(history.undo('t')).rejects.toMatchObject({ code: 'ESTALE' });
  });

  it('leaves a directory with hidden entries on a real disk', async () => {
    const root = await mkdtemp(join(tmpdir(), 'utensil-refused-'));
    const { history, ...storage } = versionedStorage(filesystemStorage(root), { author: { turn: 't' } });
    const files = createFiles(storage);
    await files.makeDirectory('/d/e');
    await files.write('/d/x', 'x');
    await symlink('/nowhere', join(root, 'd/e/link'));
    await history.undo('t');
    expect((await files.list('/', { depth: 9 })).entries.map(({ path }) => path)).toEqual(['/d', '/d/e']);
    await rm(root, { recursive: true });
  });
});
