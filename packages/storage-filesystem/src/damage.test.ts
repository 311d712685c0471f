// Storages in a directory with interference by other programs, full disks and damaged data.

import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createFiles, isUtensilError } from '@utensil/core';
import type { ProjectFiles, UtensilError } from '@utensil/core';
import type { StorageChange, StorageDriver } from '@utensil/core/storage';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { diskWithoutNumbers, dyingBefore } from './test-kit/crash.ts';
import type { FileSystem } from './file-system.ts';
import { filesystemStorage } from './filesystem.ts';
import { randomFrom } from './test-kit/power.ts';

let place: string;
let root: string;
let files: ProjectFiles;
beforeEach(async () => {
  place = await fs.mkdtemp(join(tmpdir(), 'utensil-'));
  root = join(place, 'root');
  files = createFiles(filesystemStorage(root));
});
afterEach(() => fs.rm(place, { recursive: true }));

const diskWith = (changed: Partial<FileSystem>): FileSystem => ({ ...fs, ...changed });
const failure = (code: string): Error => Object.assign(new Error(code), { code });
const staged = (): Promise<readonly string[]> => fs.readdir(join(root, '.utensil/tmp'));
const write = (path: string, text: string): StorageChange => ({
  ...{ tree: 'files', path, type: 'write' },
  content: Buffer.from(text),
});

describe('a disk that is full', () => {
  it('keeps nothing of a commit that could not be begun', async () => {
    await files.write('/a', 'a');
    const open: typeof fs.open = async (path, ...rest) => {
      if (String(path).endsWith('.json')) throw failure('ENOSPC');
      return fs.open(path, ...rest);
    };
    const full = filesystemStorage(root, { fs: diskWith({ open }) });
    const changes = [write('/a', 'b'.repeat(1000)), write('/c', 'c'.repeat(1000))];
    await expect(full.commit({ expect: [], changes, time: 0 })).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await staged()).toEqual([]);
    expect((await files.readText('/a')).text).toBe('a');
  });

  it('keeps nothing either if the note could not be changed', async () => {
    await files.write('/a', 'a');
    const rename: typeof fs.rename = async (from, to) => {
      if (String(to).endsWith('state')) throw failure('ENOSPC');
      return fs.rename(from, to);
    };
    const full = filesystemStorage(root, { fs: diskWith({ rename }) });
    const changes = [write('/a', 'b'), write('/c', 'c')];
    await expect(full.commit({ expect: [], changes, time: 0 })).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await staged()).toEqual([]);
    expect(await files.stat('/c')).toBeUndefined();
  });

  it('opens after a crash although there is no room for a note', async () => {
    await interrupt();
    const symlink: typeof fs.symlink = async (target, path) => {
      if (String(target).startsWith('idle') && String(path).includes('.utensil/tmp')) throw failure('ENOSPC');
      return fs.symlink(target, path);
    };
    const full = createFiles(filesystemStorage(root, { fs: diskWith({ symlink }) }));
    expect((await full.readText('/a.md')).text).toBe('the first text');
    expect((await files.list('/')).entries.map(({ path }) => path)).toEqual(['/a.md', '/d']);
  });
});

/** Simulates a process that died after some steps of this commit. */
async function interrupt(): Promise<void> {
  await files.write('/a.md', 'the first text');
  await files.write('/d/inside.md', 'the text inside');
  const changes: readonly StorageChange[] = [
    write('/a.md', 'the second text'),
    { tree: 'files', path: '/d/inside.md', type: 'remove' },
    write('/new.md', 'a new text'),
  ];
  await filesystemStorage(root, { fs: dyingBefore('/new.md') })
    .commit({ expect: [], changes, time: 0 })
    .catch(() => {});
  for (const note of await fs.readdir(join(root, '.utensil/lock'))) await fs.unlink(join(root, '.utensil/lock', note));
  expect(await fs.readlink(join(root, '.utensil/state'))).toMatch(/^active/);
}

