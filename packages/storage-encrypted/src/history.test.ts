import type { StorageChange, EntryKey, StorageTree } from '@utensil/core/storage';
import { foldCase } from '@utensil/core/files';
import { describe, expect, it } from 'vitest';
import { historyOf } from './history.ts';

const at = (path: string, tree: StorageTree = 'files'): EntryKey => ({ tree, path });
const write = (path: string): StorageChange => ({ ...at(path), type: 'write', content: new Uint8Array() });
const make = (path: string): StorageChange => ({ ...at(path), type: 'make-directory' });
const remove = (path: string): StorageChange => ({ ...at(path), type: 'remove', recursive: true });
const move = (path: string, to: string, tree: StorageTree = 'files'): StorageChange => ({
  ...at(path),
  type: 'move',
  to: at(to, tree),
});

/** A storage that has these files. */
const storedAs = (...paths: readonly string[]) => ({
  has: ({ tree, path }: EntryKey) => tree === 'files' && paths.includes(path),
  spellings: ({ tree, path }: EntryKey) =>
    tree === 'files' ? paths.filter((each) => foldCase(each) === foldCase(path)).length : 0,
});

describe('the history of a commit', () => {
  it.each<[string, readonly StorageChange[], string, readonly string[], boolean, number]>([
    ['nothing', [], '/a', ['/a', '/A'], true, 2],
    ['nothing of the name', [], '/a', ['/b'], false, 0],
    ['a new file', [write('/a')], '/a', [], true, 1],
    ['a file written over', [write('/a')], '/A', ['/a'], false, 1],
    ['a file written twice', [write('/a'), write('/a')], '/A', [], false, 1],
    ['a second spelling', [write('/A')], '/a', ['/a'], true, 2],
    ['a directory', [make('/a')], '/A', [], false, 1],
    ['a removal', [remove('/a')], '/a', ['/a'], false, 0],
    ['a removal of one spelling', [remove('/A')], '/a', ['/a', '/A'], true, 1],
    ['a removal of what was just made', [write('/A'), remove('/A')], '/a', ['/a'], true, 1],
    ['a move away', [move('/a', '/b')], '/a', ['/a', '/A'], false, 1],
    ['a move to the name', [move('/b', '/a')], '/a', ['/b'], true, 1],
    ['a move to another spelling', [move('/a', '/A')], '/A', ['/a'], true, 1],
    ['a move to another tree', [move('/a', '/a', 'records')], '/a', ['/a'], false, 0],
    ['a removed directory', [remove('/d'), make('/d')], '/d/a', ['/d/a', '/d/A'], false, 0],
    ['a directory moved away', [move('/d', '/e'), make('/d')], '/d/a', ['/d/a'], false, 0],
    ['a directory moved here', [move('/d', '/e')], '/e/a', ['/d/a', '/d/A'], true, 2],
    ['a directory changed, then moved here', [write('/d/A'), move('/d', '/e')], '/e/a', ['/d/a'], true, 2],
    ['a directory moved twice', [move('/d', '/x'), move('/x', '/e')], '/e/a', ['/d/A'], false, 1],
    ['a directory with a name that begins the same', [remove('/d')], '/d.x', ['/d.x'], true, 1],
  ])('knows what is left by %s', (_, changes, path, paths, isThere, spellings) => {
    const history = historyOf(changes);
    const stored = storedAs(...paths);
    expect(history.hasAt(changes.length, at(path), stored)).toBe(isThere);
    expect(history.spellingsAt(changes.length, at(path), stored)).toBe(spellings);
  });

  it('goes back to where an entry was, across trees', () => {
    const history = historyOf([move('/d', '/kept', 'records'), remove('/e'), make('/e')]);
    expect(history.originAt(3, at('/kept/x/a', 'records'))).toEqual(at('/d/x/a'));
    expect(history.originAt(3, at('/kept', 'records'))).toEqual(at('/kept', 'records'));
    expect([history.originAt(3, at('/d/x')), history.originAt(3, at('/e/x'))]).toEqual([undefined, undefined]);
    expect(history.originAt(1, at('/e/x'))).toEqual(at('/e/x'));
  });

  it('looks only at what came before', () => {
    const history = historyOf([write('/a'), remove('/a')]);
    const found = [0, 1, 2].map((index) => history.hasAt(index, at('/a'), storedAs()));
    expect(found).toEqual([false, true, false]);
  });
});
