import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createFiles, createRecords, isUtensilError } from '@utensil/core';
import type { Files } from '@utensil/core';
import { checkFiles, recordSuite, storageSuite, threadSuite } from '@utensil/core/testing';
import type { StorageBackend } from '@utensil/core/testing';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { sampled } from '../../../tooling/sampled.ts';
import { diskWithoutNumbers } from './test-kit/crash.ts';
import type { FileSystem } from './file-system.ts';
import { filesystemStorage } from './filesystem.ts';

let place: string;
let root: string;
let files: Files;

beforeEach(async () => {
  place = await fs.mkdtemp(join(tmpdir(), 'utensil-'));
  root = join(place, 'root');
  files = createFiles(filesystemStorage(root));
});
afterEach(() => fs.rm(place, { recursive: true }));

const paths = async (from = files): Promise<readonly string[]> =>
  (await from.list('/', { depth: 9 })).entries.map(({ path }) => path);

/** Code of a failing call, whose message must not contain the root. */
async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => {
      if (!isUtensilError(error)) throw error;
      expect(error.message).not.toContain(place);
      return error.code;
    },
  );
}

/** The disk with some operations overridden. */
const diskWith = (changed: Partial<FileSystem>): FileSystem => ({ ...fs, ...changed });

const failing = (code: string, where: string) => async (): Promise<never> => {
  throw Object.assign(new Error(`${code}: ${where}`), { code });
};

describe('filesystemStorage', () => {
  const make = (): StorageBackend => ({
    open: async (namespace) => filesystemStorage(join(place, namespace)),
    destroy: async () => {},
  });
  storageSuite({ test }, make);
  recordSuite({ test }, make);
  threadSuite({ test }, make);

  describe('on a disk without directories by number', () => {
    storageSuite({ test: sampled(test, { always: /paths|directory|plain map/, never: /500|100/ }) }, () => ({
      open: async (namespace) => filesystemStorage(join(place, namespace), { fs: diskWithoutNumbers }),
      destroy: async () => {},
    }));
  });

  it('does with random work what a plain map would', async () => {
    const seeds = fc.asyncProperty(fc.nat(), async (seed) => {
      const directory = await fs.mkdtemp(join(place, 'model-'));
      await checkFiles(createFiles(filesystemStorage(directory)), { seed, steps: 15 });
    });
    await expect(fc.assert(seeds, { numRuns: 15 })).resolves.toBeUndefined();
  });

  it('keeps files where a person finds them, and its own data in one folder that git ignores', async () => {
    expect(await paths()).toEqual([]);
    await files.write('/notes/todo.md', 'milk');
    expect(await fs.readFile(join(root, 'notes/todo.md'), 'utf8')).toBe('milk');
    expect((await fs.readdir(root)).sort()).toEqual(['.utensil', 'notes']);
    expect(await fs.readFile(join(root, '.utensil/.gitignore'), 'utf8')).toBe('*\n');
    expect(await fs.readdir(join(root, '.utensil/tmp'))).toEqual([]);
    expect((await fs.stat(join(root, '.utensil'))).mode & 0o777).toBe(0o700);
  });

  it('closing waits for the commits under way, so that the directory can be removed', async () => {
    const driver = filesystemStorage(root);
    let ended = 0;
    const commits = ['/a', '/b', '/c'].map(async (path) => {
      const change = { tree: 'files', path, type: 'write', content: new Uint8Array(1_000_000) } as const;
      await driver.commit({ expect: [], changes: [change], time: 1 });
      ended++;
    });
    await driver.close();
    expect(ended).toBe(3);
    await fs.rm(root, { recursive: true });
    await Promise.all(commits);
  });

  it('keeps the mode of a file that it replaces, and records to the user', async () => {
    await files.write('/run.sh', 'a');
    await fs.chmod(join(root, 'run.sh'), 0o750);
    await files.write('/run.sh', 'b');
    await createRecords(filesystemStorage(root)).put(['settings'], {});
    expect((await fs.stat(join(root, 'run.sh'))).mode & 0o777).toBe(0o750);
    expect((await fs.stat(join(root, '.utensil/records/settings.json'))).mode & 0o777).toBe(0o600);
  });

  it('gives a record that has its old value again the old etag, unless the value counts its changes', async () => {
    const records = createRecords(filesystemStorage(root));
    const etags: string[] = [];
    for (const value of ['a', 'b', 'a', { fence: 1, at: 'a' }, { fence: 2, at: 'b' }, { fence: 3, at: 'a' }]) {
      etags.push((await records.put(['owner'], value)).etag);
    }
    expect(etags[2]).toBe(etags[0]);
    expect(new Set(etags).size).toBe(5);
  });

  it('sees the edits of other programs, also of the same size and with the old time', async () => {
    const host = join(root, 'a.txt');
    const before = await files.write('/a.txt', 'before');
    const { atime, mtime } = await fs.stat(host);
    await fs.writeFile(host, 'edited');
    await fs.utimes(host, atime, mtime);
    expect((await files.readText('/a.txt')).text).toBe('edited');
    expect((await files.stat('/a.txt'))?.etag).not.toBe(before.etag);
    expect(await codeOf(files.write('/a.txt', 'lost', { ifMatch: before.etag }))).toBe('ECONFLICT');
  });

  it('reads a file again for its etag only while its time proves nothing', async () => {
    const reads = vi.fn<(path: unknown) => void>();
    const open: typeof fs.open = async (path, ...rest) => {
      if (basename(String(path)) === 'a.txt') reads(path);
      return fs.open(path, ...rest);
    };
    const driver = filesystemStorage(root, { fs: diskWith({ open }) });
    await files.write('/a.txt', 'before');
    const etag = async () => (await driver.stat([{ tree: 'files', path: '/a.txt' }]))[0]?.etag;
    const later = vi.spyOn(Date, 'now');
    try {
      const first = await etag();
      expect([await etag(), reads.mock.calls.length]).toEqual([first, 2]);
      later.mockReturnValue(Date.now() + 10_000);
      expect([await etag(), await etag(), await etag(), reads.mock.calls.length]).toEqual([first, first, first, 3]);
      await fs.writeFile(join(root, 'a.txt'), 'edited');
      expect(await etag()).not.toBe(first);
    } finally {
      later.mockRestore();
    }
  });
});

