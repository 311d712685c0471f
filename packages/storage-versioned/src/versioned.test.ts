import { createFiles, isUtensilError } from '@utensil/core';
import type { Files } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import { checkFiles, recordSuite, storageSuite, threadSuite } from '@utensil/core/testing';
import type { StorageBackend } from '@utensil/core/testing';
import { memoryState, memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { describe, expect, it, test, vi } from 'vitest';
import { versionedStorage } from './versioned.ts';
import type { VersionedStorage, VersionedStorageOptions } from './versioned.ts';

const start = 1_700_000_000_001;
const day = 24 * 60 * 60 * 1000;

/** A storage with a settable clock, which ticks on each read. */
function create(options: VersionedStorageOptions = {}, inner: StorageDriver = memoryStorage()) {
  const clock = { time: start };
  const now = (): number => (clock.time += 7);
  const storage = versionedStorage(inner, { now, ...options });
  const filesOf = (driver: StorageDriver): Files => createFiles(driver, { now });
  return { inner, storage, files: filesOf(storage), history: storage.history, clock, filesOf };
}

async function textsOf({ history }: VersionedStorage, path: string): Promise<readonly string[]> {
  const versions = await history.versions(path);
  const read = versions.map(async ({ number }) => (await history.read(path, number)).bytes);
  return (await Promise.all(read)).map((bytes) => new TextDecoder().decode(bytes));
}

async function contentOf(files: Files): Promise<Readonly<Record<string, string>>> {
  const content: Record<string, string> = {};
  for (const { path, kind } of (await files.list('/', { depth: 32 })).entries) {
    content[path] = kind === 'file' ? (await files.readText(path)).text : '(directory)';
  }
  return content;
}

describe('versionedStorage', () => {
  const make = (): StorageBackend => {
    const state = memoryState();
    const open = async (namespace: string): Promise<StorageDriver> =>
      versionedStorage(memoryStorage({ state, namespace }), { author: { actor: 'a', turn: 't' } });
    return { open, destroy: async () => {} };
  };
  storageSuite({ test }, make);
  recordSuite({ test }, make);
  threadSuite({ test }, make);

  it('behaves like a plain map under random operations', async () => {
    const seeds = fc.asyncProperty(fc.nat(), (seed) => checkFiles(createFiles(create().storage), { seed }));
    await expect(fc.assert(seeds, { numRuns: 60 })).resolves.toBeUndefined();
  });

  it('passes contents on without a copy, and looks each entry up once', async () => {
    const inner = memoryStorage();
    const [commit, stat] = [vi.spyOn(inner, 'commit'), vi.spyOn(inner, 'stat')];
    const content = new Uint8Array(3);
    const write = { type: 'write', tree: 'files', path: '/a', content } as const;
    for (let time = 1; time < 3; time++) await versionedStorage(inner).commit({ expect: [], changes: [write], time });
    const given = commit.mock.calls.flatMap(([{ changes }]) => changes.filter(({ type }) => type === 'write'));
    expect(given.map((change) => change.type === 'write' && change.content === content)).toEqual([true, true]);
    const asked = stat.mock.calls.slice(-2).flatMap(([keys]) => keys.map(({ tree, path }) => tree + path));
    expect(new Set(asked).size).toBe(asked.length);
  });
});

describe('versions', () => {
  it('[S0-24] keeps what each change replaces, the first content as version 1', async () => {
    const { files, history, storage } = create();
    for (const text of ['one', 'two', 'two', 'three']) await files.write('/a.txt', text);
    expect(await textsOf(storage, '/a.txt')).toEqual(['one', 'two', 'three']);
    expect((await history.versions('/a.txt')).map(({ number, id, size }) => [number, id === 'current', size])).toEqual([
      [1, false, 3],
      [2, false, 3],
      [3, true, 5],
    ]);
    await expect(history.versions('/b.txt')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(history.read('/a.txt', 9)).rejects.toMatchObject({ code: 'ESTALE' });
  });

  it('[S0-20] [A0-07] keeps the history of a file that is renamed, and of those in a directory that is', async () => {
    const { files, storage } = create();
    await files.write('/d/a', 'one');
    await files.write('/d/a', 'two');
    await files.move('/d/a', '/d/b');
    await files.write('/d/b', 'three');
    await files.move('/d', '/e');
    expect(await textsOf(storage, '/e/b')).toEqual(['one', 'two', 'three']);
    await files.write('/d/b', 'another');
    expect(await textsOf(storage, '/d/b')).toEqual(['another']);
  });

  it('names the author of each version, even if earlier ones were dropped', async () => {
    const { storage, history, filesOf, files } = create({ retention: { versions: 2 } });
    await filesOf(storage.as({ actor: 'ann' })).write('/a', 'a');
    await filesOf(storage.as({ actor: 'bob', turn: 't/1' })).write('/a', 'b');
    await files.write('/a', 'c');
    await filesOf(storage.as({ actor: 'Dö.' })).write('/a', 'd');
    await filesOf(storage.as({ actor: 'eve' })).write('/a', 'e');
    const authors = async () => (await history.versions('/a')).map(({ author }) => author ?? null);
    const all = [{ actor: 'ann' }, { actor: 'bob', turn: 't/1' }, null, { actor: 'Dö.' }, { actor: 'eve' }];
    expect(await authors()).toEqual(all);
    await history.compact();
    expect(await authors()).toEqual(all.slice(2));
    await history.compact({ retention: { versions: 1 } });
    expect(await authors()).toEqual(all.slice(3));
  });

  it('rolls back, shows differences and erases', async () => {
    const { files, history, storage } = create();
    await files.write('/a.md', 'one\ntwo\n');
    await files.write('/a.md', 'one\nthree\n');
    expect(await history.diff('/a.md', 1)).toContain('-two\n+three');
    expect(await history.diff('/a.md', 2, 'current')).toBe('');
    await history.rollBack('/a.md', 1);
    expect(await textsOf(storage, '/a.md')).toEqual(['one\ntwo\n', 'one\nthree\n', 'one\ntwo\n']);
    await history.erase('/a.md', 2);
    expect((await history.versions('/a.md')).map(({ isErased = false }) => isErased)).toEqual([false, true, false]);
    await expect(history.read('/a.md', 2)).rejects.toMatchObject({ code: 'ESTALE' });
    await expect(history.erase('/a.md', 'current')).rejects.toMatchObject({ code: 'EINVAL' });
    await files.write('/a.md', Uint8Array.of(0, 255, 1));
    await expect(history.diff('/a.md', 1)).rejects.toMatchObject({ code: 'binary_file' });
  });

  it('[S0-24] drops all but the newest of each time in tiers', async () => {
    const { files, history, clock } = create({ retention: 'tiered' });
    const ages = [400, 380, 20.1, 20.05, 20, 2.001, 2, 0.02, 0.01, 0.005];
    for (const age of ages) {
      clock.time = start + 500 * day - age * day;
      await files.write('/a', `${age} days old`);
    }
    clock.time = start + 500 * day;
    const versions = await history.versions('/a');
    expect(versions).toHaveLength(10);
    expect(await history.compact()).toEqual({ versions: 5, trashed: 0 });
    const kept = await Promise.all((await history.versions('/a')).map(({ id }) => history.read('/a', id)));
    expect(kept.map(({ bytes }) => new TextDecoder().decode(bytes))).toEqual(
      [20, 2, 0.02, 0.01, 0.005].map((age) => `${age} days old`),
    );
    expect(kept.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  });

  it('keeps all of a day in tiers, of whatever time they are', async () => {
    const { files, history, clock } = create({ retention: 'tiered', now: () => start });
    for (let index = 0; index < 12; index++) {
      clock.time = start - 1;
      await files.write('/a', `${index}`);
    }
    await history.compact();
    expect(await history.versions('/a')).toHaveLength(12);
  });

  it('keeps time and place of erased versions', async () => {
    const { files, history } = create();
    for (const text of ['one', 'two', 'three']) await files.write('/a', text);
    const before = await history.versions('/a');
    await history.erase('/a', 2);
    const after = await history.versions('/a');
    expect(after.map(({ modifiedAt }) => modifiedAt)).toEqual(before.map(({ modifiedAt }) => modifiedAt));
    await history.compact();
    expect((await history.versions('/a')).map(({ isErased = false }) => isErased)).toEqual([false, true, false]);
  });

  it('applies the retention with fractional clock values', async () => {
    let time = start + 0.25;
    const storage = versionedStorage(memoryStorage(), { retention: { versions: 5 } });
    const files = createFiles(storage, { now: () => (time += 7.5) });
    for (let index = 0; index < 100; index++) await files.write('/a', `${index}`);
    expect((await storage.history.versions('/a')).length).toBeLessThan(60);
  });

  it('keeps at most the configured number of versions, plus a few between two listings', async () => {
    const { files, history } = create({ retention: { versions: 5 } });
    for (let index = 0; index < 100; index++) await files.write('/a', `${index}`);
    expect((await history.versions('/a')).length).toBeLessThanOrEqual(5 + 16 + 1);
    await history.compact();
    expect(await history.versions('/a')).toHaveLength(6);
  });

  it('keeps the versions of two independent writers', async () => {
    const state = memoryState();
    const one = create({}, memoryStorage({ state }));
    const other = create({}, memoryStorage({ state }));
    const appends = Array.from({ length: 20 }, (_, index) =>
      Promise.all([one.files.append('/log', `a${index}\n`), other.files.append('/log', `b${index}\n`)]),
    );
    await Promise.all(appends);
    expect((await one.files.readText('/log')).text.trim().split('\n')).toHaveLength(40);
    expect(await one.history.versions('/log')).toHaveLength(40);
  });

  it('[S0-23] keeps a text that was overwritten by bytes', async () => {
    const { files, history } = create();
    await files.write('/a', 'a text');
    await files.write('/a', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a));
    await history.rollBack('/a', 1);
    expect((await files.readText('/a')).text).toBe('a text');
    expect(await history.versions('/a')).toHaveLength(3);
  });
});

describe('trash', () => {
  it('[S0-22] [A0-07] takes what is removed, and gives it back with its versions', async () => {
    const { files, history, storage } = create();
    await files.write('/d/a', 'one');
    await files.write('/d/a', 'two');
    await files.write('/d/e/b', 'b');
    const before = await contentOf(files);
    await files.remove('/d', { recursive: true });
    expect(await contentOf(files)).toEqual({});
    const [trashed] = await history.trash();
    expect(trashed).toMatchObject({ path: '/d', kind: 'directory', reason: 'removed' });
    await history.restore(trashed?.id ?? '');
    expect(await contentOf(files)).toEqual(before);
    expect(await textsOf(storage, '/d/a')).toEqual(['one', 'two']);
    expect(await history.trash()).toEqual([]);
  });

  it('[D0-09] [A0-07] loses nothing if a file is created in place of a removed one', async () => {
    const { files, history, storage } = create();
    await files.write('/a', 'old');
    await files.write('/a', 'older no more');
    await files.remove('/a');
    await files.write('/a', 'new');
    expect(await textsOf(storage, '/a')).toEqual(['new']);
    const [trashed] = await history.trash();
    await expect(history.restore(trashed?.id ?? '')).rejects.toMatchObject({ code: 'EEXIST' });
    await history.restore(trashed?.id ?? '', { to: '/back/a' });
    expect(await textsOf(storage, '/back/a')).toEqual(['old', 'older no more']);
    expect(await textsOf(storage, '/a')).toEqual(['new']);
  });

  it('[S0-23] takes a file that another one was moved over, with its own history', async () => {
    const { files, history, storage } = create();
    await files.write('/from', 'one');
    await files.write('/from', 'two');
    await files.write('/to', 'old');
    await files.move('/from', '/to', { overwrite: true });
    expect(await textsOf(storage, '/to')).toEqual(['one', 'two']);
    const [orphan] = await history.trash();
    expect(orphan).toMatchObject({ path: '/to', kind: 'file', reason: 'replaced' });
    await history.restore(orphan?.id ?? '', { to: '/kept' });
    expect(await textsOf(storage, '/kept')).toEqual(['old']);
  });

  it('[D0-14] leaves no trace of purged files', async () => {
    const { files, history, inner } = create();
    await files.write('/d/a', 'secret 1');
    await files.write('/d/a', 'secret 2');
    await files.remove('/d', { recursive: true });
    const [trashed] = await history.trash();
    await history.purge(trashed?.id);
    await history.compact();
    const records = await inner.list({ tree: 'records', path: '/.v', depth: 32, limit: 100 });
    expect(records.filter(({ kind }) => kind === 'file')).toEqual([]);
    await expect(history.purge(trashed?.id)).rejects.toMatchObject({ code: 'ESTALE' });
    await history.purge();
    await expect(history.restore('nothing')).rejects.toMatchObject({ code: 'ESTALE' });
  });

  it('[S0-22] is emptied of what is older than seven days, in tiers', async () => {
    const { files, history, clock } = create({ retention: 'tiered' });
    await files.write('/old', 'x');
    await files.remove('/old');
    clock.time += 5 * day;
    await files.write('/new', 'x');
    await files.remove('/new');
    clock.time += 3 * day;
    expect(await history.compact()).toMatchObject({ trashed: 1 });
    expect((await history.trash()).map(({ path }) => path)).toEqual(['/new']);
  });

  it('does not keep empty directories', async () => {
    const { files, history } = create();
    await files.makeDirectory('/d');
    await files.remove('/d');
    expect(await history.trash()).toEqual([]);
  });
});

describe('undo', () => {
  it('undoes all changes of a turn, and nothing else', async () => {
    const { files, storage, history, filesOf } = create();
    await files.write('/kept', 'kept');
    await files.write('/d/moved', 'moved');
    await files.write('/removed', 'removed');
    await files.write('/edited', 'before');
    const before = await contentOf(files);
    const turn = filesOf(storage.as({ actor: 'assistant', turn: 'turn 1' }));
    await turn.write('/edited', 'after');
    await turn.append('/edited', ' and more');
    await turn.write('/made/by/it', 'made');
    await turn.move('/d', '/elsewhere');
    await turn.write('/elsewhere/moved', 'edited there');
    await turn.remove('/removed');
    await turn.write('/removed', 'made again');
    await history.undo('turn 1');
    expect(await contentOf(files)).toEqual(before);
    expect(await textsOf(storage, '/edited')).toEqual(['before', 'after', 'after and more', 'after', 'before']);
    await expect(history.undo('turn 1')).rejects.toMatchObject({ code: 'ESTALE' });
  });

  it('refuses if others changed the same files since, and names them', async () => {
    const { files, storage, history, filesOf } = create();
    await files.write('/a', 'a');
    const turn = filesOf(storage.as({ turn: 't' }));
    await turn.write('/a', 'by the turn');
    await turn.write('/b', 'by the turn');
    await turn.write('/c', 'by the turn');
    await files.write('/a', 'by a person');
    await files.append('/b', '!');
    const before = await contentOf(files);
    await expect(history.undo('t')).rejects.toThrow("Changed since by somebody else: '/b', '/a'.");
    expect(await contentOf(files)).toEqual(before);
  });

  it('is the inverse of any work', async () => {
    const seeds = fc.asyncProperty(fc.nat(), fc.array(fc.nat(), { maxLength: 15 }), async (seed, picks) => {
      const { files, storage, history, filesOf } = create();
      await checkFiles(files, { seed, steps: 15 });
      const before = await contentOf(files);
      const turn = filesOf(storage.as({ turn: 't' }));
      for (const pick of picks) await randomCall(turn, pick).catch(() => {});
      const isChanged = JSON.stringify(await contentOf(files)) !== JSON.stringify(before);
      const undone = await history.undo('t').then(
        () => 'undone',
        (error: unknown) => (isUtensilError(error, 'ESTALE') && !isChanged ? 'nothing to undo' : error),
      );
      expect(['undone', 'nothing to undo']).toContain(undone);
      expect(await contentOf(files)).toEqual(before);
    });
    await expect(fc.assert(seeds, { numRuns: 150 })).resolves.toBeUndefined();
  });
});

const places = ['/a', '/b', '/a/b', '/a/c.txt', '/b/a/b', '/é'];

function randomCall(files: Files, pick: number): Promise<unknown> {
  const path = places[pick % 6] ?? '/a';
  const other = places[(pick >> 4) % 6] ?? '/b';
  const calls = [
    () => files.write(path, `${pick}`),
    () => files.append(path, `${pick}`),
    () => files.remove(path, { recursive: true }),
    () => files.move(path, other, { overwrite: true }),
    () => files.makeDirectory(path),
    () => files.copy(path, other, { overwrite: true }),
  ];
  return calls[(pick >> 8) % 6]?.() ?? Promise.resolve();
}

describe('what it keeps', () => {
  it('is seen by nobody', async () => {
    const { files, storage } = create();
    await files.write('/a', 'one');
    await files.write('/a', 'two');
    const hidden = { tree: 'records', path: '/.v' } as const;
    expect(await storage.list({ tree: 'records', path: '/', depth: 32, limit: 100 })).toEqual([]);
    expect(await storage.list({ ...hidden, depth: 1, limit: 100 })).toEqual([]);
    expect(await storage.stat([hidden])).toEqual([undefined]);
    const write = { type: 'write', tree: 'records', path: '/.v/x', content: new Uint8Array() } as const;
    await expect(storage.commit({ expect: [], changes: [write], time: 1 })).rejects.toMatchObject({ code: 'EACCES' });
  });

  it('is not reported to watchers', async () => {
    const { files, storage } = create();
    await files.write('/a', 'one');
    const told: string[] = [];
    storage.watch((keys) => told.push(...keys.map(({ tree, path }) => `${tree}:${path}`)));
    await files.write('/a', 'two');
    await files.remove('/a');
    expect(new Set(told)).toEqual(new Set(['files:/a']));
  });

  it('refuses an author who is too long, or no text', () => {
    const { storage } = create();
    expect(() => storage.as({ actor: 'x'.repeat(41) })).toThrow(/at most 40/);
    expect(() => storage.as({ turn: '\ud800' })).toThrow(/EILSEQ/);
  });
});
