import type { BigIntStats } from 'node:fs';
import { realpathSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFiles } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createChildren, entriesAt } from './children.ts';
import type { FileSystem } from './file-system.ts';
import { filesystemStorage } from './filesystem.ts';
import { createNameIndex } from './names.ts';
import { firstFrom } from './sorted.ts';

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
  const read: string[] = [];
  const readdir: FileSystem['readdir'] = async (path, options) => {
    read.push(await fs.realpath(path)); // a held directory has a number for a path
    return fs.readdir(path, options);
  };
  const driver = filesystemStorage(at, { fs: { ...fs, lstat, readdir } });
  return { driver, reads: () => read.filter((path) => path === realpathSync(at)).length };
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
  it('are read once for all pages if nothing has changed for long', async () => {
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

  it('are read once for all pages of a listing, also just after they changed', async () => {
    const { driver, reads } = diskWith(() => still);
    expect(await pagesOf(driver)).toEqual(all);
    expect(reads()).toBe(1);
    const [one, other] = [pagesOf(driver), pagesOf(driver)];
    expect([await one, await other]).toEqual([all, all]);
    expect(reads()).toBeLessThanOrEqual(3);
  });

  it('are read again for a page that continues with none before it', async () => {
    const { driver, reads } = diskWith(() => still);
    const middle = nameOf(150);
    expect(await pathsOf(driver, `/${middle}`)).toEqual(all.slice(151));
    await fs.writeFile(join(root, 'z'), '');
    expect(await pathsOf(driver, `/${middle}`)).toEqual([...all.slice(151), '/z']);
    expect(reads()).toBe(2);
  });

  it('are not read for each page by who removes or edits page by page what he lists', async () => {
    vi.setSystemTime(Date.now()); // and there it stays
    const { driver, reads } = diskWith(() => ({}));
    const files = createFiles(driver);
    const found: string[] = [];
    const removed: string[] = [];
    for (let after: string | undefined; ;) {
      const { entries, next } = await files.list('/', { limit: 30, ...(after !== undefined && { after }) });
      found.push(...entries.map(({ path }) => path));
      for (const { path } of entries.slice(-2)) removed.push(await files.remove(path).then(() => path));
      for (const { path } of entries.slice(0, 2)) await files.append(path, 'edited');
      after = next;
      if (after === undefined) break;
    }
    expect(found).toEqual(all);
    expect(reads()).toBe(1);
    expect(await pathsOf(driver)).toEqual(all.filter((path) => !removed.includes(path)));
  });

  it('have what this storage has made since the page before', async () => {
    const { driver } = diskWith(() => ({}));
    const files = createFiles(driver);
    const { next = '' } = await files.list('/', { limit: 10 });
    await files.write('/file 0100', '');
    await files.makeDirectory('/file 0200');
    await files.write('/file 0200/below', '');
    await files.move('/file 299', '/file 0300');
    const { entries } = await files.list('/', { limit: 1000, depth: 2, after: next });
    const after = ['/file 0100', ...all.slice(10)];
    expect(entries.map(({ path }) => path)).toEqual(
      [...after, '/file 0200', '/file 0200/below', '/file 0300'].filter((path) => path !== '/file 299').sort(),
    );
  });

  it('have what others have made since the page before, after a while', async () => {
    const { driver } = diskWith(() => ({}));
    const first = await pathsOf(driver, undefined, 70);
    await fs.writeFile(join(root, 'z'), '');
    await fs.rm(join(root, nameOf(299)));
    const rest = [...all.slice(70, 299)];
    expect(await pathsOf(driver, first.at(-1), 70)).toEqual(all.slice(70, 140)); // z may be missing yet
    vi.setSystemTime(Date.now() + 3000);
    expect(await pathsOf(driver, first.at(-1))).toEqual([...rest, '/z']);
  });

  it('are those of no link that has come in place of a directory', async () => {
    await fs.mkdir(join(base, 'outside'));
    await fs.mkdir(join(root, 'd/e'), { recursive: true });
    for (const path of all)
      await Promise.all(['outside', 'root/d/e'].map((at) => fs.writeFile(join(base, at, path), '')));
    for (const swapped of ['d/e', 'd']) {
      const { driver } = diskWith(() => ({}));
      const query = { tree: 'files', path: '/', depth: 3 } as const;
      const page = await driver.list({ ...query, limit: 20 });
      expect(page.map(({ path }) => path)).toEqual(['/d', '/d/e', ...all.slice(0, 18).map((path) => `/d/e${path}`)]);
      await fs.rename(join(root, swapped), join(base, 'away'));
      await fs.symlink(join(base, 'outside'), join(root, swapped));
      const next = await driver.list({ ...query, limit: 20, after: page.at(-1)?.path ?? '' });
      expect(next.map(({ path }) => path)).toEqual(all.slice(0, 20));
      await fs.rm(join(root, swapped));
      await fs.rename(join(base, 'away'), join(root, swapped));
    }
  });

  it("are checked by the stats of the root's target if the root is a link", async () => {
    const link = join(base, 'link');
    await fs.symlink(root, link);
    const { driver, reads } = diskWith(() => atRest, link);
    expect(await pagesOf(driver)).toEqual(all);
    expect(reads()).toBe(1);
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

describe('how many names are kept', () => {
  /** Kept: directories from 2 names on, 100 names of each and 150 together. */
  function childrenOf(durableState = { from: 2, together: 100, names: 150 }) {
    const readdir = vi.fn<FileSystem['readdir']>((path, options) => fs.readdir(path, options));
    const children = createChildren(
      { ...fs, readdir },
      { root, durableState, read: (host) => entriesAt({ ...fs, readdir }, host) },
    );
    return { children, reads: () => readdir.mock.calls.length };
  }
  const query = { tree: 'files', path: '/', depth: 1, limit: 70 } as const;

  it('is bounded: a directory with more of them is read in several passes, each name once', async () => {
    const { children, reads } = childrenOf();
    const found: string[] = [];
    const walk = children.walk(query);
    for (let from = ''; ;) {
      const { listed, isCut } = await walk.names(query, from);
      expect(listed.length).toBeLessThanOrEqual(100);
      const page = listed.map(({ name }) => name).filter((name) => name >= from);
      found.push(...page.slice(0, 70));
      if (!isCut && page.length <= 70) break;
      from = `${found.at(-1)}\0`;
    }
    expect(found).toEqual(all.map((path) => path.slice(1)));
    expect(reads()).toBeLessThanOrEqual(Math.ceil(count / 70));
  });

  it('is bounded for all directories together, and the ones listed last stay', async () => {
    for (const name of ['a', 'b', 'c']) {
      await fs.mkdir(join(root, name));
      for (const path of all.slice(0, 60)) await fs.writeFile(join(root, name, path), '');
    }
    const { children, reads } = childrenOf();
    const walk = children.walk(query);
    const lookup = (path: string) => walk.names({ tree: 'files', path }, '');
    for (const path of ['/a', '/b', '/c']) await lookup(path);
    for (const path of ['/c', '/b', '/c']) await lookup(path);
    expect(reads()).toBe(3);
    await lookup('/a');
    expect(reads()).toBe(4);
  });

  it('is bounded for the comparison of names, except the directory that is asked for', async () => {
    for (const name of ['a', 'b']) {
      await fs.mkdir(join(root, name));
      await fs.writeFile(join(root, name, 'Twin'), '');
    }
    const readdir = vi.fn<FileSystem['readdir']>((path, options) => fs.readdir(path, options));
    const names = createNameIndex({ ...fs, readdir }, root, { directories: 9, names: 1 });
    const twins = (path: string) => names.twins({ tree: 'files', path });
    expect(await Promise.all(['/a/twin', '/a/Twin', '/a/TWIN'].map(twins))).toEqual([['Twin'], [], ['Twin']]);
    for (const path of ['/a/x', '/b/x', '/b/x', '/a/x']) await twins(path);
    expect(readdir.mock.calls.length).toBeLessThanOrEqual(5);
  });
});

it('finds in any sorted list the first name at or after a name', () => {
  const lists = fc.property(fc.array(fc.string()), fc.string(), (given, name) => {
    const sorted = given.sort((left, right) => (left < right ? -1 : 1)).map((each) => ({ name: each }));
    const found = sorted.findIndex((each) => each.name >= name);
    expect(firstFrom(sorted, name)).toBe(found === -1 ? sorted.length : found);
  });
  fc.assert(lists);
});
