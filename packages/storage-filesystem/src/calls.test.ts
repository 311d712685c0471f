import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createFiles } from '@utensil/core';
import type { ProjectFiles } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FileSystem, OpenFile, ReadOptions } from './file-system.ts';
import { filesystemStorage } from './filesystem.ts';

let root: string;
let files: ProjectFiles;

beforeEach(async () => {
  root = join(await fs.mkdtemp(join(tmpdir(), 'utensil-')), 'root');
  files = createFiles(filesystemStorage(root));
});
afterEach(() => fs.rm(join(root, '..'), { recursive: true }));

const diskWith = (changed: Partial<FileSystem>): FileSystem => ({ ...fs, ...changed });

const failing = (code: string) => async (): Promise<never> => {
  throw Object.assign(new Error(code), { code });
};

describe('what a disk is asked for', () => {
  it('is no more of a large file than the range', async () => {
    const read: number[] = [];
    const open = async (...args: Parameters<typeof fs.open>) => {
      const handle = await fs.open(...args);
      const counted: OpenFile['read'] = async (buffer: Uint8Array, options: ReadOptions) => {
        read.push(options.length);
        return handle.read(buffer, options);
      };
      return new Proxy(handle, {
        get: (target, name) => {
          const member: unknown = name === 'read' ? counted : Reflect.get(target, name);
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        },
      });
    };
    const driver = filesystemStorage(root, { fs: diskWith({ open }) });
    await fs.mkdir(root);
    await fs.writeFile(join(root, 'film'), 'a film');
    await fs.truncate(join(root, 'film'), 200 * 1024 * 1024);
    const found = await driver.read({ tree: 'files', path: '/film' }, { start: 2, end: 6 });
    expect([Buffer.from(found?.content ?? []).toString(), found?.entry.size]).toEqual(['film', 209_715_200]);
    expect(read).toEqual([4]);
  });

  it('is only once where a path leads, however many directories are above it', async () => {
    await files.write('/a/b/c/d.txt', 'a');
    const opened: string[] = [];
    const open = async (...args: Parameters<typeof fs.open>) => {
      opened.push(String(args[0]));
      return fs.open(...args);
    };
    const driver = filesystemStorage(root, { fs: diskWith({ open }) });
    const keys = ['/a', '/a/b', '/a/b/c', '/a/b/c/d.txt'].map((path) => ({ tree: 'files', path }) as const);
    await driver.stat([]);
    await driver.stat(keys);
    opened.length = 0;
    expect((await driver.stat(keys)).map((entry) => entry?.path)).toEqual(keys.map(({ path }) => path));
    expect(opened).toEqual([join(root, 'a/b/c'), join(root, 'a/b/c/d.txt')]);
    await fs.rename(join(root, 'a/b'), join(root, '../b'));
    await fs.symlink('../../b', join(root, 'a/b'));
    expect((await driver.stat(keys)).map((entry) => entry?.path)).toEqual(['/a', undefined, undefined, undefined]);
  });

  it('is no content, to list files', async () => {
    await files.write('/d/a.txt', 'a');
    const open: typeof fs.open = (path, ...rest) =>
      basename(String(path)) === 'a.txt' ? failing('EIO')() : fs.open(path, ...rest);
    const driver = filesystemStorage(root, { fs: diskWith({ open }) });
    const listed = await driver.list({ tree: 'files', path: '/', depth: 2, limit: 9 });
    expect(listed.map(({ path, size }) => [path, size])).toEqual([
      ['/d', 0],
      ['/d/a.txt', 1],
    ]);
  });

  it('is the names of a directory only once, for many new files', async () => {
    const readdir = vi.fn<FileSystem['readdir']>((path, options) => fs.readdir(path, options));
    const driver = filesystemStorage(root, { fs: diskWith({ readdir }) });
    for (let index = 0; index < 50; index++) {
      const key = { tree: 'files', path: `/${index}` } as const;
      const changes = [{ ...key, type: 'write', content: new Uint8Array() }] as const;
      expect(await driver.commit({ expect: [{ ...key, etag: null }], changes, time: 0 })).toMatchObject({ ok: true });
    }
    expect(readdir.mock.calls.filter(([path]) => path === root).length).toBeLessThan(10);
  });

  it('is them again when somebody else may have made a name', async () => {
    // A disk whose clock stands still: the stats of a directory prove nothing.
    const still = { size: 0n, mtimeNs: 1n, ctimeNs: 1n };
    const lstat: FileSystem['lstat'] = async (path, options) =>
      Object.assign(await fs.lstat(path, options), path === root ? still : {});
    const [one, two] = [0, 1].map(() => filesystemStorage(root, { fs: diskWith({ lstat }) })) as [
      StorageDriver,
      StorageDriver,
    ];
    const create = (driver: StorageDriver, path: string) =>
      driver.commit({
        expect: [{ tree: 'files', path, etag: null }],
        changes: [{ tree: 'files', path, type: 'write', content: new Uint8Array() }],
        time: 0,
      });
    for (let index = 0; index < 20; index++) {
      expect(await create(one, `/a${index}`)).toMatchObject({ ok: true });
      expect(await create(two, `/Twin${index}`)).toMatchObject({ ok: true });
      expect(await create(one, `/twin${index}`)).toMatchObject({ ok: false, entry: { path: `/Twin${index}` } });
    }
  });

  it('is not a block for a note: it is short enough to be kept within its own entry', async () => {
    const symlink = vi.fn<FileSystem['symlink']>((target, path) => fs.symlink(target, path));
    const driver = filesystemStorage(root, { fs: diskWith({ symlink }) });
    const changes = ['/a', '/b'].map((path) => ({ tree: 'files', path, type: 'make-directory' }) as const);
    expect(await driver.commit({ expect: [], changes, time: 0 })).toMatchObject({ ok: true });
    const longest = Math.max(...symlink.mock.calls.map(([target]) => target.length));
    expect(symlink.mock.calls.some(([target]) => target.startsWith('active '))).toBe(true);
    expect(longest).toBeLessThan(60);
  });

  it('never leaves others without a file of which a version is kept', async () => {
    await files.write('/a', 'old');
    let calls = 0;
    const watched = Object.entries(fs).map(([name, call]) => [
      name,
      typeof call !== 'function'
        ? call
        : async (...args: readonly never[]) => {
            const result: unknown = await Reflect.apply(call, fs, args);
            await fs.access(join(root, 'a'));
            calls++;
            return result;
          },
    ]);
    const driver = filesystemStorage(root, { fs: Object.fromEntries(watched) as FileSystem });
    const changes = [
      { tree: 'files', path: '/a', type: 'move', to: { tree: 'records', path: '/1' } },
      { tree: 'files', path: '/a', type: 'write', content: Buffer.from('new') },
    ] as const;
    expect(await driver.commit({ expect: [], changes, time: 0 })).toMatchObject({ ok: true });
    expect(await fs.readFile(join(root, '.utensil/records/1'), 'utf8')).toBe('old');
    expect(calls).toBeGreaterThan(20);
  });

  it('keeps versions also if a file cannot have two names', async () => {
    await files.write('/a', 'old');
    const driver = filesystemStorage(root, { fs: diskWith({ link: failing('EPERM') }) });
    const changes = [
      { tree: 'files', path: '/a', type: 'move', to: { tree: 'records', path: '/1' } },
      { tree: 'files', path: '/a', type: 'write', content: Buffer.from('new') },
      { tree: 'files', path: '/a', type: 'write', content: Buffer.from('newer') },
    ] as const;
    const missing = { tree: 'files', path: '/missing', type: 'remove' } as const;
    expect(await driver.commit({ expect: [], changes: [...changes, missing], time: 0 })).toMatchObject({ ok: false });
    expect((await files.readText('/a')).text).toBe('old');
    expect(await driver.commit({ expect: [], changes, time: 0 })).toMatchObject({ ok: true });
    expect((await files.readText('/a')).text).toBe('newer');
  });

  it('lets timers have their turn between calls that wait for nothing', async () => {
    await files.write('/a', 'a');
    const over = new AbortController();
    setTimeout(() => over.abort(), 20);
    let count = 0;
    for (; count < 1_000_000 && !over.signal.aborted; count++) await files.stat('/a');
    expect(count).toBeLessThan(1_000_000);
  });
});
