import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFiles } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import { filesystemStorage } from '@utensil/storage-filesystem';
import { memoryStorage } from '@utensil/storage-memory';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { overlayStorage } from './overlay.ts';

async function textsIn(driver: StorageDriver): Promise<Readonly<Record<string, string>>> {
  const files = createFiles(driver);
  const { entries } = await files.list('/', { depth: 9 });
  const texts = entries
    .filter(({ kind }) => kind === 'file')
    .map(async ({ path }) => [path, (await files.readText(path)).text]);
  return Object.fromEntries(await Promise.all(texts)) as Record<string, string>;
}

/** An upper storage that runs a callback before the first listing of a path. */
function listening(upper: StorageDriver, path: string, happen: () => Promise<unknown>): StorageDriver {
  let hasHappened = false;
  const list: StorageDriver['list'] = async (query) => {
    if (query.tree === 'files' && query.path === path && !hasHappened) {
      hasHappened = true;
      await happen();
    }
    return upper.list(query);
  };
  return { ...upper, list };
}

describe('two overlays over the same storages', () => {
  it('accept all concurrent changes of the other, or none', async () => {
    const [lower, upper] = [memoryStorage(), memoryStorage()];
    await createFiles(lower).write('/a', 'below');
    const other = createFiles(overlayStorage(lower, upper));
    await other.write('/new', 'new');
    const overlay = overlayStorage(
      lower,
      listening(upper, '/', () => other.move('/a', '/b')),
    );
    expect(await overlay.accept({ time: 1 })).toMatchObject({ ok: true });
    expect(await textsIn(lower)).toEqual({ '/b': 'below', '/new': 'new' });
    expect(await textsIn(overlay)).toEqual({ '/b': 'below', '/new': 'new' });
  });

  it('report an accept that succeeded if the other wrote before the overlay was emptied', async () => {
    const [lower, upper] = [memoryStorage(), memoryStorage()];
    const other = createFiles(overlayStorage(lower, upper));
    await other.write('/new', 'new');
    const commit: StorageDriver['commit'] = async (given) => {
      await other.write('/meanwhile', 'text');
      return lower.commit(given);
    };
    const overlay = overlayStorage({ ...lower, commit }, upper);
    await expect(overlay.accept({ time: 1 })).rejects.toThrow(/EBUSY.*The changes were accepted/);
    expect(await textsIn(lower)).toEqual({ '/new': 'new' });
    expect(await textsIn(overlay)).toEqual({ '/meanwhile': 'text', '/new': 'new' });
  });

  it('discard concurrent writes of the other too', async () => {
    const [lower, upper] = [memoryStorage(), memoryStorage()];
    const other = createFiles(overlayStorage(lower, upper));
    await other.write('/new', 'new');
    const overlay = overlayStorage(
      lower,
      listening(upper, '/', () => other.write('/meanwhile', 'text')),
    );
    await overlay.discard({ time: 1 });
    expect(await textsIn(overlay)).toEqual({});
  });

  it('lose no concurrent writes, with stopped clocks', async () => {
    const [lower, upper] = [memoryStorage(), memoryStorage()];
    await createFiles(lower).write('/log', 'start\n');
    const both = [0, 1].map(() => createFiles(overlayStorage(lower, upper), { now: () => 1 }));
    const work = async (files: (typeof both)[number], name: number): Promise<void> => {
      for (let index = 0; index < 20; index++) {
        await files.append('/log', `${name} ${index}\n`);
        await files.write(`/${name}/${index}`, 'text');
        if (index % 2 === 0) await files.remove(`/${name}/${index}`);
      }
    };
    await Promise.all(both.map(work));
    const overlay = overlayStorage(lower, upper);
    expect(await overlay.accept({ time: 1 })).toMatchObject({ ok: true });
    const texts = await textsIn(lower);
    expect(new Set(texts['/log']?.trim().split('\n')).size).toBe(41);
    expect(Object.keys(texts)).toHaveLength(1 + 20);
    expect(await overlay.changes()).toEqual({ expect: [], changes: [] });
  });
});

describe('two processes over the same directories', () => {
  let root: string;
  beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'utensil-together-'))));
  afterEach(() => rm(root, { recursive: true }));

  it('write to one overlay at once, and all of it is accepted', async () => {
    const count = 10;
    const lower = filesystemStorage(join(root, 'lower'));
    await createFiles(lower).write('/all.txt', 'start\n');
    for (const name of ['a', 'b']) await createFiles(lower).write(`/${name}/old`, 'old');
    const program = `
      import { join } from 'node:path';
      import { createFiles } from '@utensil/core';
      import { filesystemStorage } from '@utensil/storage-filesystem';
      import { overlayStorage } from ${JSON.stringify(join(import.meta.dirname, 'overlay.ts'))};
      const [name] = process.argv.slice(1);
      const [lower, upper] = ['lower', 'upper'].map((each) => filesystemStorage(join(${JSON.stringify(root)}, each)));
      const files = createFiles(overlayStorage(lower, upper));
      await files.move('/' + name, '/moved-' + name);
      for (let index = 0; index < ${count}; index++) {
        await files.append('/all.txt', name + index + '\\n');
        await files.write('/' + name + index, 'text');
      }`;
    const options = { cwd: import.meta.dirname, stdio: 'inherit' } as const;
    const args = ['--conditions=@utensil/source', '--input-type=module', '--eval', program];
    const children = ['a', 'b'].map((name) => spawn(process.execPath, [...args, name], options));
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as number));
    expect(codes).toEqual([0, 0]);
    const overlay = overlayStorage(lower, filesystemStorage(join(root, 'upper')));
    const staged = await textsIn(overlay);
    expect(await overlay.accept({ time: 1 })).toMatchObject({ ok: true });
    const texts = await textsIn(lower);
    expect(texts).toEqual(staged);
    expect(new Set(texts['/all.txt']?.trim().split('\n')).size).toBe(1 + 2 * count);
    expect(Object.keys(texts)).toHaveLength(1 + 2 * count + 2);
    expect(texts).toMatchObject({ '/moved-a/old': 'old', '/moved-b/old': 'old' });
  });
});
