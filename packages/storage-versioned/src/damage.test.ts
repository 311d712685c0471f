import { createFiles, fileError, isUtensilError } from '@utensil/core';
import type { StorageDriver } from '@utensil/core';
import { memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import { versionedStorage } from './versioned.ts';

/** A memory that refuses what core promises never to ask for: paths that are not normal. */
function create() {
  const base = memoryStorage();
  const check = (path: string): void => {
    expect(path).toMatch(/^\/$|^(?:\/(?!\.{1,2}(?:\/|$))[^/]+)+$/);
  };
  const inner: StorageDriver = {
    ...base,
    stat: async (keys) => {
      for (const { path } of keys) check(path);
      return base.stat(keys);
    },
    list: async (query) => {
      check(query.path);
      return base.list(query);
    },
    commit: async (commit) => {
      for (const change of commit.changes) {
        check(change.path);
        if (change.type === 'move') check(change.to.path);
      }
      return base.commit(commit);
    },
  };
  const storage = versionedStorage(inner);
  return { inner, storage, files: createFiles(storage), history: storage.history };
}

async function damage(driver: StorageDriver, path: string, text: string): Promise<void> {
  const content = new TextEncoder().encode(text);
  const changes = [{ type: 'write', tree: 'records', path, content } as const];
  expect(await driver.commit({ expect: [], changes, time: 1 })).toMatchObject({ ok: true });
}

async function onlyPathIn(driver: StorageDriver, directory: string): Promise<string> {
  const [first] = await driver.list({ tree: 'records', path: directory, depth: 1, limit: 1 });
  return first?.path ?? '';
}

const hostileAbouts = [
  '{',
  '',
  'null',
  '[]',
  '{"path":5,"kind":"file"}',
  '{"path":"../../x","kind":"file"}',
  '{"path":"/a/../../x","kind":"file"}',
  '{"path":"/","kind":"file"}',
  '{"path":"/a\\u0000","kind":"file"}',
  `{"path":"/${'long'.repeat(1000)}","kind":"file"}`,
];

const hostileTurns = [
  '{',
  'null',
  '{}',
  '[null]',
  '[{"type":"write","path":5,"version":7}]',
  '[{"type":"write","path":"/a","version":7}]',
  '[{"type":"write","path":"/../../x"}]',
  '[{"type":"remove","path":"/../y","trash":{}}]',
  '[{"type":"remove","path":"/y"}]',
  '[{"type":"move","path":"/a","to":"../b"}]',
  '[{"type":"make-directory","path":"/a/"}]',
  '[{"type":"burn","path":"/a"}]',
];

describe('a damaged history', () => {
  it.each(hostileAbouts)('still gives back what is in the trash where its record is %j', async (about) => {
    const { inner, files, history } = create();
    await files.write('/notes/a', 'kept');
    await files.remove('/notes/a');
    await damage(inner, `${await onlyPathIn(inner, '/.v/trash')}/about.json`, about);
    await files.write('/b', 'other');
    await files.remove('/b');
    const [damaged, other] = await history.trash();
    expect(damaged).toMatchObject({ kind: 'file', reason: 'removed' });
    expect(other).toMatchObject({ path: '/b' });
    const restored = await history.restore(damaged?.id ?? '');
    expect(restored.path).toBe(damaged?.path);
    expect((await files.readText(restored.path)).text).toBe('kept');
  });

  it('gives back what is in the trash without a record', async () => {
    const { inner, files, history } = create();
    await files.write('/d/a', 'kept');
    await files.remove('/d', { recursive: true });
    const path = `${await onlyPathIn(inner, '/.v/trash')}/about.json`;
    await inner.commit({ expect: [], changes: [{ type: 'remove', tree: 'records', path }], time: 1 });
    const [trashed] = await history.trash();
    expect(trashed).toMatchObject({ kind: 'directory' });
    await history.restore(trashed?.id ?? '', { to: '/e' });
    expect((await files.readText('/e/a')).text).toBe('kept');
  });

  it.each(hostileTurns)('undoes nothing where what a turn did is %j', async (done) => {
    const { inner, storage, history } = create();
    const files = createFiles(storage.as({ turn: 't' }));
    await files.write('/a', 'a');
    await damage(inner, await onlyPathIn(inner, '/.v/turns/t'), done);
    const error: unknown = await history.undo('t').catch((thrown: unknown) => thrown);
    expect(isUtensilError(error, 'EIO')).toBe(true);
    expect((await files.readText('/a')).text).toBe('a');
  });

  it('passes over names that it did not give', async () => {
    const { inner, files, history } = create();
    await files.write('/a', 'one');
    await files.write('/a', 'two');
    for (const name of ['0000000abcv.%zz.', '0000000abcv..%E0%A4%A', 'x', '0000000abcv.', '0000000abcq']) {
      await damage(inner, `/.v/f/a/${name}`, 'not ours');
    }
    expect(await history.versions('/a')).toHaveLength(2);
    await history.compact();
    await files.remove('/a');
    await damage(inner, '/.v/trash/0000000abc.removed.%zz.', 'not ours');
    expect(await history.trash()).toHaveLength(1);
    await history.purge();
    expect(await history.trash()).toEqual([]);
  });
});

describe('a content that the storage knows to be damaged', () => {
  const lost = 'lost';

  /** A memory in which a content of this text is damaged, wherever it is. */
  function createDamageable() {
    const memory = memoryStorage();
    const inner: StorageDriver = {
      ...memory,
      async read(key, range) {
        const whole = await memory.read(key);
        if (whole && new TextDecoder().decode(whole.content) === lost) throw fileError('content_damaged', key.path);
        return memory.read(key, range);
      },
    };
    const storage = versionedStorage(inner);
    return { inner, storage, files: createFiles(storage.as({ turn: 't' })), history: storage.history };
  }

  it('is written over, moved, removed and restored as any other', async () => {
    const { inner, files, history } = createDamageable();
    for (const path of ['/a', '/b']) await files.write(path, 'good');
    const content = new TextEncoder().encode(lost);
    const changes = ['/a', '/b'].map((path) => ({ type: 'write', tree: 'files', path, content }) as const);
    await inner.commit({ expect: [], changes, time: 1 });
    await expect(files.read('/a')).rejects.toMatchObject({ code: 'content_damaged', path: '/a' });
    await files.write('/a', lost.toUpperCase());
    expect(await history.versions('/a')).toHaveLength(2);
    await expect(history.read('/a', 1)).rejects.toMatchObject({ code: 'content_damaged', path: '/a' });
    expect(new TextDecoder().decode((await history.read('/a', 2)).bytes)).toBe('LOST');
    await files.remove('/b');
    const [trashed] = await history.trash();
    await history.restore(trashed?.id ?? '', { to: '/c' });
    await expect(files.read('/c')).rejects.toMatchObject({ code: 'content_damaged', path: '/c' });
    await expect(history.undo('t')).rejects.toMatchObject({ code: 'content_damaged', path: '/a' });
    expect((await files.readText('/a')).text).toBe('LOST');
  });

  it('that says what is in the trash, or what a turn did, is a damaged note', async () => {
    const { inner, files, history } = createDamageable();
    for (const path of ['/a', '/b']) await files.write(path, 'kept');
    for (const path of ['/a', '/b']) await files.remove(path);
    await damage(inner, `${await onlyPathIn(inner, '/.v/trash')}/about.json`, lost);
    const [first, second] = await history.trash();
    expect([first?.path, second?.path]).toEqual([expect.stringMatching(/^\/restored-/), '/b']);
    expect((await history.restore(first?.id ?? '')).path).toBe(first?.path);
    await damage(inner, await onlyPathIn(inner, '/.v/turns/t'), lost);
    await expect(history.undo('t')).rejects.toMatchObject({ code: 'EIO' });
  });
});
