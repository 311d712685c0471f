import { createFiles } from '@utensil/core';
import type { StorageChange, EntryKey, StorageDriver, StorageTree } from '@utensil/core/storage';
import { checkFiles, recordSuite, storageSuite, threadSuite } from '@utensil/core/testing';
import type { StorageBackend } from '@utensil/core/testing';
import { memoryState, memoryStorage } from '@utensil/storage-memory';
import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { overlayStorage } from './overlay.ts';

const trees: readonly StorageTree[] = ['files', 'records'];
const content = new TextEncoder().encode('below');

function make(driver: StorageDriver, ...changes: readonly StorageChange[]) {
  return driver.commit({ expect: [], changes, time: 1000 });
}

/** All paths, kinds and texts of a storage. */
async function everythingIn(driver: StorageDriver) {
  const all: (readonly string[])[] = [];
  for (const tree of trees) {
    for (const key of await driver.list({ tree, path: '/', depth: 99, limit: 1000 })) {
      const found = await driver.read(key);
      all.push([tree, key.path, key.kind, new TextDecoder().decode(found?.content)]);
    }
  }
  return all;
}

describe('over nothing', () => {
  const over = (): StorageBackend => {
    const [lower, upper] = [memoryState(), memoryState()];
    return {
      open: async (namespace) =>
        overlayStorage(memoryStorage({ state: lower, namespace }), memoryStorage({ state: upper, namespace })),
      destroy: async () => {},
    };
  };
  storageSuite({ test }, over);
  recordSuite({ test }, over);
  threadSuite({ test }, over);
});

/** Names that the suite uses, and some that differ from them in case. */
const names = 'a b c d e f g z 0 1 7 o r A B D same kept removed from into to moved new made empty missing anywhere'
  .split(' ')
  .concat('Twin twin README readme Note note back notes logs all.txt threads settings b c,é,Été,__proto__'.split(','));

/** Changes that create these files and directories in both trees, each directory with some of them in it. */
function fill(): StorageChange[] {
  const directory = (tree: StorageTree, path: string): StorageChange => ({ tree, path, type: 'make-directory' });
  const file = (tree: StorageTree, path: string): StorageChange => ({ tree, path, type: 'write', content });
  const spellings = new Map(names.map((name) => [name.toLowerCase(), name]));
  const below = ['/a', '/b', '/c', '/0', '/a.txt', '/d/a', '/d/e'];
  return trees.flatMap((tree) =>
    [...spellings.values()].flatMap((name, index) => {
      const path = `/${name}`;
      if (index % 3 === 0) return [file(tree, path)];
      const files = below.map((each) => file(tree, path + each));
      return [directory(tree, path), directory(tree, `${path}/d`), ...files];
    }),
  );
}

/** Changes that hide all lower entries: every other one is moved first, which copies it. */
function hide(entries: readonly EntryKey[]): StorageChange[] {
  return entries.flatMap(({ tree, path }, index): StorageChange[] => {
    const to = { tree: tree === 'files' ? 'records' : 'files', path: `/hidden ${index}` } as const;
    if (index % 2 === 0) return [{ tree, path, type: 'remove', recursive: true }];
    return [
      { tree, path, type: 'move', to },
      { ...to, type: 'remove', recursive: true },
    ];
  });
}

describe('over a storage whose entries were all removed', () => {
  const over = (): StorageBackend => {
    const [lowers, upper] = [memoryState(), memoryState()];
    const hidden = new Map<string, Promise<unknown>>();
    const open = async (namespace: string): Promise<StorageDriver> => {
      const lower = memoryStorage({ state: lowers, namespace });
      const overlay = overlayStorage(lower, memoryStorage({ state: upper, namespace }));
      const fillAndHide = async (): Promise<void> => {
        expect(await make(lower, ...fill())).toMatchObject({ ok: true });
        const top = await Promise.all(trees.map((tree) => overlay.list({ tree, path: '/', depth: 1, limit: 1000 })));
        expect(await make(overlay, ...hide(top.flat()))).toMatchObject({ ok: true });
      };
      hidden.set(namespace, hidden.get(namespace) ?? fillAndHide());
      await hidden.get(namespace);
      return overlay;
    };
    return { open, destroy: async () => {} };
  };
  storageSuite({ test }, over);
  recordSuite({ test }, over);
});

