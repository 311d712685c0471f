import type { StorageChange, EntryKey, StorageDriver, StorageTree } from '../files/storage/driver.ts';
import { comparePaths, isWithin, joinPath, parentOf } from '../files/paths.ts';
import { assert, assertEqual } from './assert.ts';
import { randomPick } from './files-model.ts';
import { at, attempt, bytesOf, textAt } from './storage-kit.ts';

/** Contents of a storage's trees: texts of files by path, undefined for directories. */
export type Trees = Readonly<Record<StorageTree, Map<string, string | undefined>>>;

/** Two empty trees, with their roots only. */
export function emptyTrees(): Trees {
  return { files: new Map([['/', undefined]]), records: new Map([['/', undefined]]) };
}

/**
 * Random batches of changes to existing entries, the same for the same seed: most of them valid, the others such that a
 * storage must refuse them.
 */
export function randomBatches(seed: number): (trees: Trees) => readonly StorageChange[] {
  const pick = randomPick(seed);
  const one = <Item>(items: readonly Item[]): Item => items[pick(items.length)] as Item;
  return (trees) => {
    const tree = (): StorageTree => (pick(4) === 0 ? 'records' : 'files');
    const present = (): EntryKey => {
      const from = tree();
      return at(one([...trees[from].keys()]), from);
    };
    const below = (): EntryKey => {
      const into = tree();
      const directories = [...trees[into]].flatMap(([path, text]) => (text === undefined ? [path] : []));
      return at(joinPath(one(directories), one(['a', 'b c', 'é', '%41'])), into);
    };
    const anywhere = (): EntryKey => at(`/${one(['a', 'é'])}/${one(['a', 'z'])}`, tree());
    const changes: readonly (() => StorageChange)[] = [
      () => ({ ...below(), type: 'write', content: bytesOf(`${pick(1000)}`) }),
      () => ({ ...below(), type: 'write', content: bytesOf(`${pick(1000)}`) }),
      () => ({ ...below(), type: 'make-directory' }),
      () => ({ ...below(), type: 'make-directory' }),
      () => ({ ...present(), type: 'move', to: below() }),
      () => ({ ...present(), type: 'move', to: below() }),
      () => ({ ...present(), type: 'remove', recursive: pick(2) === 0 }),
      () => ({ ...anywhere(), type: 'write', content: bytesOf(`${pick(1000)}`) }),
    ];
    return Array.from({ length: 1 + pick(pick(4) + 1) }, () => one(changes)());
  };
}

/** Commits a batch to a storage and to its model; returns the new model. */
export async function commitBoth(
  driver: StorageDriver,
  trees: Trees,
  changes: readonly StorageChange[],
): Promise<Trees> {
  const next: Trees = { files: new Map(trees.files), records: new Map(trees.records) };
  const expected = changes.every((change) => applyTo(next, change));
  const { ok } = await attempt(driver, changes);
  assertEqual(ok, expected, `whether the commit goes through: ${JSON.stringify(changes.map(named))}`);
  return ok ? next : trees;
}

function named(change: StorageChange): string {
  const target = change.type === 'move' ? ` to ${change.to.tree}:${change.to.path}` : '';
  return `${change.type} ${change.tree}:${change.path}${target}`;
}

/** Asserts that a storage lists the entries of the model in order, and that all can be read. */
export async function assertHolds(driver: StorageDriver, trees: Trees): Promise<void> {
  for (const tree of ['files', 'records'] as const) {
    const expected = [...trees[tree]].filter(([path]) => path !== '/').sort(([a], [b]) => comparePaths(a, b));
    const listed = await driver.list({ ...at('/', tree), depth: 32, limit: 1000 });
    const found: [string, string | undefined][] = [];
    for (const { path } of listed) found.push([path, await textAt(driver, path, tree)]);
    assertEqual(found, expected, `what is listed in ${tree}, and read`);
    const entries = await driver.stat(listed);
    for (const [index, { path, kind, size }] of listed.entries()) {
      const entry = entries[index];
      assert(entry?.kind === kind && entry.size === size, `${path} is listed, but has another entry or none`);
    }
  }
}

/** Applies a change; false if a storage must refuse it. */
function applyTo(trees: Trees, change: StorageChange): boolean {
  const tree = trees[change.tree];
  const { path } = change;
  switch (change.type) {
    case 'write':
      return put(tree, path, new TextDecoder().decode(change.content));
    case 'make-directory':
      return !tree.has(path) && put(tree, path, undefined);
    case 'remove':
      return removeFrom(tree, path, change.recursive ?? false);
    case 'move':
      return moveTo(trees, change, change.to);
  }
}

type ModelTree = Trees[StorageTree];

const isDirectory = (tree: ModelTree, path: string): boolean => tree.has(path) && tree.get(path) === undefined;

function put(tree: ModelTree, path: string, value: string | undefined): boolean {
  if (!isDirectory(tree, parentOf(path)) || isDirectory(tree, path)) return false;
  tree.set(path, value);
  return true;
}

function removeFrom(tree: ModelTree, path: string, recursive: boolean): boolean {
  const below = [...tree.keys()].filter((each) => isWithin(path, each));
  if (path === '/' || below.length === 0 || (below.length > 1 && !recursive)) return false;
  for (const each of below) tree.delete(each);
  return true;
}

function moveTo(trees: Trees, from: EntryKey, to: EntryKey): boolean {
  const [tree, goal] = [trees[from.tree], trees[to.tree]];
  const isIntoItself = tree === goal && isWithin(from.path, to.path);
  if (
    from.path === '/' ||
    !tree.has(from.path) ||
    goal.has(to.path) ||
    isIntoItself ||
    !isDirectory(goal, parentOf(to.path))
  )
    return false;
  const moved = [...tree].filter(([path]) => isWithin(from.path, path));
  for (const [path] of moved) tree.delete(path);
  for (const [path, value] of moved) goal.set(to.path + path.slice(from.path.length), value);
  return true;
}
