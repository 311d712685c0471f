import { assert, assertEqual } from './assert.ts';
import { at, attempt, commit, contentOf, pause, refuses, to } from './storage-kit.ts';
import type { StorageCase } from './storage-kit.ts';

/** Guarantees of a storage driver about changes: writes, moves and removals, all of a batch or none. */
export const changeCases = {
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

  'requires a parent directory for every entry': async (open) => {
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

  'checks that an entry exists, or does not, as a change requires': async (open) => {
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

  'moves a directory with its contents': async (open) => {
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
    assertEqual(version, { ...before, ...at('/kept/1', 'records') }, 'the entry that was moved');
    assertEqual(await contentOf(driver), { '/d': '(directory)', '/d/a': 'new' }, 'files');
    await commit(driver, to.move('/d', at('/kept/d', 'records')));
    const kept = { '/kept': '(directory)', '/kept/1': 'old', '/kept/d': '(directory)', '/kept/d/a': 'new' };
    assertEqual([await contentOf(driver), await contentOf(driver, 'records')], [{}, kept], 'both trees');
    await refuses(driver, '/kept/1', { ...at('/kept/d', 'records'), type: 'move', to: at('/kept/1', 'records') });
    await commit(driver, { ...at('/kept/d', 'records'), type: 'move', to: at('/back') });
    assertEqual(await contentOf(driver), { '/back': '(directory)', '/back/a': 'new' }, 'what was moved back');
  },

  'moves entries with their times and etags': async (open) => {
    const driver = await open();
    await commit(driver, to.makeDirectory('/from'), to.makeDirectory('/from/d'), to.write('/from/d/a', 'a'));
    await commit(driver, to.write('/b', 'b'));
    const before = await driver.stat([at('/from/d'), at('/from/d/a'), at('/b')]);
    await pause(20); // a storage with a clock of its own must have had the time to go wrong
    const changes = [to.move('/from', '/to'), to.move('/b', '/to/b')];
    const result = await driver.commit({ expect: [], changes, time: 1_700_000_900_000 });
    assert(result.ok, `the move met a conflict: ${JSON.stringify(result)}`);
    const keys = [at('/to/d'), at('/to/d/a'), at('/to/b')];
    const expected = before.map((entry, index) => ({ ...entry, ...keys[index] }));
    assertEqual(await driver.stat(keys), expected, 'the entries after the move');
  },

  'removes a directory with its contents': async (open) => {
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
} satisfies Readonly<Record<string, StorageCase>>;
