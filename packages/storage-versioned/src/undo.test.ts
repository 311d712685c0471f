import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFiles } from '@utensil/core';
import type { Files } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import { filesystemStorage } from '@utensil/storage-filesystem';
import { memoryState, memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import { versionedStorage } from './versioned.ts';

/** A storage whose clock ticks on each read, and files of several turns. */
function create(inner: StorageDriver = memoryStorage(), start = 1_700_000_000_001) {
  let time = start;
  const now = (): number => (time += 7);
  const storage = versionedStorage(inner, { now });
  const turn = (id: string): Files => createFiles(storage.as({ turn: id }), { now });
  return { inner, storage, history: storage.history, files: createFiles(storage, { now }), turn };
}

async function contentOf(files: Files): Promise<Readonly<Record<string, string>>> {
  const content: Record<string, string> = {};
  for (const { path, kind } of (await files.list('/', { depth: 32 })).entries) {
    content[path] = kind === 'file' ? (await files.readText(path)).text : '(directory)';
  }
  return content;
}

describe('undo of a turn in a directory', () => {
  it('moves entries back, even from the path of a removed one', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'utensil-undo-'));
    const inner = filesystemStorage(directory);
    const { files, history, turn } = create(inner);
    await files.write('/a', 'a');
    await files.write('/d/b', 'b');
    const before = await contentOf(files);
    const work = turn('t');
    await work.move('/a', '/d/b', { overwrite: true });
    await work.move('/d', '/e');
    await work.remove('/e/b');
    await history.undo('t');
    expect(await contentOf(files)).toEqual(before);
    await inner.close();
    await rm(directory, { recursive: true });
  });
});

describe('undo of a turn, among others', () => {
  it('leaves a file of another turn at the path of its own', async () => {
    const { files, history, turn } = create();
    await turn('first').write('/a', 'first');
    await turn('second').remove('/a');
    await turn('second').write('/a', 'second');
    await expect(history.undo('first')).rejects.toMatchObject({ code: 'ECONFLICT' });
    expect(await contentOf(files)).toEqual({ '/a': 'second' });
  });

  it('leaves a file that someone else put at the target of its move', async () => {
    const { files, history, turn } = create();
    await files.write('/a', 'moved');
    await turn('t').move('/a', '/b');
    await files.move('/b', '/c');
    await files.write('/b', 'put in its place');
    await expect(history.undo('t')).rejects.toMatchObject({ code: 'ECONFLICT' });
    expect(await contentOf(files)).toEqual({ '/b': 'put in its place', '/c': 'moved' });
  });

  it('leaves a moved file that someone else edited', async () => {
    const { files, history, turn } = create();
    await files.write('/a', 'moved');
    await turn('t').move('/a', '/b');
    await files.append('/b', ' and edited');
    await expect(history.undo('t')).rejects.toThrow("somebody else: '/a'");
    expect(await contentOf(files)).toEqual({ '/b': 'moved and edited' });
  });

  it('moves back a file that it moved and edited several times', async () => {
    const { files, history, turn } = create();
    await files.write('/a', 'first');
    const work = turn('t');
    await work.move('/a', '/b');
    await work.append('/b', ' and second');
    await work.move('/b', '/c/d');
    await work.write('/c/d', 'third');
    await work.move('/c', '/e');
    await history.undo('t');
    expect(await contentOf(files)).toEqual({ '/a': 'first' });
  });

  it('leaves a file at the path of a directory that it created', async () => {
    const { files, history, turn } = create();
    await turn('t').makeDirectory('/d');
    await files.remove('/d');
    await files.write('/d', 'a file');
    await history.undo('t');
    expect(await contentOf(files)).toEqual({ '/d': 'a file' });
  });

  it('recreates an empty directory that it removed', async () => {
    const { files, history, turn } = create();
    await files.makeDirectory('/empty/inner');
    await turn('t').remove('/empty/inner');
    await turn('t').remove('/empty');
    await history.undo('t');
    expect(await contentOf(files)).toEqual({ '/empty': '(directory)', '/empty/inner': '(directory)' });
  });

  it('detects a change by a writer whose clock is ahead', async () => {
    const state = memoryState();
    const { files, history, turn } = create(memoryStorage({ state }));
    const ahead = create(memoryStorage({ state }), 1_800_000_000_001);
    await files.write('/a', 'before');
    await turn('t').write('/a', 'by the turn');
    await ahead.files.write('/a', 'by somebody else');
    await expect(history.undo('t')).rejects.toMatchObject({ code: 'ECONFLICT' });
    expect(await contentOf(files)).toEqual({ '/a': 'by somebody else' });
  });

  it('reports a storage failure as such, not as a conflict', async () => {
    let isBroken = false;
    const inner = memoryStorage();
    const failing: StorageDriver = {
      ...inner,
      read: async (key, range) => {
        if (isBroken && key.path.endsWith('about.json')) throw new Error('the disk is on fire');
        return inner.read(key, range);
      },
    };
    const { files, history, turn } = create(failing);
    await files.write('/a', 'a');
    await turn('t').remove('/a');
    isBroken = true;
    await expect(history.undo('t')).rejects.toThrow('the disk is on fire');
  });

  it('treats a missing turn as an error', async () => {
    const { files, history, turn } = create();
    await turn('').write('/a', 'a');
    await turn('').write('/a', 'b');
    await expect(history.undo('')).rejects.toMatchObject({ code: 'ESTALE' });
    expect(await contentOf(files)).toEqual({ '/a': 'b' });
  });
});
