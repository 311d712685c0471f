import { createFiles } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import { versionedStorage } from './versioned.ts';

function create() {
  const storage = versionedStorage(memoryStorage());
  return { storage, files: createFiles(storage), history: storage.history };
}

async function restoreOnly({ history }: ReturnType<typeof create>, options?: { readonly to?: string }) {
  const [trashed] = await history.trash();
  return history.restore(trashed?.id ?? '', options);
}

describe('restore', () => {
  it('says that a file is where the directory was', async () => {
    const made = create();
    await made.files.write('/d/x', 'x');
    await made.files.remove('/d/x');
    await made.files.remove('/d');
    await made.files.write('/d', 'a file');
    await expect(restoreOnly(made)).rejects.toMatchObject({ code: 'ENOTDIR', path: '/d/x' });
    await expect(restoreOnly(made, { to: '/d/y/z' })).rejects.toMatchObject({ code: 'ENOTDIR' });
    await restoreOnly(made, { to: '/e/x' });
    expect((await made.files.readText('/e/x')).text).toBe('x');
  });

  it('puts a directory nowhere where what is in it could not be reached', async () => {
    const made = create();
    const deep = '/d'.repeat(30);
    await made.files.write(`${deep}/x`, 'x');
    await made.files.remove('/d', { recursive: true });
    await expect(restoreOnly(made, { to: '/a/b/c/d' })).rejects.toMatchObject({ code: 'ENAMETOOLONG' });
    await restoreOnly(made, { to: '/a/b' });
    expect((await made.files.readText(`/a/b${'/d'.repeat(29)}/x`)).text).toBe('x');
  });

  it('refuses a name that differs only in case', async () => {
    const made = create();
    await made.files.write('/Notes.md', 'removed');
    await made.files.remove('/Notes.md');
    await made.files.write('/notes.md', 'new');
    await expect(restoreOnly(made)).rejects.toThrow(/EEXIST.*only in case/);
    await restoreOnly(made, { to: '/old.md' });
    expect((await made.files.readText('/old.md')).text).toBe('removed');
  });

  it('finds the way back to a file of which only old versions were left', async () => {
    const inner = memoryStorage();
    const { history, ...storage } = versionedStorage(inner);
    const [files, others] = [createFiles(storage), createFiles(inner)];
    await files.write('/a', 'one');
    await files.write('/a', 'two');
    await others.remove('/a');
    await files.write('/b', 'b');
    await files.write('/b', 'c');
    await files.move('/b', '/a');
    const [trashed] = await history.trash();
    expect(trashed).toMatchObject({ path: '/a', kind: 'versions' });
    await files.makeDirectory('/d');
    await expect(history.restore(trashed?.id ?? '', { to: '/d' })).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(history.restore(trashed?.id ?? '', { to: '/e' })).rejects.toMatchObject({ code: 'ENOENT' });
    await history.restore(trashed?.id ?? '');
    expect((await history.versions('/a')).map(({ size }) => size)).toEqual([3, 1]);
  });

  it('is not littered with the past of files that are in the trash themselves', async () => {
    const { files, history } = create();
    await files.write('/e/x', '1');
    await files.write('/e/x', '2');
    await files.remove('/e/x');
    await files.remove('/e');
    await files.write('/d/x', '1');
    await files.write('/d/x', '2');
    await files.move('/d', '/e');
    expect((await history.trash()).map(({ path }) => path)).toEqual(['/e/x']);
    expect(await history.versions('/e/x')).toHaveLength(2);
  });
});