describe('recovery', () => {
  it('sets aside what cannot be put back, says so in words, and leaves what another program wrote', async () => {
    await interrupt();
    await fs.writeFile(join(root, 'a.md'), 'what the user wrote');
    await fs.rm(join(root, 'd'), { recursive: true });
    const told: UtensilError[] = [];
    const open = createFiles(filesystemStorage(root, { warn: (problem) => told.push(problem) }));
    expect((await open.readText('/a.md')).text).toBe('what the user wrote');
    expect((await open.list('/', { depth: 9 })).entries.map(({ path }) => path)).toEqual(['/a.md']);
    expect(told.map(({ code }) => code)).toEqual(['recovery_incomplete', 'recovery_incomplete']);
    expect(told.map(({ message }) => message).join('\n')).toMatch(
      /'\/d\/inside\.md' could not be restored\. It was set aside as '\.utensil\/set-aside\/[0-9a-f]+\/1\/inside\.md'/,
    );
    const [directory = ''] = await fs.readdir(join(root, '.utensil/set-aside'));
    const aside = join(root, '.utensil/set-aside', directory);
    expect(await fs.readFile(join(aside, '0/a.md'), 'utf8')).toBe('the first text');
    expect(await fs.readFile(join(aside, '1/inside.md'), 'utf8')).toBe('the text inside');
    expect(await fs.readFile(join(aside, 'about.txt'), 'utf8')).toContain("1/inside.md: '/d/inside.md'");
  });

  const flips = inject('isLong') ? 100 : 34;

  it('opens a project after any flipped bit in the journal, and loses nothing', async () => {
    await interrupt();
    const [journal = ''] = (await staged()).filter((name) => name.endsWith('.json'));
    const { size } = await fs.stat(join(root, '.utensil/tmp', journal));
    const random = randomFrom(7);
    for (let flip = 0; flip < flips; flip++) {
      const copy = join(place, `copy-${flip}`);
      root = copy;
      files = createFiles(filesystemStorage(copy));
      await interrupt();
      const [name = ''] = (await staged()).filter((each) => each.endsWith('.json'));
      await flipBit(join(copy, '.utensil/tmp', name), Math.floor(random() * size * 8));
      const open = createFiles(filesystemStorage(copy));
      await open.write('/after.md', 'after');
      const texts = await textsBelow(copy);
      expect(texts, `flip ${flip}`).toEqual(expect.arrayContaining(['the first text', 'the text inside']));
    }
  });

  it.each(['', 'active', 'active nobody', 'active ../../a', 'aktive x', 'nonsense', '\u0000'])(
    'opens a project whose note says %j',
    async (text) => {
      await interrupt();
      await fs.unlink(join(root, '.utensil/state'));
      await fs.writeFile(join(root, '.utensil/state'), text);
      expect((await files.readText('/a.md')).text).toBe('the first text');
      await files.batch(async (all) => {
        await all.write('/b.md', 'b');
        await all.write('/c.md', 'c');
      });
      expect(await textsBelow(root)).toContain('the text inside');
    },
  );

  it.each([
    ['removals', [{ tree: 'files', path: '/a.md', type: 'remove' }] as const],
    ['moves', [{ tree: 'files', path: '/a.md', type: 'move', to: { tree: 'records', path: '/a' } }] as const],
  ])('loses nothing of a batch of %s if its note is damaged', async (_, changes) => {
    await files.write('/a.md', 'the first text');
    await files.write('/z.md', 'the last text');
    const last: StorageChange = { tree: 'files', path: '/z.md', type: 'move', to: { tree: 'files', path: '/new.md' } };
    await filesystemStorage(root, { fs: dyingBefore('/new.md') })
      .commit({ expect: [], changes: [...changes, last], time: 0 })
      .catch(() => {});
    for (const note of await fs.readdir(join(root, '.utensil/lock')))
      await fs.unlink(join(root, '.utensil/lock', note));
    await fs.unlink(join(root, '.utensil/state'));
    await fs.writeFile(join(root, '.utensil/state'), 'nonsense');
    expect((await files.readText('/z.md')).text).toBe('the last text');
    expect(await fs.readdir(join(root, '.utensil/tmp'))).toEqual([]);
    expect(await textsBelow(root)).toContain('the first text');
  });

  it('keeps a file that another program has restored with its old time', async () => {
    await interrupt();
    const old = new Date(Date.now() - 24 * 3_600_000);
    await fs.writeFile(join(root, 'a.md'), 'a restored text');
    await fs.utimes(join(root, 'a.md'), old, old);
    expect((await files.readText('/a.md')).text).toBe('a restored text');
    expect(await textsBelow(root)).toContain('the first text');
  });

  it('opens a project on a full disk, and keeps in the folder tmp what cannot be put back', async () => {
    await interrupt();
    await fs.rm(join(root, 'd'), { recursive: true });
    const mkdir: FileSystem['mkdir'] = async (path, options) => {
      await fs.access(path).catch(() => Promise.reject(failure('ENOSPC')));
      return fs.mkdir(path, options);
    };
    const full = diskWith({ mkdir });
    const open = createFiles(filesystemStorage(root, { fs: full }));
    expect((await open.readText('/a.md')).text).toBe('the first text');
    expect((await staged()).filter((name) => name.startsWith('kept-'))).toHaveLength(1);
    expect(await textsBelow(root)).toContain('the text inside');
  });

  it('takes back no commit that was finished, whatever its note says later', async () => {
    await files.batch(async (all) => {
      await all.write('/a.md', 'a');
      await all.write('/b.md', 'b');
    });
    await fs.unlink(join(root, '.utensil/state'));
    await fs.writeFile(join(root, '.utensil/state'), 'nonsense');
    expect((await createFiles(filesystemStorage(root)).readText('/b.md')).text).toBe('b');
  });

  it('reads a read-only disk in its present state', async () => {
    await interrupt();
    const refuse = async (): Promise<never> => {
      throw failure('EROFS');
    };
    const readOnly = diskWith({ rename: refuse, symlink: refuse, unlink: refuse, writeFile: refuse, link: refuse });
    const open = createFiles(filesystemStorage(root, { fs: readOnly }));
    expect((await open.list('/')).entries.map(({ path }) => path)).toContain('/a.md');
    await expect(open.write('/x', 'x')).rejects.toMatchObject({ code: 'EROFS' });
  });
});

