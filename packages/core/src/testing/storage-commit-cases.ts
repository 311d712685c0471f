import { assert, assertEqual } from './assert.ts';
import { at, attempt, commit, contentOf, pathsBelow, refuses, textAt, throws, to } from './storage-kit.ts';
import type { StorageCase } from './storage-kit.ts';

/** What a storage driver promises to writers. */
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
    assert(isReported, `a conflict says where it is and what is there, not ${JSON.stringify(conflict)}`);
  },

  'takes names that differ only in case for the same': async (open) => {
    const driver = await open();
    await commit(driver, to.makeDirectory('/d'), to.write('/d/Été', 'x'), to.write('/readme', 'x'));
    for (const [path, existing] of [
      ['/README', '/readme'],
      ['/d/ÉTÉ', '/d/Été'],
      ['/D', '/d'],
    ] as const) {
      const result = await attempt(driver, [to.write(path, 'y')], [{ ...at(path), etag: null }]);
      const isReported = !result.ok && result.conflict.path === path && result.entry?.path === existing;
      assert(isReported, `${path} beside ${existing} must meet a conflict, not ${JSON.stringify(result)}`);
      assert((await textAt(driver, path)) === undefined, `${path} can be read where there is only ${existing}`);
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

  'undoes a batch whose last change fails': async (open) => {
    const driver = await open();
    await commit(
      driver,
      to.write('/kept', 'old'),
      to.write('/removed', 'here'),
      to.makeDirectory('/d'),
      to.makeDirectory('/empty'),
      to.write('/d/moved', 'along'),
      to.write('/record', 'old', 'records'),
    );
    const before = [await contentOf(driver), await contentOf(driver, 'records')];
    await refuses(
      driver,
      '/missing',
      to.write('/kept', 'overwritten'),
      to.write('/new', 'new'),
      to.remove('/removed'),
      to.remove('/empty'),
      to.makeDirectory('/made'),
      to.write('/made/new', 'new'),
      to.move('/d', '/elsewhere'),
      to.write('/record', 'overwritten', 'records'),
      to.move('/missing', '/anywhere'),
    );
    assertEqual([await contentOf(driver), await contentOf(driver, 'records')], before, 'everything after it');
  },

  'lets nothing be outside of a directory': async (open) => {
    const driver = await open();
    await commit(driver, to.makeDirectory('/d'), to.write('/d/a', 'a'), to.write('/f', 'f'));
    await refuses(driver, '/missing/a', to.write('/missing/a', 'x'));
    await refuses(driver, '/missing/a', to.makeDirectory('/missing/a'));
    await refuses(driver, '/f/a', to.write('/f/a', 'x'));
    await refuses(driver, '/d', to.remove('/d'));
    await refuses(driver, '/d', to.write('/d', 'x'));
    await refuses(driver, '/missing/f', to.move('/f', '/missing/f'));
    assertEqual(await contentOf(driver), { '/d': '(directory)', '/d/a': 'a', '/f': 'f' }, 'everything after it');
  },

  'takes nothing for what it is not': async (open) => {
    const driver = await open();
    await commit(driver, to.makeDirectory('/d'), to.write('/f', 'f'), to.write('/g', 'g'));
    await refuses(driver, '/missing', to.remove('/missing'));
    await refuses(driver, '/d', to.makeDirectory('/d'));
    await refuses(driver, '/f', to.makeDirectory('/f'));
    await refuses(driver, '/g', to.move('/f', '/g'));
    await refuses(driver, '/d', to.move('/f', '/d'));
    assertEqual(await contentOf(driver), { '/d': '(directory)', '/f': 'f', '/g': 'g' }, 'everything after it');
  },

  'makes changes that build on each other': async (open) => {
    const driver = await open();
    await commit(driver, to.makeDirectory('/a'), to.makeDirectory('/a/b'), to.write('/a/b/c', 'c'));
    await commit(driver, to.move('/a', '/z'), to.write('/z/b/d', 'd'), to.remove('/z/b/c'));
    assertEqual(await contentOf(driver), { '/z': '(directory)', '/z/b': '(directory)', '/z/b/d': 'd' }, 'the content');
    await commit(driver, to.remove('/z/b/d'), to.remove('/z/b'), to.remove('/z'));
    assertEqual(await contentOf(driver), {}, 'the content after all was removed');
  },

  'moves a directory with all that is in it': async (open) => {
    const driver = await open();
    await commit(
      driver,
      to.makeDirectory('/from'),
      to.makeDirectory('/from/d'),
      to.write('/from/d/a', 'a'),
      to.write('/from/b', 'b'),
    );
    await commit(driver, to.makeDirectory('/into'));
    const moved = await commit(driver, to.move('/from', '/into/to'));
    assertEqual(
      moved.map((entry) => entry.path),
      ['/into/to'],
      'the entries of the commit',
    );
    const expected = {
      '/into': '(directory)',
      '/into/to': '(directory)',
      '/into/to/b': 'b',
      '/into/to/d': '(directory)',
      '/into/to/d/a': 'a',
    };
    assertEqual(await contentOf(driver), expected, 'the content');
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
      const looking = Array.from({ length: 5 }, (_, delay) => after(delay / 2).then(look));
      await Promise.all([writing, ...looking]);
    }
    const torn = seen.filter(([left, right]) => left !== right);
    assertEqual(torn, [], 'sizes of two files that are only ever written together');
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
  },
} satisfies Readonly<Record<string, StorageCase>>;

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