describe('a directory of the lower storage', () => {
  const directory = { tree: 'files', path: '/d' } as const;
  const file = { tree: 'files', path: '/d/a' } as const;

  async function open() {
    const [lower, upper] = [memoryStorage(), memoryStorage()];
    await make(lower, { ...directory, type: 'make-directory' }, { ...file, type: 'write', content });
    return { lower, upper, overlay: overlayStorage(lower, upper) };
  }

  it('does not reappear in a new directory of that name', async () => {
    const { overlay } = await open();
    await make(overlay, { ...directory, type: 'remove', recursive: true });
    await make(overlay, { ...directory, type: 'make-directory' });
    expect(await everythingIn(overlay)).toEqual([['files', '/d', 'directory', '']]);
    await overlay.accept({ time: 1 });
    expect(await everythingIn(overlay)).toEqual([['files', '/d', 'directory', '']]);
  });

  it('stays removed after the same two storages are opened again', async () => {
    const { lower, upper, overlay } = await open();
    await make(overlay, { ...directory, type: 'remove', recursive: true });
    await overlay.close();
    expect(await everythingIn(overlayStorage(lower, upper))).toEqual([]);
    expect(await everythingIn(lower)).toHaveLength(2);
  });

  it('reappears once the changes are discarded', async () => {
    const { lower, upper, overlay } = await open();
    await make(overlay, { ...directory, type: 'move', to: { tree: 'records', path: '/d' } });
    await overlay.discard({ time: 1 });
    expect(await everythingIn(overlay)).toEqual(await everythingIn(lower));
    expect(await upper.list({ tree: 'files', path: '/', depth: 9, limit: 9 })).toEqual([]);
  });

  it.each<[what: string, change: StorageChange]>([
    ['removed', { ...directory, type: 'remove', recursive: true }],
    ['moved', { ...directory, type: 'move', to: { tree: 'files', path: '/e' } }],
  ])('is not %s if it gained an entry in the meantime', async (_, change) => {
    const { lower, overlay } = await open();
    await make(overlay, change);
    await make(lower, { tree: 'files', path: '/d/new', type: 'write', content });
    const before = await everythingIn(lower);
    expect(await overlay.accept({ time: 1 })).toMatchObject({ ok: false, conflict: directory });
    expect(await everythingIn(lower)).toEqual(before);
  });

  it('refuses a change that conflicts with a newer one', async () => {
    const { lower, overlay } = await open();
    const files = createFiles(overlay);
    await files.append('/d/a', '.');
    await createFiles(lower).write('/d/a', 'other');
    expect(await overlay.accept({ time: 1 })).toMatchObject({ ok: false, conflict: file });
    expect((await files.readText('/d/a')).text).toBe('below.');
  });

  it('has etags that are never those of the upper storage', async () => {
    const { lower, upper, overlay } = await open();
    const [[below], [seen]] = [await lower.stat([file]), await overlay.stat([file])];
    await make(overlay, { ...file, type: 'write', content: new TextEncoder().encode('above') });
    const [[above], [seenAfter]] = [await upper.stat([file]), await overlay.stat([file])];
    expect([seen?.etag, seenAfter?.etag]).toEqual([`lower-${below?.etag}`, `upper-${above?.etag}`]);
  });

  it.each<[what: string, first: readonly StorageChange[], then: readonly StorageChange[], left: readonly string[]]>([
    [
      'after a file in it',
      [{ ...file, type: 'write', content }],
      [{ ...directory, type: 'remove', recursive: true }],
      [],
    ],
    [
      'with a file in it that is moved out of it by the same commit',
      [],
      [
        { ...file, type: 'move', to: { tree: 'files', path: '/a' } },
        { ...directory, type: 'remove', recursive: true },
      ],
      ['/a'],
    ],
    [
      'when it is moved to its name in capitals',
      [],
      [{ ...directory, type: 'move', to: { tree: 'files', path: '/D' } }],
      ['/D', '/D/a'],
    ],
  ])('is changed %s, and accepted', async (_, first, then, left) => {
    const { lower, overlay } = await open();
    if (first.length > 0) await make(overlay, ...first);
    expect(await make(overlay, ...then)).toMatchObject({ ok: true });
    expect(await overlay.accept({ time: 1 })).toMatchObject({ ok: true });
    expect((await everythingIn(lower)).map(([, path]) => path)).toEqual(left);
  });

  it('is hidden by an entry in its place, whatever appears below', async () => {
    const { lower, overlay } = await open();
    await make(overlay, { tree: 'files', path: '/new', type: 'make-directory' });
    await make(lower, { tree: 'files', path: '/new', type: 'write', content });
    expect(await overlay.read({ tree: 'files', path: '/new' })).toBeUndefined();
    expect(await overlay.accept({ time: 1 })).toMatchObject({ ok: false, conflict: { path: '/new' } });
  });

  it('is listed at its old or new path if it is moved during a listing', async () => {
    const { lower, upper, overlay } = await open();
    let isMoved = false;
    const list: StorageDriver['list'] = async (query) => {
      if (query.path === '/' && !isMoved) {
        isMoved = true;
        await make(overlay, { ...directory, type: 'move', to: { tree: 'files', path: '/e' } });
      }
      return upper.list(query);
    };
    const listed = await overlayStorage(lower, { ...upper, list }).list({
      tree: 'files',
      path: '/',
      depth: 1,
      limit: 9,
    });
    expect(listed.map(({ path }) => path)).toEqual(['/e']);
  });

  it('finishes pending commits before it is closed', async () => {
    const { lower, upper, overlay } = await open();
    const committing = make(overlay, { ...file, type: 'remove' });
    await overlay.close();
    expect(await overlayStorage(lower, upper).stat([file])).toEqual([undefined]);
    expect(await committing).toMatchObject({ ok: true });
  });

  it('is reported when it changes in either storage or is cut off', async () => {
    const { lower, overlay } = await open();
    await make(overlay, { tree: 'files', path: '/first', type: 'make-directory' });
    const told: string[] = [];
    const end = overlay.watch((keys) => told.push(keys.map(({ tree, path }) => tree + path).join(' ')));
    await make(lower, { tree: 'files', path: '/d/b', type: 'write', content });
    await make(overlay, { ...file, type: 'write', content });
    await make(overlay, { tree: 'files', path: '/d/b', type: 'remove' });
    end();
    await make(overlay, { ...directory, type: 'remove', recursive: true });
    expect(told.map((keys) => keys.split(' ').at(-1))).toEqual(['files/d/b', 'files/d/a', 'files/d/b']);
    expect(told.join(' ')).not.toContain('.overlay');
  });
});

