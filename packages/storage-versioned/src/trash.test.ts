import { createFiles } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
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
  it('reports a file in place of the parent directory', async () => {
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

  it('refuses a target where paths below would be too long', async () => {
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

  it('restores old versions to a file whose content is gone', async () => {
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

  it('has no separate entries for versions of files in the trash', async () => {
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

describe('a storage with constant concurrent commits', () => {
  /** Every other commit meets a conflict. */
  function busyStorage(): StorageDriver {
    const inner = memoryStorage();
    let commits = 0;
    return {
      ...inner,
      async commit(commit) {
        const { tree, path } = commit.changes[0] ?? { tree: 'files', path: '/' };
        return commits++ % 2 === 0 ? { ok: false, conflict: { tree, path }, entry: undefined } : inner.commit(commit);
      },
    };
  }

  it('keeps, restores and undoes like any other', async () => {
    const storage = versionedStorage(busyStorage());
    const { history } = storage;
    const files = createFiles(storage.as({ turn: 't' }));
    for (const text of ['one', 'two', 'three']) await files.write('/a', text);
    await files.move('/a', '/d/b');
    expect(await history.versions('/d/b')).toHaveLength(3);
    await files.remove('/d', { recursive: true });
    const [trashed] = await history.trash();
    await history.restore(trashed?.id ?? '');
    expect((await files.readText('/d/b')).text).toBe('three');
    await createFiles(storage.as({ turn: 'other' })).write('/d/b', 'four');
    await history.undo('other');
    expect((await files.readText('/d/b')).text).toBe('three');
  });

  it('reports only that it is busy if they never stop', async () => {
    const inner = memoryStorage();
    let isBusy = false;
    const conflict = { tree: 'records', path: '/.v/trash' } as const;
    const storage = versionedStorage({
      ...inner,
      commit: async (commit) => (isBusy ? { ok: false, conflict, entry: undefined } : inner.commit(commit)),
    });
    const files = createFiles(storage);
    await files.write('/a', 'a');
    await files.remove('/a');
    const [trashed] = await storage.history.trash();
    isBusy = true;
    const restored = storage.history.restore(trashed?.id ?? '');
    await expect(restored).rejects.toMatchObject({ code: 'ECONFLICT', retryable: true, path: '/' });
    await expect(restored).rejects.not.toThrow('/.v');
  });
});