describe('the root is not left', () => {
  beforeEach(async () => {
    await files.write('/inside.txt', 'inside');
    await fs.mkdir(join(place, 'outside'));
    await fs.writeFile(join(place, 'outside/secret.txt'), 'secret');
    await fs.symlink('../outside', join(root, 'link'));
    await fs.symlink('../outside/secret.txt', join(root, 'leaf.txt'));
    await fs.symlink('../outside/new.txt', join(root, 'dangling.txt'));
    await fs.symlink('inside.txt', join(root, 'near.txt'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
  });
  /** Asserts that nothing outside the root has changed. */
  async function expectUntouched(): Promise<void> {
    expect(await fs.readdir(join(place, 'outside'))).toEqual(['secret.txt']);
    expect(await fs.readFile(join(place, 'outside/secret.txt'), 'utf8')).toBe('secret');
    expect(await paths()).toEqual(['/inside.txt']);
  }

  it('shows no link and no device', async () => {
    expect(await paths()).toEqual(['/inside.txt']);
    for (const path of ['/link', '/leaf.txt', '/near.txt', '/pipe', '/link/secret.txt']) {
      expect(await files.stat(path)).toBeUndefined();
    }
  });

  it.each(['/link/secret.txt', '/leaf.txt', '/near.txt', '/pipe'])('does not read %s', async (path) => {
    expect(await codeOf(files.read(path))).toBe('EACCES');
  });

  it.each([
    '/link/secret.txt',
    '/link/new.txt',
    '/link/d/new.txt',
    '/leaf.txt',
    '/dangling.txt',
    '/near.txt',
    '/pipe',
    '/link',
  ])('does not write, make, or move to %s', async (path) => {
    expect(await codeOf(files.write(path, 'x'))).toBe('EACCES');
    expect(await codeOf(files.makeDirectory(path))).toBe('EACCES');
    expect(await codeOf(files.move('/inside.txt', path))).toBe('EACCES');
    await expectUntouched();
  });

  it('does not remove, move or list what is behind a link', async () => {
    expect(await codeOf(files.remove('/link', { recursive: true }))).toBe('ENOENT');
    expect(await codeOf(files.move('/link/secret.txt', '/mine.txt'))).toBe('ENOENT');
    expect(await codeOf(files.list('/link'))).toBe('ENOENT');
    const commit = {
      expect: [],
      changes: [{ type: 'remove', tree: 'files', path: '/link/secret.txt' }],
      time: 0,
    } as const;
    expect(await codeOf(filesystemStorage(root).commit(commit))).toBe('EACCES');
    await expectUntouched();
  });

  it.each(['/../outside/secret.txt', '/./../outside/secret.txt', '/..', '//'])('does not go to %s', async (path) => {
    const driver = filesystemStorage(root);
    const content = new Uint8Array();
    for (const tree of ['files', 'records'] as const) {
      expect(await driver.stat([{ tree, path }])).toEqual([undefined]);
      expect(await codeOf(driver.read({ tree, path }))).toBe('EACCES');
      const write = driver.commit({ expect: [], changes: [{ type: 'write', tree, path, content }], time: 0 });
      expect(await codeOf(write)).toBe('EACCES');
    }
    await expectUntouched();
  });

  it('begins nothing for a commit that is refused: what failed of that was nobody’s, and ended the program', async () => {
    const made: unknown[] = [];
    const mkdir = (...given: Parameters<typeof fs.mkdir>) => (made.push(given[0]), fs.mkdir(...given));
    const driver = filesystemStorage(root, { fs: diskWith({ mkdir: mkdir }) });
    const changes = [{ type: 'write', tree: 'files', path: '//', content: new Uint8Array() }] as const;
    expect(await codeOf(driver.commit({ expect: [], changes, time: 0 }))).toBe('EACCES');
    await new Promise((then) => setTimeout(then, 20));
    expect(made).toEqual([]);
  });

  it('takes no link for the folder of its own', async () => {
    const other = join(place, 'other');
    await fs.mkdir(other);
    await fs.symlink('../outside', join(other, '.utensil'));
    expect(await codeOf(createFiles(filesystemStorage(other)).write('/a', 'a'))).toBe('EACCES');
    expect(await codeOf(createRecords(filesystemStorage(other)).put(['a'], 1))).toBe('EACCES');
    await expectUntouched();
  });

  it('follows the link that the root itself is', async () => {
    await fs.symlink('root', join(place, 'alias'));
    const linked = createFiles(filesystemStorage(join(place, 'alias')));
    await linked.write('/a', 'a');
    expect(await paths(linked)).toEqual(['/a', '/inside.txt']);
  });
});

describe("the storage's own folder is not reached", () => {
  const spellings = [
    '.utensil',
    '.UTENSIL',
    '.Utensil',
    '.utensil.',
    '.utensil ',
    '.uten\u200csil',
    '.utenſil',
    '．ｕｔｅｎｓｉｌ',
    '.utensil::$INDEX_ALLOCATION',
    'UTENSI~1',
    'sub/.utensil',
  ];

  it.each(spellings)('as /%s', async (name) => {
    await files.write('/sub/a', 'a');
    await files.write('/b', 'b');
    await createRecords(filesystemStorage(root)).put(['settings'], { secret: true });
    expect(await files.stat(`/${name}`)).toBeUndefined();
    expect(await codeOf(files.read(`/${name}/records/settings.json`))).toBe('EACCES');
    expect(await codeOf(files.write(`/${name}/records/settings.json`, '{}'))).toBe('EACCES');
    expect(await codeOf(files.makeDirectory(`/${name}`))).toBe('EACCES');
    expect(await codeOf(files.move('/b', `/${name}`))).toBe('EACCES');
    expect(await paths()).toEqual(['/b', '/sub', '/sub/a']);
  });

  it('takes nothing else for it', async () => {
    for (const name of ['utensil', '.utensils', '.utensil-notes', 'a.utensil']) await files.write(`/${name}`, 'x');
    expect(await paths()).toEqual(['/.utensil-notes', '/.utensils', '/a.utensil', '/utensil']);
  });
});

describe('names that no path can have', () => {
  it.each(['e\u0301', 'back\\slash', 'new\nline', 'bidi\u202e', '.utensil'])(
    'keeps %j out of sight and in place',
    async (name) => {
      await files.write('/d/a', 'a');
      await fs.mkdir(join(root, 'd', name));
      expect(await paths()).toEqual(['/d', '/d/a']);
      expect(await codeOf(files.remove('/d', { recursive: true }))).toBe('ENOTEMPTY');
      expect((await fs.readdir(join(root, 'd'))).sort()).toEqual([name, 'a'].sort());
    },
  );
});

describe('what a disk refuses', () => {
  const full = async (path: Parameters<typeof fs.open>[0], ...rest: [flags?: string | number, mode?: number]) => {
    const handle = await fs.open(path, ...rest);
    return Object.assign(handle, { writeFile: failing('ENOSPC', String(path)) });
  };
  const refusals: readonly [string, Partial<FileSystem>][] = [
    ['ENOSPC', { open: full }],
    ['EROFS', { mkdir: failing('EROFS', '/host') }],
    ['EACCES', { rename: failing('EACCES', '/host') }],
    ['EACCES', { access: failing('EACCES', '/host') }],
    ['EACCES', { open: failing('EPERM', '/host') }],
    ['EBUSY', { rename: failing('EBUSY', '/host') }],
    ['EBUSY', { open: failing('EMFILE', '/host') }],
    ['ENAMETOOLONG', { lstat: failing('ENAMETOOLONG', '/host') }],
    ['EIO', { realpath: failing('EIO', '/host') }],
  ];

  it.each(refusals)('is %s, and nothing is lost', async (code, changed) => {
    await files.write('/a', 'before');
    const failingFiles = createFiles(filesystemStorage(root, { fs: diskWith(changed) }));
    expect(await codeOf(failingFiles.write('/a', 'after it'))).toBe(code);
    expect((await files.readText('/a')).text).toBe('before');
    expect(await fs.readdir(join(root, '.utensil/tmp'))).toEqual([]);
    expect(await fs.readdir(join(root, '.utensil/lock'))).toEqual([]);
    await files.write('/a', 'afterwards');
  });

  it('is ENOTDIR where the root is a file', async () => {
    await fs.writeFile(root, 'a file');
    expect(await codeOf(files.write('/a', 'a'))).toBe('ENOTDIR');
  });

  it('is EACCES for the list of a closed directory, which is only left out of a longer one', async () => {
    await files.write('/closed/a', 'a');
    const readdir = (async (path: string, ...rest: []) => {
      const isClosed = (await fs.realpath(path)).endsWith('closed'); // a held directory has a number for a path
      return isClosed ? failing('EACCES', path)() : fs.readdir(path, ...rest);
    }) as typeof fs.readdir;
    const some = createFiles(filesystemStorage(root, { fs: diskWith({ readdir }) }));
    expect(await paths(some)).toEqual(['/closed']);
    expect(await codeOf(some.list('/closed'))).toBe('EACCES');
  });
});

describe('a disk that ignores case', () => {
  /** The path as it stands on the disk. */
  async function spelled(path: string): Promise<string> {
    let known = place;
    for (const name of path
      .slice(place.length + 1)
      .split('/')
      .filter(Boolean)) {
      const names = await fs.readdir(known).catch(() => []);
      known = join(known, names.find((each) => each.toLowerCase() === name.toLowerCase()) ?? name);
    }
    return known;
  }
  const ignoringCase = diskWith({
    lstat: (async (path: string, ...rest: []) => fs.lstat(await spelled(path), ...rest)) as typeof fs.lstat,
    realpath: async (path: string) => fs.realpath(await spelled(path)),
    open: diskWithoutNumbers.open,
  });

  it('knows a name in one spelling only', async () => {
    const some = createFiles(filesystemStorage(root, { fs: ignoringCase }));
    await some.write('/Notes/Read.md', 'a');
    expect(await some.stat('/notes/Read.md')).toBeUndefined();
    expect(await codeOf(some.read('/Notes/READ.md'))).toBe('ENOENT');
    expect(await codeOf(some.write('/Notes/READ.md', 'b'))).toBe('EEXIST');
    expect(await codeOf(some.write('/notes/new.md', 'b'))).toBe('EEXIST');
    await some.move('/Notes/Read.md', '/Notes/READ.md');
    expect(await paths(some)).toEqual(['/Notes', '/Notes/READ.md']);
  });
});

describe("durability: 'power'", () => {
  it('waits for the disk before it answers', async () => {
    const events: string[] = [];
    const open = (async (path: string, ...rest: [flags?: string]) => {
      const handle = await fs.open(path, ...rest);
      const sync = async (): Promise<void> => {
        await handle.sync();
        events.push(path === root ? 'sync root' : 'sync content');
      };
      return new Proxy(handle, {
        get: (target, name) => {
          const member: unknown = name === 'sync' ? sync : Reflect.get(target, name);
          return typeof member === 'function' ? (member.bind(target) as unknown) : member;
        },
      });
    }) as typeof fs.open;
    const rename: FileSystem['rename'] = async (from, to) => {
      if (basename(to) === 'a') events.push('rename');
      await fs.rename(from, to);
    };
    await files.makeDirectory('/d');
    const powered = filesystemStorage(root, { durability: 'power', fs: diskWith({ open, rename }) });
    const changes = [{ type: 'write', tree: 'files', path: '/a', content: new Uint8Array() }] as const;
    await powered.commit({ expect: [], changes: [], time: 0 });
    events.length = 0;
    await powered.commit({ expect: [], changes, time: 0 });
    expect(events).toEqual(['sync content', 'rename', 'sync root']);
  });
});
