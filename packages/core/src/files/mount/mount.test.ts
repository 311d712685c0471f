// Parts of files, and files put together: over a storage that keeps every promise.

import { memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { isUtensilError } from '../../base/errors.ts';
import { checkFiles } from '../../testing/files-model.ts';
import { createFiles } from '../create-files.ts';
import type { Files, FileListing, ListOptions } from '../files.ts';
import { readOnly } from '../read-only.ts';
import type { StorageDriver } from '../storage/driver.ts';
import { subtree } from '../subtree.ts';
import { mountFiles } from './mount.ts';

const newFiles = (): Files => createFiles(memoryStorage(), { now: () => 1000 });

/** The message that a call fails with. */
async function messageOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    (value) => `no error, but ${JSON.stringify(value)}`,
    (error: unknown) => (isUtensilError(error) ? error.message : `${String(error)}, which is not ours`),
  );
}

async function pathsOf(files: Files, path = '/', options: ListOptions = { depth: 32 }): Promise<readonly string[]> {
  return (await files.list(path, options)).entries.map((entry) => entry.path);
}

describe('subtree', () => {
  let all: Files;
  let project: Files;
  beforeEach(() => {
    all = newFiles();
    project = subtree(all, '/projects/first/');
  });

  it('is empty files until the first write makes its directory', async () => {
    expect(await project.list('/')).toEqual({ entries: [] });
    expect(await project.stat('/')).toMatchObject({ path: '/', kind: 'directory' });
    expect(await project.stat('/a')).toBeUndefined();
    expect(await all.stat('/projects')).toBeUndefined();
    expect((await project.write('/a/b.md', 'b')).path).toBe('/a/b.md');
    expect((await all.readText('/projects/first/a/b.md')).text).toBe('b');
  });

  it('takes and gives paths of its own, in every method', async () => {
    await all.write('/projects/first/a.md', 'one\n');
    expect((await project.read('/a.md', { start: 0, end: 1 })).bytes).toEqual(Uint8Array.of(0x6f));
    expect(await project.readText('/a.md')).toMatchObject({ path: '/a.md', text: 'one\n' });
    expect((await project.append('/a.md', 'two\n')).path).toBe('/a.md');
    expect(await project.edit('/a.md', { oldText: 'two', newText: '2' })).toMatchObject({
      path: '/a.md',
      text: 'one\n2\n',
    });
    expect((await project.insertLines('/a.md', 0, 'zero')).path).toBe('/a.md');
    expect((await project.makeDirectory('/d')).path).toBe('/d');
    expect((await project.copy('/a.md', '/d/c.md')).path).toBe('/d/c.md');
    expect((await project.move('/d/c.md', '/d/m.md')).path).toBe('/d/m.md');
    expect(await pathsOf(project)).toEqual(['/a.md', '/d', '/d/m.md']);
    expect(await project.list('/', { depth: 2, limit: 1, after: '/a.md' })).toMatchObject({
      entries: [{ path: '/d' }],
      next: '/d',
    });
    await project.remove('/d', { recursive: true });
    expect(await pathsOf(all)).toEqual(['/projects', '/projects/first', '/projects/first/a.md']);
  });

  it('reaches and reports nothing above', async () => {
    await all.write('/secret.md', 'secret');
    await all.write("/projects/first'/b.md", 'b');
    await all.write('/projects/firsts/b.md', 'b');
    for (const path of ['/../secret.md', '/../../secret.md', '/projects/first/secret.md', '/../firsts/b.md']) {
      expect(await project.stat(path)).toBeUndefined();
    }
    await all.makeDirectory('/projects/first');
    const changed: string[] = [];
    project.watch('/', (paths) => changed.push(...paths));
    await all.write('/secret.md', 'new');
    await all.write('/projects/firsts/b.md', 'new');
    await all.write('/projects/first/a.md', 'a');
    expect(changed).toEqual(['/a.md']);
    await all.remove('/projects', { recursive: true });
    expect(changed).toEqual(['/a.md', '/']);
  });

  const refusals: readonly [string, (files: Files) => Promise<unknown>][] = [
    ["EINVAL: invalid argument, '/'. The root cannot be removed.", (files) => files.remove('/', { recursive: true })],
    ["EINVAL: invalid argument, '/'. The root cannot be moved.", (files) => files.move('/', '/e')],
    ["EEXIST: file already exists, '/'. It is a directory.", (files) => files.makeDirectory('/..')],
    ["EEXIST: file already exists, '/'. It is a directory.", (files) => files.copy('/a.md', '/')],
    ["EISDIR: is a directory, '/'", (files) => files.write('/', 'x')],
    ["EISDIR: is a directory, '/'", (files) => files.append('/', 'x')],
    ["EISDIR: is a directory, '/'", (files) => files.read('/')],
  ];

  it.each(refusals)('refuses, with and without its directory: %s', async (message, call) => {
    expect(await messageOf(call(project))).toBe(message);
    await project.write('/a.md', 'a');
    expect(await messageOf(call(project))).toBe(message);
  });

  it('words errors in its own paths', async () => {
    await all.write('/projects/first/it’s/a.md', 'a');
    await project.write("/it's/a.md", 'a');
    expect(await messageOf(project.read("/it's/b.md"))).toBe(
      "ENOENT: no such file or directory, '/it's/b.md'. Nearest: '/it's/a.md'.",
    );
    expect(await messageOf(project.write("/IT'S/a.md", 'a'))).toBe(
      "EEXIST: file already exists, '/IT'S'. '/it's' differs from it only in case: use that one, or another name.",
    );
    expect(await messageOf(project.move("/it's", "/it's/x"))).toBe(
      "EINVAL: invalid argument, '/it's'. It cannot be moved into itself, to '/it's/x'.",
    );
    expect(await messageOf(project.read('relative'))).toBe(
      "EINVAL: invalid path, 'relative'. Paths are absolute: did you mean '/relative'?",
    );
    expect(
      await project.edit("/it's/a.md", { oldText: 'b', newText: '' }).catch((error: unknown) => error),
    ).toMatchObject({ code: 'string_not_found', path: "/it's/a.md" });
  });

  it('leaves out a hint about what is above it', async () => {
    await all.write('/projects/fist/a.md', 'a');
    expect(await messageOf(all.read('/projects/first'))).toContain('/projects/fist');
    expect(await messageOf(project.read('/a.md'))).toBe("ENOENT: no such file or directory, '/a.md'");
    expect(await messageOf(subtree(all, '/projects/FIST').write('/b.md', ''))).toBe("EEXIST: file already exists, '/'");
    expect(await messageOf(subtree(all, '/projects/fist/a.md').write('/b.md', ''))).toBe(
      "ENOTDIR: not a directory, '/b.md'",
    );
    const deep = subtree(all, `/${'x'.repeat(250)}/${'y'.repeat(250)}`);
    expect(await messageOf(deep.read('/a.md'))).toBe("ENOENT: no such file or directory, '/a.md'");
    expect(await messageOf(deep.write(`/${'z'.repeat(255)}/${'z'.repeat(255)}/${'z'.repeat(255)}`, ''))).toMatch(
      /^ENAMETOOLONG: name too long, '\/z+…'\. A path has at most 1024 bytes\.$/,
    );
  });

  it('behaves as files of its own, whatever is done', async () => {
    const seeds = fc.asyncProperty(fc.nat(), (seed) => checkFiles(subtree(newFiles(), '/a/b'), { seed }));
    await expect(fc.assert(seeds, { numRuns: 30 })).resolves.toBeUndefined();
  });

  it('names its directory in no error, whatever is done', async () => {
    const names = fc.constantFrom('a', 'A', "b'", "'", ' c', 'dir', '..');
    const paths = fc.array(names, { maxLength: 3 }).map((parts) => `/${parts.join('/')}`);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(paths, paths, fc.nat(7)), { maxLength: 12 }), async (calls) => {
        const view = subtree(newFiles(), "/Top'/Secret");
        for (const [path, other, kind] of calls) {
          const call = [
            () => view.write(path, other),
            () => view.makeDirectory(path),
            () => view.move(path, other),
            () => view.copy(path, other),
            () => view.remove(path),
            () => view.read(path),
            () => view.list(path),
            () => view.edit(path, { oldText: 'x', newText: '' }),
          ][kind];
          const outcome = await call?.().catch((error: unknown) => String(error));
          expect(JSON.stringify(outcome) ?? '').not.toMatch(/top|secret/i);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('a project with shared directories', () => {
  let all: Files;
  const project = (id: string): Files =>
    mountFiles(subtree(all, `/projects/${id}`), {
      '/share': readOnly(subtree(all, '/shared')),
      '/sharerw': subtree(all, '/exchange'),
    });
  beforeEach(async () => {
    all = newFiles();
    await all.write('/shared/guide.md', 'read me');
  });

  it('[S0-27] sees the writes of others in /sharerw, and nowhere else', async () => {
    const [first, second] = [project('first'), project('second')];
    await first.write('/sharerw/a.md', 'a');
    await first.write('/private.md', 'mine');
    expect((await second.readText('/sharerw/a.md')).text).toBe('a');
    await second.append('/sharerw/a.md', 'b');
    expect((await first.readText('/sharerw/a.md')).text).toBe('ab');
    expect(await second.stat('/private.md')).toBeUndefined();
    expect(await pathsOf(second)).toEqual(['/share', '/share/guide.md', '/sharerw', '/sharerw/a.md']);
    expect(await pathsOf(first)).toEqual(['/private.md', '/share', '/share/guide.md', '/sharerw', '/sharerw/a.md']);
  });

  it('[S0-27] reads /share, and changes nothing there', async () => {
    const files = project('first');
    await files.write('/a.md', 'a');
    expect((await files.readText('/share/guide.md')).text).toBe('read me');
    const refused: readonly [string, Promise<unknown>][] = [
      ['/share/guide.md', files.write('/share/guide.md', '')],
      ['/share/new.md', files.append('/share/new.md', '')],
      ['/share/guide.md', files.edit('/share/guide.md', { oldText: 'read', newText: '' })],
      ['/share/guide.md', files.insertLines('/share/guide.md', 0, '')],
      ['/share/d', files.makeDirectory('/share/d')],
      ['/share/guide.md', files.remove('/share/guide.md')],
      ['/share/guide.md', files.move('/share/guide.md', '/share/b.md')],
      ['/share/guide.md', files.move('/share/guide.md', '/b.md')],
      ['/share/a.md', files.move('/a.md', '/share/a.md')],
      ['/share/a.md', files.copy('/a.md', '/share/a.md')],
    ];
    for (const [path, call] of refused) {
      expect(await messageOf(call)).toBe(`EROFS: read-only file system, '${path}'. It is read-only.`);
    }
    expect(await pathsOf(files)).toEqual(['/a.md', '/share', '/share/guide.md', '/sharerw']);
    await files.copy('/share/guide.md', '/sharerw/guide.md');
    expect((await all.readText('/exchange/guide.md')).text).toBe('read me');
  });

  it.each(['/share', '/sharerw'])('[S0-27] keeps %s itself where it is', async (root) => {
    const files = project('first');
    await files.write('/a.md', 'a');
    const hint = 'It is a mount, which is neither removed, moved nor replaced: change what is in it.';
    const refused = [
      files.remove(root),
      files.remove(root, { recursive: true }),
      files.move(root, '/other'),
      files.move('/a.md', root, { overwrite: true }),
      files.copy('/a.md', root, { overwrite: true }),
    ];
    for (const call of refused)
      expect(await messageOf(call)).toBe(`EBUSY: resource busy or locked, '${root}'. ${hint}`);
    expect(await messageOf(files.write(root, ''))).toBe(`EISDIR: is a directory, '${root}'`);
    expect(await messageOf(files.makeDirectory(root))).toMatch(/^EEXIST/);
    expect(await messageOf(files.write(`${root.toUpperCase()}/x`, ''))).toBe(
      `EEXIST: file already exists, '${root.toUpperCase()}'. '${root}' differs from it only in case: use that one, or another name.`,
    );
    expect(await messageOf(files.remove('/', { recursive: true }))).toBe(
      "EINVAL: invalid argument, '/'. The root cannot be removed.",
    );
  });

  it('[S0-27] reports changes in them, under its own paths', async () => {
    await all.makeDirectory('/exchange');
    await all.makeDirectory('/projects/second');
    const changed: string[] = [];
    const end = project('first').watch('/', (paths) => changed.push(...paths));
    await project('second').write('/private.md', 'x');
    await project('second').write('/sharerw/a.md', 'a');
    await all.write('/shared/guide.md', 'new');
    expect(changed).toEqual(['/sharerw/a.md', '/share/guide.md']);
    end();
    await all.write('/shared/guide.md', 'newer');
    expect(changed.at(-1)).toBe('/share/guide.md');
  });
});

describe('mountFiles', () => {
  let root: Files;
  let inner: Files;
  let outer: Files;
  let files: Files;
  beforeEach(async () => {
    [root, outer, inner] = [newFiles(), newFiles(), newFiles()];
    files = mountFiles(root, { '/m': outer, '/m/deep/n': inner });
    await root.write('/m/hidden.md', 'hidden');
    await root.write('/m.md', 'root');
    await root.write('/z.md', 'root');
    await outer.write('/a.md', 'outer');
    await inner.write('/a.md', 'inner');
  });

  it('gives a path to the longest mount that it is within', async () => {
    expect((await files.readText('/m/a.md')).text).toBe('outer');
    expect((await files.readText('/m/deep/n/a.md')).text).toBe('inner');
    expect((await files.readText('/m.md')).text).toBe('root');
    expect(await files.stat('/m/hidden.md')).toBeUndefined();
    expect(await files.stat('/m/deep')).toMatchObject({ path: '/m/deep', kind: 'directory' });
    await files.write('/m/deep/b.md', 'b');
    expect((await outer.readText('/deep/b.md')).text).toBe('b');
  });

  it('has in a mount what behaves as files of its own, whatever is done', async () => {
    const view = (): Files => subtree(mountFiles(newFiles(), { '/m': newFiles(), '/x': newFiles() }), '/m');
    const seeds = fc.asyncProperty(fc.nat(), (seed) => checkFiles(view(), { seed }));
    await expect(fc.assert(seeds, { numRuns: 30 })).resolves.toBeUndefined();
  });

  it('lists mounts in the order of paths, at any depth', async () => {
    expect(await pathsOf(files, '/', {})).toEqual(['/m', '/m.md', '/z.md']);
    expect(await pathsOf(files, '/', { depth: 2 })).toEqual(['/m', '/m/a.md', '/m/deep', '/m.md', '/z.md']);
    expect(await pathsOf(files, '/m/deep', {})).toEqual(['/m/deep/n']);
    expect(await pathsOf(files, '/m/deep/n', {})).toEqual(['/m/deep/n/a.md']);
    expect(await messageOf(files.list('/m/none'))).toBe("ENOENT: no such file or directory, '/m/none'");
    expect(await messageOf(files.list('/m/a.md'))).toMatch(/^ENOTDIR: not a directory, '\/m\/a\.md'/);
  });

  it('lists page by page what it lists at once', async () => {
    const paths = fc
      .array(fc.constantFrom('a', 'm', 'deep', 'n', 'é', '-'), { minLength: 1, maxLength: 4 })
      .map((names) => `/${names.join('/')}`);
    await fc.assert(
      fc.asyncProperty(fc.array(paths, { maxLength: 20 }), fc.integer({ min: 1, max: 5 }), async (written, limit) => {
        const parts = [newFiles(), newFiles(), newFiles()] as const;
        const view = mountFiles(parts[0], { '/m': parts[1], '/m/deep/n': parts[2] });
        for (const part of [view, ...parts]) for (const path of written) await part.write(path, 'x').catch(() => {});
        for (const directory of ['/', '/m', '/m/deep']) {
          for (const depth of [1, 2, 3, 32]) {
            const whole = (await view.list(directory, { depth })).entries;
            const paged: unknown[] = [];
            let page: FileListing = { entries: [], next: directory };
            while (page.next !== undefined) {
              page = await view.list(directory, { depth, limit, after: page.next });
              paged.push(...page.entries);
            }
            expect(paged).toEqual(whole);
            expect(await Promise.all(whole.map(async ({ path }) => (await view.stat(path))?.path))).toEqual(
              whole.map(({ path }) => path),
            );
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('lists little more of the files below than it shows', async () => {
    const driver = memoryStorage();
    const changes = Array.from({ length: 2500 }, (_, index) => `/${index}`);
    await driver.commit({
      expect: [],
      changes: changes.map((path) => ({ type: 'make-directory', tree: 'files', path })),
      time: 0,
    });
    let listed = 0;
    const counted: StorageDriver = {
      ...driver,
      async list(query) {
        const entries = await driver.list(query);
        listed += entries.length;
        return entries;
      },
    };
    const view = mountFiles(createFiles(counted), { '/m': newFiles() });
    let shown = 0;
    for (let after: string | undefined; ;) {
      const { entries, next } = await view.list('/', after === undefined ? {} : { after });
      shown += entries.length;
      after = next;
      if (after === undefined) break;
    }
    expect(shown).toBe(2501);
    expect(listed).toBeLessThan(2700);
    listed = 0;
    await view.list('/', { limit: 1 });
    expect(listed).toBeLessThan(5);
  });

  it('shows a mount as a directory where the root has a file or nothing', async () => {
    await root.write('/file', 'x');
    const view = mountFiles(root, { '/file/mount': inner, '/none/mount': inner });
    expect(await pathsOf(view, '/file')).toEqual(['/file/mount', '/file/mount/a.md']);
    expect(await pathsOf(view, '/none')).toEqual(['/none/mount', '/none/mount/a.md']);
    expect((await view.stat('/file'))?.kind).toBe('directory');
    expect(await messageOf(view.readText('/file'))).toBe("EISDIR: is a directory, '/file'");
  });

  it('refuses to remove or move what a mount is in', async () => {
    const hint = "'/m/deep/n' is mounted in it: it is neither removed, moved nor replaced.";
    for (const call of [files.remove('/m/deep', { recursive: true }), files.move('/m/deep', '/e')]) {
      expect(await messageOf(call)).toBe(`EBUSY: resource busy or locked, '/m/deep'. ${hint}`);
    }
    expect(await messageOf(files.move('/', '/e'))).toBe("EINVAL: invalid argument, '/'. The root cannot be moved.");
  });

  it('copies and moves a file between mounts, byte for byte', async () => {
    const bytes = Uint8Array.of(0, 255, 13, 10);
    await files.write('/bytes', bytes);
    expect((await files.copy('/bytes', '/m/new/copy')).path).toBe('/m/new/copy');
    expect((await files.move('/bytes', '/m/deep/n/moved')).path).toBe('/m/deep/n/moved');
    expect((await outer.read('/new/copy')).bytes).toEqual(bytes);
    expect((await inner.read('/moved')).bytes).toEqual(bytes);
    expect(await root.stat('/bytes')).toBeUndefined();
    const taken = "EEXIST: file already exists, '/m/a.md'. Choose another name.";
    expect(await messageOf(files.move('/z.md', '/m/a.md'))).toBe(taken);
    expect(await messageOf(files.copy('/z.md', '/m/a.md'))).toBe(taken);
    expect(await messageOf(files.copy('/z.md', '/m/new', { overwrite: true }))).toMatch(
      /^EEXIST.*It is a directory\.$/,
    );
    await files.move('/z.md', '/m/a.md', { overwrite: true });
    expect((await outer.readText('/a.md')).text).toBe('root');
    expect(await messageOf(files.move('/z.md', '/m/b.md'))).toMatch(/^ENOENT: no such file or directory, '\/z\.md'/);
    expect(await messageOf(files.copy('/m', '/e'))).toBe("EISDIR: is a directory, '/m'");
  });

  it('moves no directory to another mount', async () => {
    await files.write('/d/a.md', 'a');
    expect(await messageOf(files.move('/d', '/m/d'))).toBe(
      "EXDEV: on another mount, '/d'. What is in it would go to other files, at '/m/d': move it file by file.",
    );
    expect(await pathsOf(root, '/d')).toEqual(['/d/a.md']);
  });

  it('leaves both files if one is changed while it is moved to another mount', async () => {
    const busy: Files = {
      ...outer,
      async write(path, data, options) {
        await root.write('/z.md', 'changed meanwhile');
        return outer.write(path, data, options);
      },
    };
    const view = mountFiles(root, { '/m': busy });
    expect(await messageOf(view.move('/z.md', '/m/z.md'))).toBe(
      "ECONFLICT: changed meanwhile, '/z.md'. It was changed while it was copied to '/m/z.md': both are there. Compare them.",
    );
    expect((await root.readText('/z.md')).text).toBe('changed meanwhile');
    expect((await outer.readText('/z.md')).text).toBe('root');
  });

  it('copies nothing that it may not remove, when it is to move it', async () => {
    const view = mountFiles(root, { '/m': readOnly(outer) });
    expect(await messageOf(view.move('/m/a.md', '/a.md'))).toMatch(/^EROFS: read-only file system, '\/m\/a\.md'/);
    expect(await root.stat('/a.md')).toBeUndefined();
  });

  it('reports changes that are visible through the mounts, and no others', async () => {
    const changed: string[] = [];
    files.watch('/', (paths) => changed.push(...paths));
    await root.write('/m/hidden.md', 'changed');
    await inner.write('/a.md', 'changed');
    await root.write('/z.md', 'changed');
    expect(changed).toEqual(['/m/deep/n/a.md', '/z.md']);
    const below: string[] = [];
    files.watch('/m/deep/n', (paths) => below.push(...paths));
    await inner.write('/b.md', 'b');
    expect(below).toEqual(['/m/deep/n/b.md']);
  });

  it('refuses mounts at the root, and two at one place', () => {
    expect(() => mountFiles(root, { '/': inner })).toThrow(/^EINVAL/);
    expect(() => mountFiles(root, { '/a': inner, '/b/../a/': inner })).toThrow(
      "EINVAL: invalid argument, '/a'. It is mounted twice.",
    );
    expect(() => mountFiles(root, { '/a/b': inner, '/A/c': inner })).toThrow(/differ only in case/);
    expect(() => mountFiles(root, { relative: inner })).toThrow(/^EINVAL: invalid path/);
  });
});

it('lists at least a level, and an entry a page, whatever it is asked for', async () => {
  const root = createFiles(memoryStorage());
  await root.write('/a/b', 'b');
  await root.write('/c', 'c');
  const mounted = mountFiles(root, { '/m': createFiles(memoryStorage()) });
  for (const number of [Number.NaN, 0, -1, 1.5]) {
    expect((await root.list('/', { depth: number })).entries.map(({ path }) => path)).toEqual(['/a', '/c']);
    expect((await mounted.list('/', { depth: number })).entries.map(({ path }) => path)).toEqual(['/a', '/c', '/m']);
    for (const files of [root, mounted]) {
      expect(await files.list('/', { limit: number })).toMatchObject({ entries: [{ path: '/a' }], next: '/a' });
    }
  }
});