describe('the records of the overlay', () => {
  const path = '/.overlay/version';

  it('are invisible and cannot be changed', async () => {
    const upper = memoryStorage();
    const overlay = overlayStorage(memoryStorage(), upper);
    await make(overlay, { tree: 'records', path: '/a', type: 'write', content });
    expect(await upper.stat([{ tree: 'records', path }])).toMatchObject([{ kind: 'file' }]);
    expect(await everythingIn(overlay)).toEqual([['records', '/a', 'file', 'below']]);
    expect(await overlay.stat([{ tree: 'records', path }])).toEqual([undefined]);
    expect(await overlay.read({ tree: 'records', path })).toBeUndefined();
    expect(await overlay.list({ tree: 'records', path: '/.overlay', depth: 9, limit: 9 })).toEqual([]);
    await expect(make(overlay, { tree: 'records', path, type: 'remove' })).rejects.toMatchObject({ code: 'EACCES' });
  });
});

describe('random work', () => {
  it('behaves over a filled lower storage like a single storage', async () => {
    const seeds = fc.asyncProperty(fc.nat(), (seed) => {
      const lower = memoryStorage();
      const reopen = () => createFiles(overlayStorage(lower, memoryStorage()));
      return checkFiles(createFiles(lower), { seed, steps: 60, reopen });
    });
    await expect(fc.assert(seeds, { numRuns: 30 })).resolves.toBeUndefined();
  });

  const keys = fc.record({
    tree: fc.constantFrom('files' as const, 'files' as const, 'records' as const),
    path: fc.constantFrom('/a', '/A', '/b', '/d', '/d/a', '/d/b', '/d/e', '/d/e/a', '/d/e/b', '/e', '/e/a'),
  });
  const changes = fc.oneof<fc.Arbitrary<StorageChange>[]>(
    fc.record({ key: keys, text: fc.constantFrom('1', '2') }).map(({ key, text }) => ({
      ...key,
      type: 'write',
      content: new TextEncoder().encode(text),
    })),
    keys.map((key) => ({ ...key, type: 'make-directory' })),
    fc.tuple(keys, keys).map(([key, to]) => ({ ...key, type: 'move', to })),
    fc.tuple(keys, fc.boolean()).map(([key, recursive]) => ({ ...key, type: 'remove', recursive })),
  );
  /** Changes that fill a lower storage with several levels in both trees. */
  const beginnings = fc.subarray<StorageChange>(
    trees.flatMap((tree) =>
      ['/a', '/b', '/d', '/d/a', '/d/b', '/d/e', '/d/e/a', '/d/e/b', '/e', '/e/a'].map((path): StorageChange => {
        if (/[de]$/.test(path)) return { tree, path, type: 'make-directory' };
        return { tree, path, type: 'write', content };
      }),
    ),
    { minLength: 10 },
  );
  /** Keys that a batch introduces with names that differ from another only in case. */
  const brought = (batch: readonly StorageChange[]) =>
    batch.flatMap((change) => {
      const { tree, path } = change.type === 'move' ? change.to : change;
      return /^\/a$/i.test(path) && change.type !== 'remove' ? [{ tree, path }] : [];
    });
  // No storage refuses a name that differs from another only in case; it is the caller that expects none.
  const hasNoTwins = (batch: readonly StorageChange[]) =>
    trees.every((tree) => new Set(brought(batch).flatMap((key) => (key.tree === tree ? [key.path] : []))).size < 2);
  const expected = (batch: readonly StorageChange[]) => brought(batch).map((key) => ({ ...key, etag: null }));
  const batches = fc.array(changes, { minLength: 1, maxLength: 4 }).filter(hasNoTwins);
  const commits = fc.array(batches, { maxLength: 25 });

  it('leaves the lower storage unchanged; accepting gives the result of the same operations on it', async () => {
    const property = fc.asyncProperty(beginnings, commits, async (before, after) => {
      const [lower, direct] = [memoryStorage(), memoryStorage()];
      const overlay = overlayStorage(lower, memoryStorage());
      for (const change of before) for (const driver of [lower, direct]) await make(driver, change);
      const untouched = await everythingIn(lower);
      for (const batch of after) {
        const commit = { expect: expected(batch), changes: batch, time: 1 };
        const results = [await overlay.commit(commit), await direct.commit(commit)];
        const outcomes = results.map((result) =>
          result.ok ? result.entries.map(({ path }) => path) : result.conflict,
        );
        expect(outcomes[0]).toEqual(outcomes[1]);
        expect(await everythingIn(overlay)).toEqual(await everythingIn(direct));
      }
      expect(await everythingIn(lower)).toEqual(untouched);
      expect(await overlay.accept({ time: 2 })).toMatchObject({ ok: true });
      expect(await everythingIn(lower)).toEqual(await everythingIn(direct));
      expect(await everythingIn(overlay)).toEqual(await everythingIn(direct));
      expect(await overlay.changes()).toEqual({ expect: [], changes: [] });
    });
    await expect(fc.assert(property, { numRuns: 150 })).resolves.toBeUndefined();
  });
});
