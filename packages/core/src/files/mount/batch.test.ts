// Batches of parts of files, and of files put together.

import { memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkFiles } from '../../testing/files-model.ts';
import { hasBatch } from '../batching.ts';
import type { BatchFiles } from '../batching.ts';
import { createFiles } from '../create-files.ts';
import type { Files, ProjectFiles } from '../files.ts';
import { readOnly } from '../read-only.ts';
import type { StorageDriver } from '../storage/driver.ts';
import { subtree } from '../subtree.ts';
import { mountFiles } from './mount.ts';

/** Files, and how often something was committed to them. */
function counted(): { readonly files: ProjectFiles; commits(): number } {
  const storage = memoryStorage();
  let commits = 0;
  const counting: StorageDriver = {
    ...storage,
    commit(commit) {
      commits++;
      return storage.commit(commit);
    },
  };
  return { files: createFiles(counting, { now: () => 1000 }), commits: () => commits };
}

const newFiles = (): ProjectFiles => counted().files;

/** Files whose every change is a batch of its own. */
function oneByOne(files: BatchFiles): Files {
  return {
    ...files,
    write: (...given) => files.batch((inner) => inner.write(...given)),
    append: (...given) => files.batch((inner) => inner.append(...given)),
    edit: (...given) => files.batch((inner) => inner.edit(...given)),
    insertLines: (...given) => files.batch((inner) => inner.insertLines(...given)),
    makeDirectory: (...given) => files.batch((inner) => inner.makeDirectory(...given)),
    remove: (...given) => files.batch((inner) => inner.remove(...given)),
    move: (...given) => files.batch((inner) => inner.move(...given)),
    copy: (...given) => files.batch((inner) => inner.copy(...given)),
  };
}

const places = {
  'a subtree': () => subtree(newFiles(), '/a/b'),
  'the root of mounts': () => mountFiles(newFiles(), { '/mounted/m': newFiles() }),
  'a mount': () => subtree(mountFiles(newFiles(), { '/m': newFiles(), '/x': newFiles() }), '/m'),
  'files of which a part is read-only': () => subtree(readOnly(newFiles(), '/kept'), '/free'),
} as const;

describe.each(Object.entries(places))('a batch in %s', (_name, place) => {
  it('is one commit, or none', async () => {
    const files = place();
    await files.batch(async (inner) => {
      await inner.write('/one', '1');
      await inner.write('/two', (await inner.readText('/one')).text);
    });
    const failing = files.batch(async (inner) => {
      await inner.write('/one', 'changed');
      throw new Error('enough');
    });
    await expect(failing).rejects.toThrow('enough');
    expect([(await files.readText('/one')).text, (await files.readText('/two')).text]).toEqual(['1', '1']);
  });

  it('keeps the words of the caller in its errors', async () => {
    const missing = place().batch((inner) => inner.readText('/none'));
    await expect(missing).rejects.toMatchObject({ code: 'ENOENT', path: '/none' });
  });
});

const { 'the root of mounts': _root, ...empty } = places;

it.each(Object.entries(empty))('a batch in %s does what a call does, whatever is done', async (_name, place) => {
  const seeds = fc.asyncProperty(fc.nat(), (seed) => checkFiles(oneByOne(place()), { seed, steps: 25 }));
  await expect(fc.assert(seeds, { numRuns: 15 })).resolves.toBeUndefined();
});

describe('a batch of mounted files', () => {
  const [root, work, shared] = [counted(), counted(), counted()];
  const files = mountFiles(root.files, { '/scratch': work.files, '/share': readOnly(shared.files) });
  beforeEach(async () => {
    await root.files.write('/a', 'root');
    await work.files.write('/a', 'work');
    await shared.files.write('/a', 'shared');
  });

  it('changes the files of one mount in one commit, and reads all', async () => {
    const before = [root, work, shared].map(({ commits }) => commits());
    await files.batch(async (inner) => {
      await inner.write('/scratch/b', (await inner.readText('/share/a')).text + (await inner.readText('/a')).text);
      await inner.move('/scratch/b', '/scratch/c');
      await inner.copy('/share/a', '/scratch/d');
    });
    expect([root, work, shared].map(({ commits }, index) => commits() - (before[index] ?? 0))).toEqual([0, 1, 0]);
    expect((await work.files.readText('/c')).text).toBe('sharedroot');
  });

  it('refuses to change a second mount, and has changed nothing then', async () => {
    const across = files.batch(async (inner) => {
      await inner.write('/scratch/a', 'changed');
      await inner.write('/a', 'changed');
    });
    await expect(across).rejects.toMatchObject({
      code: 'EXDEV',
      message: expect.stringContaining("changed '/scratch'"),
    });
    const moved = files.batch((inner) => inner.move('/scratch/a', '/moved'));
    await expect(moved).rejects.toMatchObject({ code: 'EXDEV' });
    expect([(await work.files.readText('/a')).text, (await root.files.readText('/a')).text]).toEqual(['work', 'root']);
    expect(await root.files.stat('/moved')).toBeUndefined();
    await expect(files.batch((inner) => inner.write('/share/a', 'x'))).rejects.toMatchObject({ code: 'EROFS' });
  });

  it('begins again if somebody else changed what it had looked at', async () => {
    let tries = 0;
    await files.batch(async (inner) => {
      const { text } = await inner.readText('/scratch/a');
      if (tries++ === 0) await work.files.write('/a', 'other');
      await inner.write('/scratch/e', text);
    });
    expect([tries, (await work.files.readText('/e')).text]).toEqual([2, 'other']);
  });

  it('is there where the root has batches, and changes no mount that has none', async () => {
    const { batch: _, usage: __, ...plain } = newFiles();
    expect(hasBatch(mountFiles(plain, { '/scratch': work.files }))).toBe(false);
    expect([hasBatch(subtree(plain, '/a')), hasBatch(readOnly(plain))]).toEqual([false, false]);
    const mixed = mountFiles(root.files, { '/plain': plain });
    const changed = mixed.batch((inner) => inner.write('/plain/a', ''));
    await expect(changed).rejects.toMatchObject({ code: 'EXDEV', path: '/plain' });
    await mixed.write('/plain/a', '');
    expect(await mixed.batch(async (inner) => (await inner.stat('/plain/a'))?.size)).toBe(0);
  });
});
