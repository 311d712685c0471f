import { assert, assertEqual } from './assert.ts';
import {
  at,
  attempt,
  commit,
  contentOf,
  pathsBelow,
  pause,
  refuses,
  textAt,
  throws,
  to,
  within,
} from './storage-kit.ts';
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
    await refuses(
      driver,
      '/gone',
      to.move('/kept', at('/aside', 'records')),
      to.write('/kept', 'another'),
      to.write('/kept', 'a third'),
      to.move('/d', at('/d', 'records')),
      to.makeDirectory('/d'),
      to.removeAll('/d', 'records'),
      to.remove('/gone'),
    );
    assertEqual([await contentOf(driver), await contentOf(driver, 'records')], before, 'everything after another');
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

  'moves from one tree to the other': async (open) => {
    const driver = await open();
    await commit(driver, to.makeDirectory('/d'), to.write('/d/a', 'old'), to.makeDirectory('/kept', 'records'));
    const [before] = await driver.stat([at('/d/a')]);
    const [version] = await commit(driver, to.move('/d/a', at('/kept/1', 'records')), to.write('/d/a', 'new'));
    assertEqual(version, { ...before, ...at('/kept/1', 'records') }, 'the entry of what was moved');
    assertEqual(await contentOf(driver), { '/d': '(directory)', '/d/a': 'new' }, 'files');
    await commit(driver, to.move('/d', at('/kept/d', 'records')));
    const kept = { '/kept': '(directory)', '/kept/1': 'old', '/kept/d': '(directory)', '/kept/d/a': 'new' };
    assertEqual([await contentOf(driver), await contentOf(driver, 'records')], [{}, kept], 'both trees');
    await refuses(driver, '/kept/1', { ...at('/kept/d', 'records'), type: 'move', to: at('/kept/1', 'records') });
    await commit(driver, { ...at('/kept/d', 'records'), type: 'move', to: at('/back') });
    assertEqual(await contentOf(driver), { '/back': '(directory)', '/back/a': 'new' }, 'what was moved back');
  },

  'removes a directory with all that is in it': async (open) => {
    const driver = await open();
    await commit(
      driver,
      to.makeDirectory('/d'),
      to.makeDirectory('/d/e'),
      to.write('/d/e/a', 'a'),
      to.write('/d/b', 'b'),
    );
    await commit(driver, to.write('/d-', 'stays'), to.removeAll('/d'));
    assertEqual(await contentOf(driver), { '/d-': 'stays' }, 'what is left');
    await commit(driver, to.makeDirectory('/d'), to.write('/d/b', 'again'), to.removeAll('/d-'));
    assertEqual(await contentOf(driver), { '/d': '(directory)', '/d/b': 'again' }, 'what was made after that');
  },

  'changes one path several times': async (open) => {
    const driver = await open();
    const entries = await commit(
      driver,
      to.write('/a', 'first'),
      to.write('/a', 'second'),
      to.remove('/a'),
      to.makeDirectory('/a'),
      to.write('/a/b', 'below'),
      to.move('/a', '/c'),
      to.write('/a', 'last'),
    );
    assertEqual(await contentOf(driver), { '/a': 'last', '/c': '(directory)', '/c/b': 'below' }, 'the content');
    const [entry] = await driver.stat([at('/a')]);
    assertEqual(entries.at(-1), entry, 'the last entry of the commit');
  },

  'expects what was there before the first change': async (open) => {
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

  'knows the names in a directory that was moved': async (open) => {
    const driver = await open();
    await commit(driver, to.makeDirectory('/d'), to.write('/d/Note', 'x'));
    await commit(driver, to.move('/d', '/e'));
    for (const [path, isFree] of [
      ['/e/note', false],
      ['/D', true],
    ] as const) {
      const { ok } = await attempt(driver, [to.write(path, 'y')], [{ ...at(path), etag: null }]);
      assertEqual(ok, isFree, `whether ${path} is free`);
    }
  },

  'tells who watches, in the order of commits': async (open) => {
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
      unread.push(driver.stat([at('/a'), at('/b')]).then(([a, b]) => assert(!(b && !a), 'told of what is not there')));
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
