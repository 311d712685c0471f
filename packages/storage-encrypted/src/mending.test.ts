// Names, markers and files of long names that were damaged: what still stands is reached, and nothing blocks a name.

import { createFiles, createRecords, isUtensilError } from '@utensil/core';
import type { Files } from '@utensil/core';
import type { StorageChange, EntryKey, StorageDriver } from '@utensil/core/storage';
import { memoryState, memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alter, bytesAt, damageable, key, storedBy } from './test-kit/damage.ts';
import { encryptedStorage } from './encrypted.ts';

/** Opens the same memory each time. */
function memory(): () => StorageDriver {
  const state = memoryState();
  return () => memoryStorage({ state });
}

const codeOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'nothing',
    (error: unknown) => (isUtensilError(error) ? error.code : String(error)),
  );

const pathsIn = async (files: Files): Promise<readonly string[]> =>
  (await files.list('/', { depth: 9 })).entries.map(({ path }) => path);

/** The keys of an entry, its marker and its long name, from those that were written with it. */
function partsOf(written: readonly EntryKey[]) {
  const part = (pattern: RegExp): EntryKey => {
    const found = written.find(({ path }) => pattern.test(path));
    return found ?? { tree: 'files', path: '/none' };
  };
  return { entry: part(/\/[el][a-z2-7]+$/), marker: part(/\/f[a-z2-7]{32}$/), side: part(/\/k[a-z2-7]{32}$/) };
}

const respelled = ({ tree, path }: EntryKey): EntryKey => {
  const at = path.lastIndexOf('/') + 2;
  return { tree, path: path.slice(0, at) + path.slice(at).toUpperCase() };
};
const remove = (at: EntryKey): StorageChange => ({ tree: at.tree, path: at.path, type: 'remove', recursive: true });
const move = (at: EntryKey, to: EntryKey): StorageChange => ({ tree: at.tree, path: at.path, type: 'move', to });
const write = (at: EntryKey, size: number): StorageChange => ({
  ...at,
  type: 'write',
  content: new Uint8Array(size).fill(9),
});
const directory = (at: EntryKey): readonly StorageChange[] => [
  remove(at),
  { ...at, type: 'make-directory' },
  write({ tree: at.tree, path: `${at.path}/in-it` }, 3),
];

/** Kinds of damage to a marker or to the file of a long name. */
const losses: Readonly<Record<string, (at: EntryKey) => readonly StorageChange[]>> = {
  gone: (at) => [remove(at)],
  empty: (at) => [write(at, 0)],
  'too large': (at) => [write(at, 5000)],
  'called by capitals': (at) => [move(at, respelled(at))],
  'a directory': directory,
};

/** Kinds of damage to an entry's name. */
const lostNames: Readonly<Record<string, (at: EntryKey) => readonly StorageChange[]>> = {
  gone: (at) => [remove(at)],
  'called otherwise': (at) => [move(at, { tree: at.tree, path: `${at.path.slice(0, -3)}777` })],
};

