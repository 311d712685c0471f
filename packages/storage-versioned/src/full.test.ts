import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFiles } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { Files } from '@utensil/core';
import type { StorageChange, StorageCommit, StorageDriver } from '@utensil/core/storage';
import { filesystemStorage } from '@utensil/storage-filesystem';
import { memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import { parseTrashName } from './trash-name.ts';
import { versionedStorage } from './versioned.ts';
import type { VersionedStorage } from './versioned.ts';

const day = 24 * 60 * 60 * 1000;
const start = 1_700_000_000_000;

/** Changes that a full storage refuses. Every kind refuses contents. */
const kindsOfFull: Readonly<Record<string, (changes: readonly StorageChange[]) => boolean>> = {
  'for contents': () => false,
  'for contents and directories': (changes) => changes.some(({ type }) => type === 'make-directory'),
  'for contents and the journal of several changes': (changes) => changes.length > 1,
  'for anything new, even a name': (changes) => changes.length > 1 || changes.some(({ type }) => type !== 'remove'),
};

/** A storage with limited space in both trees, which refuses excess changes. */
function limited(inner: StorageDriver, kind: keyof typeof kindsOfFull, code: 'ENOSPC' | 'EDQUOT' = 'ENOSPC') {
  let limit = Infinity;
  async function usage(): Promise<number> {
    const all = { path: '/', depth: 99, limit: 100_000 };
    const trees = await Promise.all([inner.list({ tree: 'files', ...all }), inner.list({ tree: 'records', ...all })]);
    return trees.flat().reduce((total, { size }) => total + size, 0);
  }
  async function commit(given: StorageCommit) {
    const { changes } = given;
    const added = changes.reduce((total, change) => total + (change.type === 'write' ? change.content.length : 0), 0);
    const used = limit === Infinity ? 0 : await usage();
    const isRefused = used + added > limit || (used >= limit && kindsOfFull[kind]?.(changes) === true);
    if (isRefused) throw fileError(code, changes.at(-1)?.path ?? '/', { hint: 'Make room.' });
    return inner.commit(given);
  }
  const fill = async (): Promise<void> => void (limit = await usage());
  return { driver: { ...inner, commit } satisfies StorageDriver, fill };
}

/** A storage with a clock, files of one turn, and a function to fill it. */
function create(kind: keyof typeof kindsOfFull, code?: 'ENOSPC' | 'EDQUOT') {
  const clock = { time: start };
  const now = (): number => (clock.time += 7);
  const inner = memoryStorage();
  const { driver, fill } = limited(inner, kind, code);
  const lists: string[] = [];
  const list: StorageDriver['list'] = (query) => {
    lists.push(query.path);
    return driver.list(query);
  };
  const storage = versionedStorage({ ...driver, list }, { now });
  const files = createFiles(storage.as({ actor: 'ann', turn: 't' }), { now });
  const roomy = versionedStorage(inner, { now });
  return { clock, fill, storage, history: storage.history, files, inner, roomy, lists };
}

async function textsOf({ history }: Pick<VersionedStorage, 'history'>, path: string): Promise<readonly string[]> {
  const versions = await history.versions(path);
  const read = versions.map(async ({ number }) => (await history.read(path, number)).bytes);
  return (await Promise.all(read)).map((bytes) => new TextDecoder().decode(bytes));
}

async function fillWithFiles(files: Files): Promise<void> {
  for (const text of ['one', 'two', 'three']) await files.write('/notes/a!b%21.md', text);
  for (const text of ['1', '2']) await files.write('/d/x', text);
  await files.write('/d/e/y', 'y'.repeat(500));
  await files.write('/kept', 'kept');
}

const withoutNames = Object.keys(kindsOfFull).filter((kind) => kind !== 'for anything new, even a name');

describe.each(withoutNames)('a storage that is full %s', (kind) => {
  it.each(['ENOSPC', 'EDQUOT'] as const)('removes a file (%s) and restores it with its versions', async (code) => {
    const { fill, files, history, storage, roomy } = create(kind, code);
    await fillWithFiles(files);
    await fill();
    await expect(files.write('/new', 'x')).rejects.toMatchObject({ code, path: '/new' });
    await files.remove('/notes/a!b%21.md');
    expect(await files.stat('/notes/a!b%21.md')).toBeUndefined();
    const [trashed] = await history.trash();
    expect(trashed).toMatchObject({ path: '/notes/a!b%21.md', kind: 'file', reason: 'removed' });
    expect(trashed?.author).toEqual({ actor: 'ann', turn: 't' });
    await roomy.history.restore(trashed?.id ?? '');
    expect(await textsOf(storage, '/notes/a!b%21.md')).toEqual(['one', 'two', 'three']);
    expect(await history.trash()).toEqual([]);
  });

  it('removes a directory, and makes room by purging it with the versions of its files', async () => {
    const { fill, files, history, inner } = create(kind);
    await fillWithFiles(files);
    await fill();
    await files.remove('/d', { recursive: true });
    const [trashed] = await history.trash();
    expect(trashed).toMatchObject({ path: '/d', kind: 'directory' });
    await history.purge(trashed?.id);
    const left = await inner.list({ tree: 'records', path: '/.v', depth: 99, limit: 1000 });
    expect(left.filter(({ path }) => path.includes('/d/') || path.includes('/trash/'))).toEqual([]);
    await files.write('/new', 'x');
    expect((await files.readText('/kept')).text).toBe('kept');
  });

  it('undoes a turn that removed a file without room for a note', async () => {
    const { fill, files, history, storage, roomy } = create(kind);
    await fillWithFiles(createFiles(storage));
    await files.write('/kept', 'by the turn');
    await fill();
    await files.remove('/notes/a!b%21.md');
    await files.remove('/d', { recursive: true });
    await roomy.history.undo('t');
    expect((await files.readText('/kept')).text).toBe('kept');
    expect(await textsOf(storage, '/notes/a!b%21.md')).toEqual(['one', 'two', 'three']);
    expect(await textsOf(storage, '/d/x')).toEqual(['1', '2']);
    await expect(history.undo('t')).rejects.toMatchObject({ code: 'ESTALE' });
  });

  it('keeps a removed file whose path is too long for a name', async () => {
    const { fill, files, history, roomy } = create(kind);
    const path = `/${'long name '.repeat(24)}`;
    await files.write(path, 'text');
    await fill();
    await files.remove(path);
    const [trashed] = await history.trash();
    expect(trashed).toMatchObject({ path: `/restored-${trashed?.id.slice(0, 10)}`, kind: 'file' });
    await expect(history.undo('t')).rejects.toThrow(/EIO.*restore '.*' from the trash first/);
    await roomy.history.restore(trashed?.id ?? '', { to: '/back' });
    expect((await files.readText('/back')).text).toBe('text');
  });

  it('erases a version, empties the trash and applies the retention', async () => {
    const { fill, files, history, clock } = create(kind);
    await fillWithFiles(files);
    for (const path of ['/p', '/q', '/r']) await files.write(path, path);
    for (const path of ['/p', '/q', '/r']) await files.remove(path);
    await fill();
    await history.erase('/notes/a!b%21.md', 1);
    const versions = await history.versions('/notes/a!b%21.md');
    expect(versions.map(({ isErased = false }) => isErased)).toEqual([true, false, false]);
    await fill();
    await history.purge((await history.trash())[0]?.id);
    await fill();
    await history.purge();
    expect(await history.trash()).toEqual([]);
    clock.time += 31 * day;
    await fill();
    expect((await history.compact({ retention: { versions: 1, days: 1 } })).versions).toBeGreaterThan(0);
  });

  it('frees space for a write only as its retention allows', async () => {
    const { fill, files, history, clock, storage } = create(kind);
    await fillWithFiles(files);
    await files.write('/expired', 'a text that is long enough');
    await files.remove('/expired');
    clock.time += 20 * day;
    await files.write('/recent', 'another');
    await files.remove('/recent');
    clock.time += 20 * day;
    await fill();
    await files.write('/new', 'x');
    expect((await history.trash()).map(({ path }) => path)).toEqual(['/recent']);
    expect(await textsOf(storage, '/kept')).toEqual(['kept']);
    await fill();
    await expect(files.write('/newer', 'x')).rejects.toMatchObject({ code: 'ENOSPC' });
  });
});

describe('a full storage', () => {
  it('applies its retention at most once an hour, not on every refused change', async () => {
    const { lists, fill, files, clock } = create('for contents');
    await fillWithFiles(files);
    await fill();
    const looks = (): number => lists.filter((path) => path === '/.v/f').length;
    for (let index = 0; index < 5; index++) await expect(files.write('/new', 'x')).rejects.toThrow('ENOSPC');
    const first = looks();
    expect(first).toBeGreaterThan(0);
    for (let index = 0; index < 5; index++) await expect(files.write('/new', 'x')).rejects.toThrow('ENOSPC');
    expect(looks()).toBe(first);
    clock.time += day;
    await expect(files.write('/new', 'x')).rejects.toThrow('ENOSPC');
    expect(looks()).toBeGreaterThan(first);
  });

  it('removes several files together or none of them', async () => {
    const { fill, files, history } = create('for contents');
    for (const path of ['/a', '/b', '/c']) await files.write(path, path);
    await fill();
    await files.batch(async (staged) => {
      for (const path of ['/a', '/b', '/c']) await staged.remove(path);
    });
    expect((await history.trash()).map(({ path }) => path)).toEqual(['/a', '/b', '/c']);
  });

  it('refuses to remove several files if it could not do it in one commit', async () => {
    const { fill, files } = create('for contents and the journal of several changes');
    for (const path of ['/a', '/b']) await files.write(path, path);
    await fill();
    const removing = files.batch(async (staged) => {
      for (const path of ['/a', '/b']) await staged.remove(path);
    });
    await expect(removing).rejects.toMatchObject({ code: 'ENOSPC' });
    expect((await files.list('/')).entries).toHaveLength(2);
  });

  it('permanently removes a file that it has no room to move, and loses nothing else', async () => {
    const { fill, files, history, storage } = create('for anything new, even a name');
    await fillWithFiles(files);
    await fill();
    await files.remove('/notes/a!b%21.md');
    expect(await history.trash()).toEqual([]);
    expect(await textsOf(storage, '/notes/a!b%21.md')).toEqual(['one', 'two']);
    expect((await files.readText('/kept')).text).toBe('kept');
    expect(await textsOf(storage, '/d/x')).toEqual(['1', '2']);
  });

  it('never removes a file that was changed in the meantime', async () => {
    const { fill, files, history } = create('for contents and the journal of several changes');
    const { etag } = await files.write('/a', 'as read');
    await files.write('/a', 'changed');
    await fill();
    await expect(files.remove('/a', { ifMatch: etag })).rejects.toMatchObject({ code: 'ECONFLICT' });
    expect((await files.readText('/a')).text).toBe('changed');
    expect(await history.trash()).toEqual([]);
  });

  it('removes an empty directory, and refuses one that is not', async () => {
    const { fill, files } = create('for contents and the journal of several changes');
    await files.makeDirectory('/empty');
    await files.write('/d/x', 'x');
    await fill();
    await files.remove('/empty');
    await expect(files.remove('/d')).rejects.toMatchObject({ code: 'ENOTEMPTY' });
    expect(await files.stat('/empty')).toBeUndefined();
  });

  it('drops trash names once they expire', async () => {
    const { fill, files, history, inner, clock } = create('for contents');
    await fillWithFiles(files);
    await fill();
    await files.remove('/notes/a!b%21.md');
    expect((await history.trash()).map(({ id }) => parseTrashName(id)?.bare)).toEqual([{ path: '/notes/a!b%21.md' }]);
    clock.time += 31 * day;
    expect(await history.compact()).toMatchObject({ trashed: 2 });
    expect(await inner.list({ tree: 'records', path: '/.v/trash', depth: 9, limit: 9 })).toEqual([]);
  });

  it('does not reveal the path of versions in its errors', async () => {
    const { fill, files } = create('for contents');
    await files.write('/a', 'a');
    await fill();
    const error: unknown = await files.write('/a', 'more').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'ENOSPC', path: '/a' });
    expect(String(error)).not.toContain('/.v');
  });
});

