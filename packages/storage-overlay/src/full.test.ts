import { createFiles } from '@utensil/core';
import { fileError } from '@utensil/core/files';
import type { StorageCommit, StorageDriver } from '@utensil/core/storage';
import { memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import { overlayStorage } from './overlay.ts';

/** An upper storage that accepts nothing but single removals once it is full. */
async function create() {
  const [lower, upper] = [memoryStorage(), memoryStorage()];
  for (const path of ['/d/one', '/d/two', '/removed']) await createFiles(lower).write(path, 'below');
  const full = { is: false, before: async (_commit: StorageCommit): Promise<void> => {} };
  const commit: StorageDriver['commit'] = async (given) => {
    const isRefused = given.changes.length > 1 || given.changes.some(({ type }) => type !== 'remove');
    if (full.is && isRefused) throw fileError('ENOSPC', given.changes.at(-1)?.path ?? '/', { hint: 'Make room.' });
    if (full.is) await full.before(given);
    return upper.commit(given);
  };
  const overlay = overlayStorage(lower, { ...upper, commit });
  const files = createFiles(overlay);
  await files.write('/d/one', 'changed');
  await files.remove('/removed');
  await files.write('/new', 'new');
  return { lower, upper, full, overlay, files };
}

async function pathsIn(driver: StorageDriver): Promise<readonly string[]> {
  const trees = (['files', 'records'] as const).map((tree) => driver.list({ tree, path: '/', depth: 9, limit: 99 }));
  return (await Promise.all(trees)).flat().flatMap(({ path, kind }) => (kind === 'file' ? [path] : []));
}

const before = ['/d/one', '/d/two', '/removed'];

describe('an overlay whose upper storage is full', () => {
  it('is discarded', async () => {
    const { upper, full, overlay, files } = await create();
    full.is = true;
    await expect(files.write('/more', 'x')).rejects.toMatchObject({ code: 'ENOSPC', path: '/more' });
    await overlay.discard({ time: 1 });
    expect(await pathsIn(overlay)).toEqual(before);
    expect(await pathsIn(upper)).toEqual([]);
    full.is = false;
    await files.write('/d/one', 'after it');
    expect(await overlay.accept({ time: 1 })).toMatchObject({ ok: true });
  });

  it('is emptied once it is accepted', async () => {
    const { lower, upper, full, overlay } = await create();
    full.is = true;
    expect(await overlay.accept({ time: 1 })).toMatchObject({ ok: true });
    expect(await pathsIn(lower)).toEqual(['/d/one', '/d/two', '/new']);
    expect(await pathsIn(overlay)).toEqual(['/d/one', '/d/two', '/new']);
    expect(await pathsIn(upper)).toEqual([]);
  });

  it('never shows a discarded change as a removal, wherever the discard is interrupted', async () => {
    for (let steps = 0; steps < 8; steps++) {
      const { lower, upper, full, overlay } = await create();
      full.is = true;
      let left = steps;
      full.before = async () => {
        if (left-- === 0) throw new Error('The process has ended.');
      };
      const isEnded = await overlay.discard({ time: 1 }).then(
        () => false,
        () => true,
      );
      const opened = overlayStorage(lower, upper);
      expect(await pathsIn(opened)).toEqual(expect.arrayContaining(['/d/one', '/d/two']));
      expect(isEnded ? before : await pathsIn(opened)).toEqual(before);
      await opened.discard({ time: 1 });
      expect(await pathsIn(opened)).toEqual(before);
    }
  });

  it('starts over if somebody writes during a discard', async () => {
    const { lower, upper, full, overlay } = await create();
    const other = createFiles(overlayStorage(lower, upper));
    full.is = true;
    let isWritten = false;
    full.before = async ({ changes }) => {
      if (isWritten || changes[0]?.path === '/.overlay/version') return;
      isWritten = true;
      await other.write('/d/two', 'meanwhile');
    };
    await overlay.discard({ time: 1 });
    expect(isWritten).toBe(true);
    expect(await pathsIn(overlay)).toEqual(before);
    expect(await pathsIn(upper)).toEqual([]);
  });
});