describe.each(['/d/short', `/d/${'l'.repeat(200)}`])('of the entry %s', (path) => {
  async function begun() {
    const { inner, driver, reopen } = await damageable(memory(), 'encrypted');
    await createFiles(driver).write('/d/other', 'other');
    const parts = partsOf(await storedBy(inner, () => createFiles(driver).write(path, 'content')));
    return { inner, parts, reopen, files: createFiles(reopen()) };
  }

  async function works(files: Files, reopen: () => StorageDriver): Promise<void> {
    const capitals = `/d/${path.slice(3).toUpperCase()}`;
    await files.write(path, 'written again');
    expect(await codeOf(files.write(capitals, 'x'))).toBe('EEXIST');
    expect(await pathsIn(createFiles(reopen()))).toEqual(['/d', path, '/d/other'].sort());
    await files.move(path, capitals);
    expect(await codeOf(files.write(path, 'x'))).toBe('EEXIST');
    expect(await pathsIn(createFiles(reopen()))).toEqual(['/d', capitals, '/d/other'].sort());
    await files.remove(capitals);
    await files.write(path, 'new');
    expect((await createFiles(reopen()).readText(path)).text).toBe('new');
    await files.remove(path);
    await files.remove('/d/other');
    expect(await pathsIn(files)).toEqual(['/d']);
  }

  describe.each(Object.entries(losses))('the marker is %s', (_, lose) => {
    it('which is not noticed', async () => {
      const { inner, parts, files, reopen } = await begun();
      await alter(inner, ...lose(parts.marker));
      expect((await files.readText(path)).text).toBe('content');
      await works(files, reopen);
    });

    it('which is not noticed when the entry is removed or moved first', async () => {
      for (const first of ['remove', 'move'] as const) {
        const { inner, parts, files, reopen } = await begun();
        await alter(inner, ...lose(parts.marker));
        if (first === 'remove') await files.remove(path);
        else await files.move(path, '/d/moved');
        await files.write(path.toUpperCase().replace('/D/', '/d/'), 'x');
        await files.remove(path.toUpperCase().replace('/D/', '/d/'));
        if (first === 'move') await files.move('/d/moved', path);
        await works(files, reopen);
        expect(await pathsIn(files)).toEqual(['/d']);
      }
    });
  });

  it.each(Object.entries(lostNames))('the name is %s: it can be given again', async (_, lose) => {
    const { inner, parts, files, reopen } = await begun();
    await alter(inner, ...lose(parts.entry));
    expect(await codeOf(files.read(path))).toBe('ENOENT');
    expect(await pathsIn(files)).toEqual(['/d', '/d/other']);
    expect((await files.readText('/d/other')).text).toBe('other');
    await works(files, reopen);
  });

  it('the name is in capitals: it comes back with its content as soon as it is wanted', async () => {
    for (const parts of ['all', 'entry'] as const) {
      const { inner, parts: at, files, reopen } = await begun();
      const lost = parts === 'all' ? [at.entry, at.marker] : [at.entry];
      await alter(inner, ...lost.map((each) => move(each, respelled(each))));
      expect(await pathsIn(files)).toEqual(['/d', '/d/other']);
      expect(await codeOf(files.write(path, 'x', { create: 'must' }))).toBe('EEXIST');
      expect((await files.readText(path)).text).toBe('content');
      await works(files, reopen);
    }
  });

  it('what was lost is kept below, and goes only with its directory and all that is in it', async () => {
    const { inner, parts, files } = await begun();
    const content = await bytesAt(inner, parts.entry);
    const lost = { tree: 'files', path: `${parts.entry.path.slice(0, -3)}777` } as const;
    await alter(inner, move(parts.entry, lost));
    await files.write(path, 'again');
    await files.remove(path);
    await files.remove('/d/other');
    expect(await bytesAt(inner, lost)).toEqual(content);
    await expect(files.remove('/d')).rejects.toThrow(/^ENOTEMPTY: .*has entries that cannot be listed/);
    expect(await bytesAt(inner, lost)).toEqual(content);
    await files.remove('/d', { recursive: true });
    expect(await pathsIn(files)).toEqual([]);
  });
});

describe('the file that holds a long name', () => {
  const path = `/${'l'.repeat(200)}`;

  it.each(Object.entries({ ...losses, 'another one': (at: EntryKey) => [write(at, 224)] }))(
    'is %s: the entry is left out of listings until it is written, and can be had by its path',
    async (_, lose) => {
      for (const then of ['write', 'remove', 'move'] as const) {
        const { inner, driver, reopen } = await damageable(memory(), 'encrypted');
        await createFiles(driver).write('/other', 'other');
        const { side } = partsOf(await storedBy(inner, () => createFiles(driver).write(path, 'content')));
        await alter(inner, ...lose(side));
        const files = createFiles(reopen());
        expect(await pathsIn(files)).toEqual(['/other']);
        expect((await files.readText(path)).text).toBe('content');
        if (then === 'write') await files.write(path, 'new');
        if (then === 'move') await files.move(path, `${path}x`);
        if (then === 'remove') await files.remove(path);
        const left = then === 'remove' ? ['/other'] : [then === 'move' ? `${path}x` : path, '/other'];
        expect(await pathsIn(createFiles(reopen()))).toEqual(left);
        if (then === 'move') await files.move(`${path}x`, path);
        await files.write(path, 'again');
        expect(await pathsIn(createFiles(reopen()))).toEqual([path, '/other']);
      }
    },
  );

  it('is gone for a directory: what is in it can be had by its path, and is listed once that was moved', async () => {
    const { inner, driver, reopen } = await damageable(memory(), 'encrypted');
    const { side } = partsOf(await storedBy(inner, () => createFiles(driver).write(`${path}/a`, 'a')));
    await alter(inner, remove(side));
    const files = createFiles(reopen());
    expect((await files.list(path)).entries.map((entry) => entry.path)).toEqual([`${path}/a`]);
    await files.write(`${path}/b`, 'b');
    expect(await pathsIn(createFiles(reopen()))).toEqual([]);
    await files.move(path, '/d');
    expect(await pathsIn(createFiles(reopen()))).toEqual(['/d', '/d/a', '/d/b']);
  });
});

