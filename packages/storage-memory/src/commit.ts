import { foldCase, joinPath, nameOf, parentOf } from '@utensil/core/files';
import type {
  StorageChange,
  StorageCommit,
  StorageCommitResult,
  StorageEntry,
  EntryKey,
  StorageExpectation,
} from '@utensil/core/storage';
import { attach, detach, entryOf, etagOf, find, newDirectory } from './node.ts';
import type { DirectoryNode, Node } from './node.ts';

/** Trees to commit to, and a source of etags. */
export interface Target {
  root(tree: EntryKey['tree']): DirectoryNode;
  nextEtag(): string;
}

/** Applies all changes, or none if an expectation or a change conflicts. */
export function commitChanges(target: Target, { expect, changes, time }: StorageCommit): StorageCommitResult {
  for (const expectation of expect) {
    const obstacle = obstacleOf(target, expectation);
    if (obstacle !== undefined) return obstacle;
  }
  const undo: (() => void)[] = [];
  for (const change of changes) {
    const revert = applyChange(target, change, time);
    if (typeof revert === 'function') undo.push(revert);
    else {
      for (const back of undo.toReversed()) back();
      return conflictAt(target, revert);
    }
  }
  return { ok: true, entries: entriesOf(target, changes) };
}

/** Entries that the changes wrote, created or moved and that still exist. */
function entriesOf(target: Target, changes: readonly StorageChange[]): readonly StorageEntry[] {
  const entries: StorageEntry[] = [];
  for (const change of changes) {
    if (change.type === 'remove') continue;
    const key = change.type === 'move' ? change.to : change;
    const node = find(target.root(key.tree), key.path);
    if (node !== undefined) entries.push(entryOf(key, node));
  }
  return entries;
}

function obstacleOf(target: Target, { tree, path, etag }: StorageExpectation): StorageCommitResult | undefined {
  const root = target.root(tree);
  const parent = path === '/' ? undefined : find(root, parentOf(path));
  const siblings = parent?.kind === 'directory' ? parent : undefined;
  const node = path === '/' ? root : siblings?.children.get(nameOf(path));
  if (node !== undefined) return etagOf(node) === etag ? undefined : conflictAt(target, { tree, path });
  if (etag !== null) return conflictAt(target, { tree, path });
  const [twin] = siblings?.spellings.get(foldCase(nameOf(path))) ?? [];
  if (twin === undefined) return undefined;
  const twinPath = joinPath(parentOf(path), twin);
  return { ...conflictAt(target, { tree, path: twinPath }), conflict: { tree, path } };
}

function conflictAt(target: Target, { tree, path }: EntryKey): StorageCommitResult & { readonly ok: false } {
  const node = find(target.root(tree), path);
  return { ok: false, conflict: { tree, path }, entry: node && entryOf({ tree, path }, node) };
}

/** Applies one change. Returns its undo function, or the key of the entry in conflict. */
function applyChange(target: Target, change: StorageChange, time: number): (() => void) | EntryKey {
  const { tree, path } = change;
  const root = target.root(tree);
  switch (change.type) {
    case 'write': {
      const content = new Uint8Array(change.content);
      const node: Node = { kind: 'file', content, modifiedAt: time, etag: target.nextEtag() };
      return put(root, path, node) ?? { tree, path };
    }
    case 'make-directory':
      return (find(root, path) === undefined ? put(root, path, newDirectory(time)) : undefined) ?? { tree, path };
    case 'remove':
      return take(root, path, change.recursive) ?? { tree, path };
    case 'move':
      return move(target, change, change.to) ?? (find(root, path) === undefined ? { tree, path } : change.to);
  }
}

function put(root: DirectoryNode, path: string, node: Node): (() => void) | undefined {
  const parent = path === '/' ? undefined : find(root, parentOf(path));
  if (parent?.kind !== 'directory') return undefined;
  const name = nameOf(path);
  const before = parent.children.get(name);
  if (before?.kind === 'directory') return undefined;
  attach(parent, name, node);
  return () => (before === undefined ? detach(parent, name) : attach(parent, name, before));
}

function take(root: DirectoryNode, path: string, isRecursive = false): (() => void) | undefined {
  const node = find(root, path);
  const isEmpty = node?.kind === 'file' || node?.children.size === 0;
  const isRemovable = path !== '/' && node !== undefined && (isEmpty || isRecursive);
  return isRemovable ? unlink(root, path, node) : undefined;
}

function unlink(root: DirectoryNode, path: string, node: Node): (() => void) | undefined {
  const parent = find(root, parentOf(path));
  if (parent?.kind !== 'directory') return undefined;
  detach(parent, nameOf(path));
  return () => attach(parent, nameOf(path), node);
}

function move(target: Target, from: EntryKey, to: EntryKey): (() => void) | undefined {
  const [root, goal] = [target.root(from.tree), target.root(to.tree)];
  const node = find(root, from.path);
  const isIntoItself = root === goal && to.path.startsWith(`${from.path}/`);
  if (node === undefined || from.path === '/' || find(goal, to.path) !== undefined || isIntoItself) return undefined;
  const detached = unlink(root, from.path, node);
  const attached = put(goal, to.path, node);
  if (attached === undefined) detached?.();
  return attached && (() => [attached(), detached?.()]);
}
