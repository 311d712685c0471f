import type { EntryKey, StorageChange, StorageExpectation } from '../files/storage/driver.ts';
import { assert, assertEqual } from './assert.ts';
import { at, attempt, commit, contentOf, pathsBelow, pause, textAt, throws, to, within } from './storage-kit.ts';
import type { StorageCase } from './storage-kit.ts';

/** Guarantees of a storage driver for writers with expectations, and for watchers. */
export const commitCases = {
  'commits only what was expected': async (open) => {
    const driver = await open();
    const [first] = await commit(driver, to.write('/a', 'first'));
    const etag = first?.etag ?? '';
    const write = [to.write('/a', 'more than first')];
    const results = [
      await attempt(driver, write, [{ ...at('/a'), etag: `not-${etag}` }]),
      await attempt(driver, write, [{ ...at('/a'), etag: null }]),
      await attempt(driver, write, [{ ...at('/missing'), etag }]),
      await attempt(driver, write, [{ ...at('/a'), etag }]),
      await attempt(driver, write, [{ ...at('/a'), etag }]),
    ];
    assertEqual(
      results.map(({ ok }) => ok),
      [false, false, false, true, false],
      'which of them went through',
    );
    const [conflict] = results;
    const isReported = conflict?.ok === false && conflict.conflict.path === '/a' && conflict.entry?.etag === etag;
    assert(isReported, `a conflict has a path and an actual version, not ${JSON.stringify(conflict)}`);
  },

  'reports what is in the way of a commit': async (open) => {
    const driver = await open();
    await commit(driver, to.makeDirectory('/d'), to.write('/d/a', 'a'), to.write('/f', 'f'));
    const [directory, file] = await driver.stat([at('/d'), at('/f')]);
    const absent = { ...at('/f'), etag: null };
    const changed = { ...at('/gone'), etag: 'of before' };
    const results = [
      await attempt(driver, [to.makeDirectory('/f')]),
      await attempt(driver, [to.write('/d', 'x')]),
      await attempt(driver, [to.remove('/d')]),
      await attempt(driver, [to.move('/f', '/d')]),
      await attempt(driver, [to.remove('/gone')]),
      await attempt(driver, [to.write('/f', 'x')], [absent]),
      await attempt(driver, [to.write('/gone', 'x')], [changed]),
    ];
    assertEqual(
      results.map((result) => (result.ok ? 'it went through' : (result.entry ?? 'nothing'))),
      [file, directory, directory, directory, 'nothing', file, 'nothing'],
      'the entries in the way, as stat describes them',
    );
  },

  'treats names that differ only in case as equal': async (open) => {
    const driver = await open();
    await commit(driver, to.makeDirectory('/d'), to.write('/d/Été', 'x'), to.write('/readme', 'x'));
    for (const [path, existing] of [
      ['/README', '/readme'],
      ['/d/ÉTÉ', '/d/Été'],
      ['/D', '/d'],
    ] as const) {
      const result = await attempt(driver, [to.write(path, 'y')], [{ ...at(path), etag: null }]);
      const isReported = !result.ok && result.conflict.path === path && result.entry?.path === existing;
      assert(isReported, `${path} next to ${existing} must cause a conflict, not ${JSON.stringify(result)}`);
      assert((await textAt(driver, path)) === undefined, `${path} can be read although only ${existing} exists`);
    }
    const renamed = await attempt(driver, [to.move('/readme', '/README')]);
    assert(renamed.ok, 'a name cannot be written in capitals');
    assertEqual(await pathsBelow(driver), ['/README', '/d', '/d/Été'], 'the names after that');
  },

  'changes nothing unless all expectations hold': async (open) => {
    const driver = await open();
    await commit(driver, to.write('/a', 'a'));
    const [entry] = await driver.stat([at('/a')]);
    const expect = [
      { ...at('/a'), etag: entry?.etag ?? '' },
      { ...at('/b'), etag: 'other' },
    ];
    const result = await attempt(driver, [to.write('/a', 'changed'), to.write('/c', 'new')], expect);
    assert(!result.ok && result.conflict.path === '/b', `the second expectation fails: ${JSON.stringify(result)}`);
    assertEqual(await contentOf(driver), { '/a': 'a' }, 'the content');
  },

  'checks expectations against the state before the first change': async (open) => {
    const driver = await open();
    await commit(driver, to.write('/Twin', 'x'));
    const result = await attempt(
      driver,
      [to.remove('/Twin'), to.write('/twin', 'y')],
      [{ ...at('/twin'), etag: null }],
    );
    assert(!result.ok && result.entry?.path === '/Twin', `the twin is in the way, not ${JSON.stringify(result)}`);
    assertEqual(await contentOf(driver), { '/Twin': 'x' }, 'the content');
  },

  'notifies watchers in the order of commits': async (open) => {
    const [driver, other] = [await open(), await open()];
    const seen: string[] = [];
    const unread: Promise<unknown>[] = [];
    const waiting = new Map<string, () => void>();
    const end = driver.watch((changed) => {
      for (const { tree, path } of changed) {
        const name = `${tree}:${path}`;
        if (!seen.includes(name)) seen.push(name);
        waiting.get(name)?.();
      }
      unread.push(
        driver
          .stat([at('/a'), at('/b')])
          .then(([a, b]) => assert(!(b && !a), 'notified of an entry that does not exist')),
      );
    });
    const told = (name: string): Promise<void> =>
      seen.includes(name) ? Promise.resolve() : new Promise((resolve) => waiting.set(name, resolve));
    await commit(driver, to.write('/a', 'a'));
    await commit(driver, to.write('/b', 'b'), to.write('/r', 'r', 'records'));
    await commit(driver, to.move('/b', '/c'));
    await within('word of its own commits', Promise.all([told('files:/a'), told('records:/r'), told('files:/c')]));
    const order = ['files:/a', 'files:/b', 'files:/c'];
    assertEqual(
      seen.filter((name) => order.includes(name)),
      order,
      'the order in which the changes of one driver were told',
    );
    await commit(other, to.write('/o', 'of the other'));
    await within('word of the commit of another driver', told('files:/o'));
    end();
    await commit(driver, to.write('/after', 'x'));
    await pause(50);
    assert(!seen.includes('files:/after'), 'who no longer watches was told');
    await Promise.all(unread);
  },

  'notifies nobody once closed': async (open) => {
    const [driver, other] = [await open(), await open()];
    const seen: string[] = [];
    const listen = (changed: readonly EntryKey[]): void => void seen.push(...changed.map(({ path }) => path));
    driver.watch(listen);
    const isTold = new Promise<void>((resolve) => {
      other.watch((changed) => changed.some(({ path }) => path === '/after') && resolve());
    });
    await driver.close();
    seen.length = 0;
    await commit(other, to.write('/after', 'x'));
    await within('word of the commit for a driver that is open', isTold);
    await pause(50);
    assertEqual(seen, [], 'the changes told to a watcher of the closed driver');
  },

  'lets one of many conflicting commits win': async (open) => {
    const driver = await open();
    const attempts = Array.from({ length: 20 }, (_, index) =>
      attempt(driver, [to.write('/a', `${index}`)], [{ ...at('/a'), etag: null }]),
    );
    const winners = (await Promise.all(attempts)).flatMap(({ ok }, index) => (ok ? [`${index}`] : []));
    assertEqual(winners, [await textAt(driver, '/a')], 'the winners');
  },

  'gives each content another etag': async (open) => {
    const driver = await open();
    const etags = new Set<string>();
    for (let index = 10; index < 30; index++) {
      const [entry] = await commit(driver, to.write('/a', `${index}`));
      const [stat] = await driver.stat([at('/a')]);
      assertEqual(stat?.etag, entry?.etag, 'the etag after the commit');
      etags.add(entry?.etag ?? '');
    }
    assertEqual(etags.size, 20, 'different etags of 20 contents of the same size');
  },

  'shows a batch as a whole': async (open) => {
    const driver = await open();
    await commit(driver, to.write('/a', '0'), to.write('/b', '0'));
    const seen: (readonly number[])[] = [];
    const look = async (): Promise<void> => {
      seen.push((await driver.list({ ...at('/'), depth: 1, limit: 9 })).map((entry) => entry.size));
    };
    for (let size = 1; size <= 20; size++) {
      const writing = commit(driver, to.write('/a', 'x'.repeat(size)), to.write('/b', 'x'.repeat(size)));
      const looking = Array.from({ length: 5 }, (_, delay) => pause(delay / 2).then(look));
      await Promise.all([writing, ...looking]);
    }
    const torn = seen.filter(([left, right]) => left !== right);
    assertEqual(torn, [], 'sizes of two files that are only ever written together');
  },

  'makes durable commits like others': async (open) => {
    const driver = await open();
    const make = (changes: readonly StorageChange[], expect: readonly StorageExpectation[] = []) =>
      driver.commit({ expect, changes, time: 1_700_000_000_000, durable: true });
    const early = await make([to.makeDirectory('/d/e')]);
    assert(!early.ok && early.conflict.path === '/d/e', `it is below nothing, not ${JSON.stringify(early)}`);
    const made = await make([to.makeDirectory('/d'), to.write('/d/a', 'first')], [{ ...at('/d/a'), etag: null }]);
    assert(made.ok, `a durable commit met a conflict: ${JSON.stringify(made)}`);
    assertEqual(
      made.entries.map(({ path, kind, size }) => ({ path, kind, size })),
      [
        { path: '/d', kind: 'directory', size: 0 },
        { path: '/d/a', kind: 'file', size: 5 },
      ],
      'the entries of a durable commit',
    );
    await commit(driver, to.write('/d/a', 'second'), to.write('/d/b', 'other'));
    const late = await make([to.write('/d/a', 'lost')], [{ ...at('/d/a'), etag: made.entries[1]?.etag ?? '' }]);
    assert(!late.ok && late.conflict.path === '/d/a', `a durable commit went through that expected something else`);
    const both = [make([to.move('/d/a', at('/kept', 'records'))]), attempt(driver, [to.write('/d/c', 'at once')])];
    assertEqual(
      (await Promise.all(both)).map(({ ok }) => ok),
      [true, true],
      'commits at once, one of them durable',
    );
    const again = await open();
    assertEqual(await contentOf(again), { '/d': '(directory)', '/d/b': 'other', '/d/c': 'at once' }, 'files');
    assertEqual(await contentOf(again, 'records'), { '/kept': 'second' }, 'records');
  },

  'is one storage, however often it is opened': async (open) => {
    const [one, two] = [await open(), await open()];
    await commit(one, to.write('/a', 'one'));
    assertEqual(await textAt(two, '/a'), 'one', 'what the other reads');
    const [entry] = await two.stat([at('/a')]);
    await commit(one, to.write('/a', 'changed'));
    const result = await attempt(two, [to.write('/a', 'lost')], [{ ...at('/a'), etag: entry?.etag ?? '' }]);
    assert(!result.ok, 'the other overwrote a change that it did not know');
  },

  'has everything when it is opened again': async (open) => {
    const driver = await open();
    await commit(driver, to.makeDirectory('/d'), to.write('/d/a', 'a'), to.write('/r', 'r', 'records'));
    await driver.close();
    const again = await open();
    assertEqual(await contentOf(again), { '/d': '(directory)', '/d/a': 'a' }, 'files');
    assertEqual(await contentOf(again, 'records'), { '/r': 'r' }, 'records');
  },

  'refuses everything once closed': async (open) => {
    const driver = await open();
    await commit(driver, to.write('/a', 'a'));
    await driver.close();
    await throws('EBADF', 'stat', () => driver.stat([at('/a')]));
    await throws('EBADF', 'list', () => driver.list({ ...at('/'), depth: 1, limit: 1 }));
    await throws('EBADF', 'read', () => driver.read(at('/a')));
    await throws('EBADF', 'commit', () => attempt(driver, [to.write('/a', 'b')]));
    await throws('EBADF', 'watch', async () => driver.watch(() => {}));
  },
} satisfies Readonly<Record<string, StorageCase>>;
