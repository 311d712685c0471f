import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageDriver, StorageTree, WatchOptions } from '@utensil/core/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesystemStorage } from './filesystem.ts';

let place: string;
let root: string;
const drivers: StorageDriver[] = [];

beforeEach(async () => {
  place = await fs.mkdtemp(join(tmpdir(), 'utensil-'));
  root = join(place, 'root');
});
afterEach(async () => {
  await Promise.all(drivers.splice(0).map((driver) => driver.close()));
  await fs.rm(place, { recursive: true });
});

function open(): StorageDriver {
  const driver = filesystemStorage(root);
  drivers.push(driver);
  return driver;
}

/** Records the reported changes. */
function listen(driver: StorageDriver, options?: WatchOptions) {
  const news: (readonly string[])[] = [];
  const waiting = new Set<() => void>();
  const end = driver.watch((keys) => {
    news.push(keys.map(({ tree, path }) => `${tree}:${path}`));
    for (const lookup of waiting) lookup();
  }, options);
  const isTold = (name: string): boolean => news.some((names) => names.includes(name));
  return {
    news,
    end,
    told: (name: string): Promise<void> =>
      new Promise((resolve) => {
        const lookup = (): void => {
          if (isTold(name)) resolve();
        };
        waiting.add(lookup);
        lookup();
      }),
  };
}

/** Writes into a new directory until that is reported; earlier entries are reported only with the directory. */
async function writeUntil(directory: string, told: () => Promise<void>, name = 'b'): Promise<void> {
  const over = new AbortController();
  const writing = (async () => {
    while (!over.signal.aborted) await fs.writeFile(join(directory, name), name);
  })();
  await told();
  over.abort();
  await writing;
}

const write = (driver: StorageDriver, path: string, tree: StorageTree = 'files') =>
  driver.commit({ expect: [], changes: [{ tree, path, type: 'write', content: Buffer.from(path) }], time: 0 });

describe('who watches', () => {
  it('is told at once of a commit', async () => {
    const driver = open();
    const { news } = listen(driver);
    await write(driver, '/a');
    expect(news.flat()).toContain('files:/a');
  });

  it('is told what another program does, in new directories too', async () => {
    await fs.mkdir(join(root, 'old/deep'), { recursive: true });
    const { news, told } = listen(open());
    await fs.writeFile(join(root, 'a'), 'a');
    await told('files:/a');
    await fs.writeFile(join(root, 'old/deep/b'), 'b');
    await told('files:/old/deep/b');
    await fs.mkdir(join(root, 'new/deep'), { recursive: true });
    await told('files:/new');
    await writeUntil(join(root, 'new/deep'), () => told('files:/new/deep/b'));
    await fs.rename(join(root, 'new'), join(root, 'newer'));
    await told('files:/newer');
    await writeUntil(join(root, 'newer/deep'), () => told('files:/newer/deep/b'));
    await fs.rm(join(root, 'old'), { recursive: true });
    await told('files:/old');
    expect(news.flat().some((name) => name.startsWith('records:'))).toBe(false);
  });

  it('is told what another storage does, and of its own folder only the records', async () => {
    const { news, told } = listen(open());
    const other = open();
    const changes = ['/a', '/b'].map(
      (path) => ({ tree: 'files', path, type: 'write', content: Buffer.from('') }) as const,
    );
    await other.commit({ expect: [], changes, time: 0 });
    await write(other, '/r', 'records');
    await told('records:/r');
    await write(other, '/last');
    await told('files:/last');
    expect(news.flat().filter((name) => name.includes('utensil'))).toEqual([]);
  });

  // Elsewhere, the system watches a whole tree at once.
  it.runIf(process.platform === 'linux')('watched every directory of a project to hear of its records', async () => {
    await fs.mkdir(join(root, 'src/deep'), { recursive: true });
    const [here, elsewhere] = [open(), open()];
    await write(here, '/first.json', 'records');
    const { told, news } = listen(here, { tree: 'records' });
    await fs.writeFile(join(root, 'src/deep/a.txt'), 'a');
    await write(elsewhere, '/second.json', 'records');
    await told('records:/second.json');
    expect(news.flat().filter((name) => name.startsWith('files:/src'))).toEqual([]);
  });

  it('notices a root that appears later, and its end', async () => {
    const { news, told } = listen(open());
    await fs.mkdir(join(root, 'd'), { recursive: true });
    await told('files:/');
    await writeUntil(join(root, 'd'), () => told('files:/d/b'));
    await fs.rm(join(root, 'd'), { recursive: true });
    await fs.mkdir(join(root, 'd'));
    await writeUntil(join(root, 'd'), () => told('files:/d/c'), 'c');
    await fs.rm(root, { recursive: true });
    await fs.mkdir(root);
    await writeUntil(root, () => told('files:/b'));
    expect(news[0]).toContain('files:/');
  });

  it('is told once of what happens within one turn', async () => {
    await fs.mkdir(root);
    const { news, told } = listen(open());
    const host = join(root, 'a');
    for (let index = 0; index < 50; index++) await fs.writeFile(host, `${index}`);
    await fs.writeFile(join(root, 'last'), '');
    await told('files:/last');
    expect(news.every((names) => new Set(names).size === names.length)).toBe(true);
  });

  it('is told no more once it has ended, and can be again', async () => {
    await fs.mkdir(root);
    const driver = open();
    const [first, second] = [listen(driver), listen(driver)];
    first.end();
    first.end();
    await write(driver, '/a');
    await second.told('files:/a');
    expect(first.news).toEqual([]);
    second.end();
    const third = listen(driver);
    await fs.writeFile(join(root, 'b'), 'b');
    await third.told('files:/b');
    expect(second.news.flat()).not.toContain('files:/b');
    await driver.close();
    expect(() => driver.watch(() => {})).toThrow('EBADF');
  });

  it('can read the changes that are reported', async () => {
    const driver = open();
    const seen: Promise<unknown>[] = [];
    driver.watch((keys) => {
      if (keys.some(({ path }) => path === '/a')) seen.push(driver.stat([{ tree: 'files', path: '/a' }]));
    });
    await write(driver, '/a');
    expect(await seen[0]).toMatchObject([{ path: '/a', size: 2 }]);
  });

  it('keeps no process alive', async () => {
    const program = `
      import { filesystemStorage } from ${JSON.stringify(join(import.meta.dirname, 'filesystem.ts'))};
      filesystemStorage(${JSON.stringify(place)}).watch(() => {});`;
    const args = ['--conditions=@utensil/source', '--input-type=module', '--eval', program];
    const child = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: 'inherit' });
    expect((await once(child, 'exit'))[0]).toBe(0);
  });
});