describe('an orphaned marker', () => {
  const marked = async (): Promise<{ readonly open: () => Files; readonly inner: StorageDriver }> => {
    const state = memoryState();
    const inner = memoryStorage({ state });
    const open = (): Files => createFiles(encryptedStorage(memoryStorage({ state }), key));
    const { entry } = partsOf(await storedBy(inner, () => open().write('/name', 'x')));
    await alter(inner, remove(entry));
    return { open, inner };
  };

  it('lets one of many have the name, whatever its spelling', async () => {
    for (let round = 0; round < 20; round++) {
      const { open } = await marked();
      const names = ['/name', '/NAME', '/Name', '/naMe'];
      const codes = await Promise.all(names.map((name) => codeOf(open().write(name, name, { create: 'must' }))));
      expect(codes.sort()).toEqual(['EEXIST', 'EEXIST', 'EEXIST', 'nothing']);
      expect(await pathsIn(open())).toHaveLength(1);
    }
  });

  it('that somebody began to recount and never finished is recounted', async () => {
    const { open, inner } = await marked();
    for (const { tree, path } of await inner.list({ tree: 'files', path: '/', depth: 1, limit: 9 }))
      await alter(inner, write({ tree, path }, 16));
    await open().write('/NAME', 'x');
    await open().remove('/NAME');
    expect(await inner.list({ tree: 'files', path: '/', depth: 1, limit: 9 })).toEqual([]);
  });
});

it('a log continues after a record whose name was lost', async () => {
  const { inner, driver, reopen } = await damageable(memory(), 'encrypted');
  const records = createRecords(driver);
  await records.append(['log'], 'first');
  const { entry } = partsOf(await storedBy(inner, () => records.append(['log'], 'second')));
  await alter(inner, move(entry, { tree: 'records', path: `${entry.path.slice(0, -3)}777` }));
  expect(await createRecords(reopen()).append(['log'], 'third')).toBe(2);
  const listed: unknown[] = [];
  for await (const record of createRecords(reopen()).list(['log'])) listed.push('value' in record && record.value);
  expect(listed).toEqual(['first', 'third']);
});

describe('whatever is damaged, and however often', () => {
  const long = 'l'.repeat(140);
  const path = fc.constantFrom(
    '/a',
    '/A',
    '/b',
    `/${long}`,
    `/${long.toUpperCase()}`,
    '/d',
    '/d/a',
    '/d/A',
    `/d/${long}`,
  );
  const work = fc.oneof(
    fc.record({ type: fc.constant('write' as const), path }),
    fc.record({ type: fc.constant('remove' as const), path }),
    fc.record({ type: fc.constant('move' as const), path, to: path }),
    fc.record({
      type: fc.constant('damage' as const),
      loss: fc.constantFrom(...Object.values(losses), ...Object.values(lostNames)),
      at: fc.nat(),
    }),
  );

  /** Error codes allowed for any file. Contention is not among them, because there are no other writers. */
  const expected = 'nothing ENOENT EEXIST EISDIR ENOTDIR EINVAL ENOTEMPTY content_damaged'.split(' ');

  it('no name is blocked for good, and every error is one that files have', async () => {
    const property = fc.asyncProperty(fc.array(work, { maxLength: 30 }), async (works) => {
      const { inner, driver, reopen } = await damageable(memory(), 'encrypted');
      const files = createFiles(driver);
      for (const [index, each] of works.entries()) {
        const code = await codeOf(doWork(index % 5 === 0 ? createFiles(reopen()) : files, inner, each));
        expect(expected).toContain(code);
      }
      const again = createFiles(reopen());
      for (const each of ['/a', '/b', `/${long}`]) {
        const codes = [await codeOf(again.write(each, 'x')), await codeOf(again.write(each.toUpperCase(), 'y'))];
        expect(['nothing', 'EEXIST', 'EISDIR']).toContain(codes[0]);
        expect(['EEXIST', 'EISDIR', 'nothing']).toContain(codes[1]);
        expect(codes[0] === 'nothing' || codes[1] === 'nothing' || codes.includes('EISDIR')).toBe(true);
      }
    });
    await expect(fc.assert(property, { numRuns: 150 })).resolves.toBeUndefined();
  });

  async function doWork(
    files: Files,
    inner: StorageDriver,
    each: typeof work extends fc.Arbitrary<infer Work> ? Work : never,
  ) {
    if (each.type === 'write') return files.write(each.path, `${each.path} written`);
    if (each.type === 'remove') return files.remove(each.path, { recursive: true });
    if (each.type === 'move') return files.move(each.path, each.to);
    const stored = (await inner.list({ tree: 'files', path: '/', depth: 9, limit: 999 })).filter(
      ({ path }) => path.length > 30,
    );
    const hit = stored[each.at % Math.max(stored.length, 1)];
    if (hit !== undefined) await codeOf(alter(inner, ...each.loss(hit)));
    return undefined;
  }
});
