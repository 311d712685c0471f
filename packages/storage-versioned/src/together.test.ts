import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFiles } from '@utensil/core';
import type { Files } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import { filesystemStorage } from '@utensil/storage-filesystem';
import { memoryState, memoryStorage } from '@utensil/storage-memory';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { versionedStorage } from './versioned.ts';
import type { VersionedStorage } from './versioned.ts';

const time = 1_700_000_000_000;

/** Two independent storages with stopped clocks. */
function createTwo() {
  const state = memoryState();
  const open = (): VersionedStorage => versionedStorage(memoryStorage({ state }), { now: () => time });
  const filesOf = (storage: VersionedStorage, turn: string, actor: string): Files =>
    createFiles(storage.as({ turn, actor }), { now: () => time });
  return { inner: memoryStorage({ state }), one: open(), other: open(), filesOf };
}

async function textsOf({ history }: Pick<VersionedStorage, 'history'>, path: string): Promise<readonly string[]> {
  const read = (await history.versions(path)).map(async ({ id }) => (await history.read(path, id)).bytes);
  return (await Promise.all(read)).map((bytes) => new TextDecoder().decode(bytes));
}

describe('two storages over the same one', () => {
  it('keep the versions of a file in order, each under an id of its own, in turn', async () => {
    const { one, other, filesOf } = createTwo();
    const [ann, bob] = [filesOf(one, 't', 'ann'), filesOf(other, 'u', 'bob')];
    for (let index = 0; index < 40; index++) await (index % 3 === 0 ? bob : ann).write('/a', `${index}`);
    expect(await textsOf(one, '/a')).toEqual(Array.from({ length: 40 }, (_, index) => `${index}`));
    const versions = await other.history.versions('/a');
    expect(versions.map(({ author }) => author?.actor)).toEqual(
      versions.map((_, index) => (index % 3 === 0 ? 'bob' : 'ann')),
    );
    expect(new Set(versions.map(({ id }) => id)).size).toBe(40);
  });

  it('undo all of a turn that both wrote concurrently, with one clock', async () => {
    const { one, other, filesOf } = createTwo();
    const [ann, bob] = [filesOf(one, 't', 'ann'), filesOf(other, 't', 'ann')];
    for (const path of ['/a', '/b', '/c', '/d']) await createFiles(one).write(path, 'before');
    await Promise.all([
      ...['/a', '/b', '/new'].map((path) => ann.write(path, 'by the turn')),
      ...['/c', '/d', '/newer'].map((path) => bob.write(path, 'by the turn')),
    ]);
    for (const path of ['/e', '/f']) for (const files of [ann, bob]) await files.append(path, 'text');
    await Promise.all([ann.remove('/a'), bob.remove('/b')]);
    await one.history.undo('t');
    const files = createFiles(other);
    expect((await files.list('/')).entries.map(({ path }) => path)).toEqual(['/a', '/b', '/c', '/d']);
    for (const path of ['/a', '/b', '/c', '/d']) expect((await files.readText(path)).text).toBe('before');
  });

  it('make concurrent changes of one turn, each in one commit', async () => {
    const inner = memoryStorage();
    let commits = 0;
    const commit: StorageDriver['commit'] = (given) => {
      commits++;
      return inner.commit(given);
    };
    const { history, ...storage } = versionedStorage({ ...inner, commit }, { author: { turn: 't' }, now: () => time });
    const files = createFiles(storage, { now: () => time });
    await files.write('/first', 'text');
    commits = 0;
    await Promise.all(Array.from({ length: 50 }, (_, index) => files.write(`/${index}`, 'text')));
    expect(commits).toBe(50);
    await history.undo('t');
    expect((await files.list('/')).entries).toEqual([]);
  });

  it('give concurrently removed entries separate ids', async () => {
    const { one, other, filesOf } = createTwo();
    const [ann, bob] = [filesOf(one, 't', 'ann'), filesOf(other, 'u', 'bob')];
    await Promise.all([ann.write('/a', 'of ann'), bob.write('/b', 'of bob')]);
    await Promise.all([ann.remove('/a'), bob.remove('/b')]);
    const trash = await one.history.trash();
    expect(new Set(trash.map(({ id }) => id)).size).toBe(2);
    for (const { id, path } of trash) await one.history.restore(id, { to: `/back${path}` });
    expect(await textsOf(other, '/back/a')).toEqual(['of ann']);
    expect(await textsOf(other, '/back/b')).toEqual(['of bob']);
  });

  it('keep entries that both set aside concurrently', async () => {
    const { one, other, inner } = createTwo();
    const storages = [one, other];
    for (const [index, storage] of storages.entries()) {
      const files = createFiles(storage, { now: () => time });
      for (const path of [`/a${index}`, `/b${index}`]) for (const text of ['1', '2']) await files.write(path, text);
      await createFiles(inner).remove(`/b${index}`);
    }
    const move = (storage: VersionedStorage, index: number) =>
      createFiles(storage, { now: () => time }).move(`/a${index}`, `/b${index}`);
    await Promise.all(storages.map(move));
    expect((await one.history.trash()).map(({ path, kind }) => `${kind} ${path}`).sort()).toEqual([
      'versions /b0',
      'versions /b1',
    ]);
  });
});

describe('two processes over one directory', () => {
  let root: string;
  beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'utensil-together-'))));
  afterEach(() => rm(root, { recursive: true }));

  it('write, remove and undo concurrently, and lose no version', async () => {
    const count = 12;
    const program = `
      import { createFiles } from '@utensil/core';
      import { filesystemStorage } from '@utensil/storage-filesystem';
      import { versionedStorage } from ${JSON.stringify(join(import.meta.dirname, 'versioned.ts'))};
      const name = process.argv[1];
      const storage = versionedStorage(filesystemStorage(${JSON.stringify(root)}));
      const files = createFiles(storage.as({ actor: name, turn: 'shared' }));
      for (let index = 0; index < ${count}; index++) {
        await files.append('/all.txt', name + index + '\\n');
        await files.write('/' + name + '/' + index, 'text');
        if (index % 3 === 0) await files.remove('/' + name + '/' + index);
        const other = createFiles(storage.as({ turn: name + index }));
        await other.write('/undone-' + name, 'text');
        await storage.history.undo(name + index);
      }`;
    const options = { cwd: import.meta.dirname, stdio: 'inherit' } as const;
    const args = ['--conditions=@utensil/source', '--input-type=module', '--eval', program];
    const children = ['a', 'b'].map((name) => spawn(process.execPath, [...args, name], options));
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as number));
    expect(codes).toEqual([0, 0]);
    const { history, ...storage } = versionedStorage(filesystemStorage(root));
    const files = createFiles(storage);
    const texts = await textsOf({ history }, '/all.txt');
    expect(texts.map((text) => text.trim().split('\n').length)).toEqual(texts.map((_, index) => index + 1));
    expect(texts).toHaveLength(2 * count);
    const removed = (await history.trash()).map(({ path }) => path).filter((path) => /^\/[ab]\/\d+$/.test(path));
    expect(removed.sort()).toEqual(
      ['a', 'b'].flatMap((name) => ['0', '3', '6', '9'].map((each) => `/${name}/${each}`)),
    );
    await history.undo('shared');
    expect((await files.list('/', { depth: 9 })).entries.map(({ path }) => path)).toEqual([]);
  });
});