async function flipBit(file: string, bit: number): Promise<void> {
  const content = await fs.readFile(file);
  const at = Math.floor(bit / 8) % content.length;
  content[at] = (content[at] ?? 0) ^ (1 << (bit % 8));
  await fs.writeFile(file, content);
}

/** The texts of all files below a directory, the storage's own too. */
async function textsBelow(directory: string): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const child of await fs.readdir(directory, { withFileTypes: true, recursive: true })) {
    if (child.isFile()) texts.push(await fs.readFile(join(child.parentPath, child.name), 'utf8'));
  }
  return texts;
}

describe('another program', () => {
  const removing = (path: string): FileSystem =>
    diskWith({
      rename: async (from, to) => {
        await fs.rename(from, to);
        if (to.endsWith(path)) await fs.rm(join(root, path), { recursive: true });
      },
    });

  it.each<[string, (driver: ProjectFiles) => Promise<{ readonly kind: string; readonly size: number }>, object]>([
    ['a file', (some) => some.write('/gone', 'four'), { kind: 'file', size: 4 }],
    ['a directory', (some) => some.makeDirectory('/gone'), { kind: 'directory' }],
    ['a file that was moved', (some) => some.move('/kept', '/gone'), { kind: 'file', size: 5 }],
  ])('may remove %s as soon as it is there: it was written all the same', async (_, change, expected) => {
    await files.write('/kept', 'keeps');
    const some = createFiles(filesystemStorage(root, { fs: removing('gone') }));
    expect(await change(some)).toMatchObject({ path: '/gone', ...expected });
    expect(await files.stat('/gone')).toBeUndefined();
  });

  it.each([
    ['a disk', fs],
    ['a disk without directories by number', diskWithoutNumbers],
  ])('may leave links in a loop on %s: nothing is behind them', async (_, disk) => {
    const some = createFiles(filesystemStorage(root, { fs: disk }));
    await some.makeDirectory('/d');
    await fs.symlink('loop', join(root, 'd/loop'));
    for (const path of ['/d/loop', '/d/loop/x', '/d/loop/x/y']) expect(await some.stat(path)).toBeUndefined();
    await expect(some.write('/d/loop/x', 'x')).rejects.toMatchObject({ code: 'EACCES' });
    await expect(some.list('/d/loop')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

it('reads a file whose name ends as that of a removed one', async () => {
  await files.write('/report (deleted)', 'still here');
  expect((await files.readText('/report (deleted)')).text).toBe('still here');
  expect(await files.stat('/report (deleted)')).toMatchObject({ size: 10 });
});

it('throws only Utensil errors for reads', async () => {
  const driver: StorageDriver = filesystemStorage(root, {
    fs: diskWith({ open: () => Promise.reject(failure('EIO')) }),
  });
  await files.write('/a', 'a');
  const error = await driver.read({ tree: 'files', path: '/a' }).catch((thrown: unknown) => thrown);
  expect(isUtensilError(error, 'EIO')).toBe(true);
});

describe('something else in place of a note', () => {
  const things: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    'a directory': (path) => fs.mkdir(path),
    'a directory with a file': async (path) => {
      await fs.mkdir(path);
      await fs.writeFile(join(path, 'mine.md'), 'mine');
    },
    'a pipe': (path) => promisify(execFile)('mkfifo', [path]),
    'an empty file': (path) => fs.writeFile(path, ''),
    'a link that leads nowhere': (path) => fs.symlink('nowhere', path),
  };
  const cases = Object.entries(things).flatMap(([thing, put]) =>
    ['state', 'lock/1', 'last', 'knock'].map((note) => [thing, note, put] as const),
  );

  it.each(cases)('keeps nobody from the project: %s as %s', async (_, note, put) => {
    await files.write('/a', 'a');
    const at = join(root, '.utensil', note);
    await fs.rm(at, { force: true });
    await put(at);
    const driver = filesystemStorage(root, { lockTimeoutMs: 2_500 }); // a part of it is waited for, on a loaded machine too
    const opened = createFiles(driver);
    expect((await opened.readText('/a')).text).toBe('a');
    await opened.batch(async (all) => {
      await all.write('/b', 'b');
      await all.write('/c', 'c');
    });
    await opened.write('/a', 'changed');
    const again = createFiles(filesystemStorage(root));
    expect((await again.readText('/a')).text).toBe('changed');
    const all = await fs.readdir(join(root, '.utensil'), { recursive: true });
    const durableState = all.filter((path) => path.endsWith('mine.md'));
    expect(durableState.length).toBe(_ === 'a directory with a file' ? 1 : 0);
  });
});
