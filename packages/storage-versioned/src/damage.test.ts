import { createFiles, isUtensilError } from '@utensil/core';
import { ancestorsOf, fileError } from '@utensil/core/files';
import type { StorageDriver } from '@utensil/core/storage';
import { memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { versionedStorage } from './versioned.ts';

/** A memory storage that rejects paths that are not normalized, which core promises never to request. */
function create() {
  const base = memoryStorage();
  const check = (path: string): void => {
    expect(path).toMatch(/^\/$|^(?:\/(?!\.{1,2}(?:\/|$))[^/]+)+$/);
  };
  const inner: StorageDriver = {
    ...base,
    read: async (key, range) => base.read(key, range),
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

function codeOf(error: unknown): unknown {
  return isUtensilError(error) ? error.code : error;
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
  '{"path":"/x","kind":["file"]}',
  '{"path":"/x","kind":"__proto__"}',
  '{"__proto__":{"path":"/x","kind":"file"}}',
  '{"version":2,"at":{"path":"/x"}}',
  '{"path":"/x","kind":"file"}\n00000000\n',
  '{"path":"/x","kind":"file"}\n\n{}',
  '['.repeat(40),
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
  '[{"type":"__proto__","path":"/a"}]',
  '[{"type":"constructor","path":"/a"}]',
  '[{"type":["write"],"path":"/a"}]',
  '[[{"type":"write","path":"/a"}]]',
  '{"version":2,"done":[{"type":"write","path":"/a"}]}',
  '[{"type":"write","path":"/a"}]\n00000000\n',
  '',
  '7',
  '"/a"',
];

describe('a damaged history', () => {
  it.each(hostileAbouts)('restores a trash entry with the record %j', async (about) => {
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

  it('restores a trash entry without a record', async () => {
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

  it.each(hostileTurns)('undoes nothing if the record of the turn is %j', async (done) => {
    const { inner, storage, history } = create();
    const files = createFiles(storage.as({ turn: 't' }));
    await files.write('/a', 'a');
    await damage(inner, await onlyPathIn(inner, '/.v/turns/t'), done);
    const error: unknown = await history.undo('t').catch((thrown: unknown) => thrown);
    expect(isUtensilError(error, 'EIO')).toBe(true);
    expect((await files.readText('/a')).text).toBe('a');
  });

  it('ignores names that it did not create', async () => {
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

  it.each(['about.json', '/.v/turns/t'])(
    'detects a note (%s) that was changed into another valid one',
    async (which) => {
      const { inner, storage, history } = create();
      const files = createFiles(storage.as({ turn: 't' }));
      await files.write('/a', 'text');
      await files.remove('/a');
      const [trash] = await inner.list({ tree: 'records', path: '/.v/trash', depth: 1, limit: 1 });
      const path = which === 'about.json' ? `${trash?.path}/${which}` : await onlyPathIn(inner, which);
      const found = await inner.read({ tree: 'records', path });
      const text = new TextDecoder().decode(found?.content);
      expect(text).toContain('"/a"');
      await damage(inner, path, text.replaceAll('"/a"', '"/b"'));
      const undone = which === 'about.json' ? 'EIO' : await history.undo('t').then(String, codeOf);
      expect(undone).toBe('EIO');
      const [trashed] = await history.trash();
      expect(trashed?.path).not.toBe('/b');
      await history.restore(trashed?.id ?? '', { to: '/a' });
      expect((await files.readText('/a')).text).toBe('text');
    },
  );

  it('throws only its own errors for arbitrary notes, and loses nothing else', async () => {
    const edits = fc.array(fc.record({ at: fc.nat(), byte: fc.nat(255), cut: fc.boolean() }), {
      minLength: 1,
      maxLength: 3,
    });
    const property = fc.asyncProperty(fc.constantFrom('about', 'first', 'second'), edits, async (which, changes) => {
      const { inner, storage, files, history } = create();
      await files.write('/kept', 'one');
      await files.write('/kept', 'two');
      const turn = createFiles(storage.as({ turn: 't' }));
      await turn.write('/d/a', 'a');
      await turn.remove('/d', { recursive: true });
      await createFiles(storage.as({ turn: 'other' })).write('/other', 'text');
      const directory = which === 'about' ? '/.v/trash' : '/.v/turns/t';
      const listed = await inner.list({ tree: 'records', path: directory, depth: 2, limit: 9 });
      const path = listed.filter((each) => each.path.endsWith('.json'))[which === 'second' ? 1 : 0]?.path ?? '';
      let content = (await inner.read({ tree: 'records', path }))?.content ?? new Uint8Array();
      for (const { at, byte, cut } of changes) {
        if (cut) content = content.slice(0, at % (content.length + 1));
        else content[at % Math.max(1, content.length)] = byte;
      }
      await inner.commit({ expect: [], changes: [{ type: 'write', tree: 'records', path, content }], time: 1 });
      const [trashed] = await history.trash();
      const outcome: unknown = await history.undo('t').catch((thrown: unknown) => thrown);
      expect(outcome === undefined || isUtensilError(outcome)).toBe(true);
      await history.undo('other');
      const isInTrash = outcome !== undefined;
      if (isInTrash) await history.restore(trashed?.id ?? '', { to: '/back' });
      expect(isInTrash ? (await files.readText('/back/a')).text : 'a').toBe('a');
      expect(await files.stat('/other')).toBeUndefined();
      expect(await history.versions('/kept')).toHaveLength(2);
      await turn.write('/again', 'text');
    });
    await expect(fc.assert(property, { numRuns: 150 })).resolves.toBeUndefined();
  });

  it.each(['about.json', '.json'])('loses only entries that the storage cannot read (%s)', async (ending) => {
    const { inner, storage, files, history } = create();
    const turn = createFiles(storage.as({ turn: 't' }));
    await turn.write('/a', 'text');
    await turn.remove('/a');
    await createFiles(storage.as({ turn: 'other' })).write('/b', 'text');
    const { read } = inner;
    inner.read = async (key, range) => {
      const isUnreadable = key.path.endsWith(ending) && !key.path.includes('/other/');
      if (isUnreadable) throw fileError('content_damaged', key.path, { hint: 'It was altered.' });
      return read(key, range);
    };
    const [trashed] = await history.trash();
    expect(trashed).toMatchObject({ kind: 'file' });
    const undone = ending === 'about.json' ? 'EIO' : await history.undo('t').then(String, codeOf);
    expect(undone).toBe('EIO');
    await history.restore(trashed?.id ?? '', { to: '/a' });
    expect((await files.readText('/a')).text).toBe('text');
    await history.undo('other');
    expect(await files.stat('/b')).toBeUndefined();
  });

  it('survives directories in place of files, and files in place of directories', async () => {
    const { inner, storage, files, history } = create();
    const turn = createFiles(storage.as({ turn: 't' }));
    await turn.write('/a', 'text');
    await turn.remove('/a');
    const stray = ['/.v/turns/t/0000000000.json', '/.v/f/b/0000000000v', '/.v/trash/0000000000.removed..'];
    for (const path of stray) await makeDirectories(inner, path);
    await damage(inner, '/.v/trash/0000000001.removed..', 'a file');
    await damage(inner, '/.v/turns/t/note.txt', 'not ours');
    for (const text of ['one', 'two']) await files.write('/b', text);
    expect(await history.versions('/b')).toHaveLength(2);
    expect((await history.trash()).map(({ kind }) => kind)).toEqual(['versions', 'versions', 'file']);
    for (const { id } of (await history.trash()).slice(0, 2)) {
      await expect(history.restore(id)).rejects.toMatchObject({ code: 'ENOENT' });
      await history.purge(id);
    }
    await history.undo('t');
    await history.compact();
    expect((await files.list('/')).entries.map(({ path }) => path)).toEqual(['/b']);
  });

  it('keeps new versions even after a name with the highest id', async () => {
    const { inner, files, history } = create();
    await files.write('/a', 'one');
    await files.write('/a', 'two');
    await damage(inner, '/.v/f/a/zzzzzzzzzzv', 'not ours');
    for (const text of ['three', 'four']) await createFiles(versionedStorage(inner)).write('/a', text);
    const read = (await history.versions('/a')).map(async ({ number }) => (await history.read('/a', number)).bytes);
    const texts = (await Promise.all(read)).map((bytes) => new TextDecoder().decode(bytes));
    expect(texts).toEqual(expect.arrayContaining(['one', 'two', 'three', 'four']));
  });

  it.each(['../files/a', '/', '', '.', '..', 'x/../..', '0000000000.removed..a/b', '__proto__'])(
    'finds nothing under the id %j',
    async (id) => {
      const { files, history } = create();
      await files.write('/a', 'text');
      await files.remove('/a');
      await expect(history.restore(id)).rejects.toMatchObject({ code: 'ESTALE' });
      await expect(history.purge(id)).rejects.toMatchObject({ code: 'ESTALE' });
      expect(await history.trash()).toHaveLength(1);
    },
  );
});

describe('a content that the storage reports as damaged', () => {
  const lost = 'lost';

  /** A memory storage in which every content of this text is damaged. */
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

  it('can be overwritten, moved, removed and restored like any other', async () => {
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

  it('of a trash note or turn note is a damaged note', async () => {
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

async function makeDirectories(driver: StorageDriver, path: string): Promise<void> {
  for (const each of [...ancestorsOf(path), path]) {
    await driver.commit({ expect: [], changes: [{ type: 'make-directory', tree: 'records', path: each }], time: 1 });
  }
}
