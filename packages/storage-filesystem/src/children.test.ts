import type { BigIntStats } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageDriver } from '@utensil/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileSystem } from './disk.ts';
import { filesystemStorage } from './filesystem.ts';

const count = 300;
const nameOf = (index: number): string => `file ${String(index).padStart(3, '0')}`;
const all = Array.from({ length: count }, (_, index) => `/${nameOf(index)}`);

let base: string;
let root: string;

beforeEach(async () => {
  base = await fs.mkdtemp(join(tmpdir(), 'utensil-'));
  root = join(base, 'root');
  await fs.mkdir(root);
  for (const path of all.toReversed()) await fs.writeFile(join(root, path), '');
});
afterEach(async () => {
  vi.useRealTimers();
  await fs.rm(base, { recursive: true });
});

/** A disk of which the root has other stats, and how often the names of the root were read. */
function diskWith(of: (stats: BigIntStats) => object, at = root) {
  const lstat: FileSystem['lstat'] = async (path, options) => {
    const stats = await fs.lstat(path, options);
    return path === at ? Object.assign(stats, of(stats)) : stats;
  };
  const readdir = vi.fn<FileSystem['readdir']>((path, options) => fs.readdir(path, options));
  const driver = filesystemStorage(at, { fs: { ...fs, lstat, readdir } });
  return { driver, reads: () => readdir.mock.calls.filter(([path]) => path === at).length };
}

async function pathsOf(driver: StorageDriver, after?: string, limit = count * 2): Promise<readonly string[]> {
  const query = { tree: 'files', path: '/', depth: 1, limit } as const;
  const listed = await driver.list(after === undefined ? query : { ...query, after });
  return listed.map(({ path }) => path);
}

async function pagesOf(driver: StorageDriver): Promise<readonly string[]> {
  const paths: string[] = [];
  for (let page = await pathsOf(driver, undefined, 70); page.length > 0;) {
    paths.push(...page);
    page = await pathsOf(driver, paths.at(-1), 70);
  }
  return paths;
}

/** Nothing changed for a long time. */
const atRest = { ctimeMs: 0n };
/** It changed just now, and again within the same tick of the clock. */
const still = { size: 0n, mtimeNs: 1n, ctimeNs: 1n };

describe('the names of a large directory', () => {
  it('are read once for all pages where nothing has changed for long', async () => {
    const { driver, reads } = diskWith(() => atRest);
    expect(await pagesOf(driver)).toEqual(all);
    expect(reads()).toBe(1);
  });

  it('are read again where stats say that they changed', async () => {
    const { driver } = diskWith(() => atRest);
    expect(await pathsOf(driver)).toEqual(all);
    await fs.writeFile(join(root, 'a'), '');
    await fs.rm(join(root, nameOf(1)));
    expect(await pathsOf(driver)).toEqual(['/a', ...all.filter((_, index) => index !== 1)]);
  });

  it('are read again where stats prove nothing, because a clock has not gone on', async () => {
    const { driver } = diskWith(() => still);
    expect(await pathsOf(driver)).toEqual(all);
    await fs.rename(join(root, nameOf(7)), join(root, 'z'));
    expect(await pathsOf(driver)).toEqual([...all.filter((_, index) => index !== 7), '/z']);
    await fs.rm(join(root, 'z'));
    await fs.mkdir(join(root, 'z/below'), { recursive: true });
    const listed = await driver.list({ tree: 'files', path: '/', depth: 2, limit: count * 2 });
    expect(listed.slice(-2).map(({ path }) => path)).toEqual(['/z', '/z/below']);
  });

  it('are read again where the root is a link, of which the stats say nothing', async () => {
    const link = join(base, 'link');
    await fs.symlink(root, link);
    const { driver } = diskWith(() => atRest, link);
    const create = (...paths: readonly string[]) =>
      driver.commit({
        expect: paths.map((path) => ({ tree: 'files', path, etag: null })),
        changes: paths.map((path) => ({ tree: 'files', path, type: 'make-directory' })),
        time: 0,
      });
    expect(await create('/first')).toMatchObject({ ok: true });
    expect(await pathsOf(driver)).toEqual([...all, '/first']);
    await fs.writeFile(join(root, 'A'), '');
    expect(await pathsOf(driver)).toEqual(['/A', ...all, '/first']);
    vi.setSystemTime(Date.now() + 3000);
    expect(await create('/b', '/first')).toMatchObject({ ok: false, conflict: { path: '/first' } });
    await fs.writeFile(join(root, 'B'), '');
    vi.setSystemTime(Date.now() + 3000);
    expect(await create('/b')).toMatchObject({ ok: false, entry: { path: '/B' } });
  });
});