/** A disk of 1 MB, if this user may mount one. */
function mountSmallDisk(): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'utensil-full-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory], { stdio: 'ignore' });
    return directory;
  } catch {
    rmSync(directory, { recursive: true });
    return undefined;
  }
}

/** Writes a file until the disk is full to the last byte. */
function fillDisk(filler: string): void {
  const file = openSync(filler, 'a');
  for (let size = 65_536; size >= 1; size = size >> 1) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch {
      // No further piece of this size fits.
    }
  }
  closeSync(file);
}

describe('a real disk of 1 MB that is full', () => {
  it('accepts removals, purges, erasures and compactions, which free space', async ({ skip }) => {
    const disk = mountSmallDisk();
    if (disk === undefined) return skip('This user may not mount a disk.');
    try {
      await expect(useFullDisk(disk)).resolves.toBeUndefined();
    } finally {
      execFileSync('umount', [disk]);
      rmSync(disk, { recursive: true });
    }
  });

  async function useFullDisk(disk: string): Promise<void> {
    const inner = filesystemStorage(join(disk, 'root'));
    const { history, ...storage } = versionedStorage(inner, { author: { actor: 'a', turn: 't' } });
    const files = createFiles(storage);
    const filler = join(disk, 'filler');
    for (const text of ['a', 'b', 'c']) await files.write('/big', text.repeat(50_000));
    await files.write('/d/x', '1');
    await files.write('/d/x', '2');
    await files.write('/small', 'small');
    fillDisk(filler);
    await expect(files.write('/new', 'x'.repeat(50_000))).rejects.toMatchObject({ code: 'ENOSPC', path: '/new' });
    await files.remove('/d', { recursive: true });
    await files.remove('/small');
    expect((await history.trash()).map(({ path }) => path)).toEqual(['/d', '/small']);
    const [directory] = await history.trash();
    rmSync(filler);
    await history.restore(directory?.id ?? '');
    expect(await textsOf({ history }, '/d/x')).toEqual(['1', '2']);
    fillDisk(filler);
    await files.remove('/big');
    await history.purge((await history.trash()).find(({ path }) => path === '/big')?.id);
    await files.write('/new', 'x'.repeat(50_000));
    expect(await textsOf({ history }, '/d/x')).toEqual(['1', '2']);
    fillDisk(filler);
    await history.erase('/d/x', 1);
    await history.purge();
    expect(await history.trash()).toEqual([]);
    await history.compact({ retention: { versions: 1, days: 0 } });
    expect((await files.readText('/d/x')).text).toBe('2');
    await storage.close();
  }
});
