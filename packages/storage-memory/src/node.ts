import { foldCase } from '@utensil/core/files';
import { comparePaths, directoryEtag } from '@utensil/core/storage';
import type { StorageEntry, EntryKey, ListedEntry, StorageTree } from '@utensil/core/storage';

/** A file. Its content is replaced, never mutated. */
export interface FileNode {
  readonly kind: 'file';
  readonly content: Uint8Array;
  readonly modifiedAt: number;
  readonly etag: string;
}

export interface DirectoryNode {
  readonly kind: 'directory';
  readonly modifiedAt: number;
  readonly children: Map<string, Node>;
  /** Names by their case-folded form. */
  readonly spellings: Map<string, readonly string[]>;
  /** Sorted names, which may include removed ones; undefined if they must be sorted again. */
  names: readonly string[] | undefined;
}

/** A file or directory in a tree. */
export type Node = FileNode | DirectoryNode;

/** Creates an empty directory. */
export function newDirectory(modifiedAt: number): DirectoryNode {
  return { kind: 'directory', modifiedAt, children: new Map(), spellings: new Map(), names: [] };
}

/** Trees of a namespace without writes. */
export function emptyTrees(): Record<StorageTree, DirectoryNode> {
  return { files: newDirectory(0), records: newDirectory(0) };
}

/** Finds the node at a normalized path. */
export function find(root: DirectoryNode, path: string): Node | undefined {
  let node: Node | undefined = root;
  for (let start = 1; start < path.length && node !== undefined;) {
    const slash = path.indexOf('/', start);
    const end = slash === -1 ? path.length : slash;
    node = node.kind === 'directory' ? node.children.get(path.slice(start, end)) : undefined;
    start = end + 1;
  }
  return node;
}

/** Adds a node under a name, or replaces the one there. */
export function attach(directory: DirectoryNode, name: string, node: Node): void {
  if (!directory.children.has(name)) {
    const folded = foldCase(name);
    directory.spellings.set(folded, [...(directory.spellings.get(folded) ?? []), name]);
    if (!isAmong(directory.names, name)) directory.names = undefined;
  }
  directory.children.set(name, node);
}

/** Removes a name. */
export function detach(directory: DirectoryNode, name: string): void {
  if (!directory.children.delete(name)) return;
  const folded = foldCase(name);
  const others = (directory.spellings.get(folded) ?? []).filter((each) => each !== name);
  if (others.length === 0) directory.spellings.delete(folded);
  else directory.spellings.set(folded, others);
  // Removing entries page by page must not re-sort the rest for each page.
  if ((directory.names?.length ?? 0) > 2 * directory.children.size) directory.names = undefined;
}

/** Names in a directory from a given one, in listing order; some may have been removed. */
export function* namesFrom(directory: DirectoryNode, name: string): Generator<string, void> {
  const names = (directory.names ??= [...directory.children.keys()].sort(comparePaths));
  for (let index = firstFrom(names, name); index < names.length; index++) yield names[index] ?? '';
}

function isAmong(names: readonly string[] | undefined, name: string): boolean {
  return names !== undefined && names[firstFrom(names, name)] === name;
}

/** Index of the first sorted name at or after a given one. */
function firstFrom(names: readonly string[], name: string): number {
  let [start, end] = [0, names.length];
  while (start < end) {
    const middle = (start + end) >> 1;
    if (comparePaths(names[middle] ?? '', name) < 0) start = middle + 1;
    else end = middle;
  }
  return start;
}

/** Copies a directory; files are shared because they are never mutated. */
export function copyDirectory({ modifiedAt, children, spellings, names }: DirectoryNode): DirectoryNode {
  const copy = new Map(children);
  for (const [name, child] of children) if (child.kind === 'directory') copy.set(name, copyDirectory(child));
  return { kind: 'directory', modifiedAt, children: copy, spellings: new Map(spellings), names };
}

/** Listing entry of a node. */
export function listedOf({ tree, path }: EntryKey, node: Node): ListedEntry {
  const size = node.kind === 'file' ? node.content.length : 0;
  return { tree, path, kind: node.kind, size, modifiedAt: node.modifiedAt };
}

/** Entry of a node, with its etag. */
export function entryOf({ tree, path }: EntryKey, node: Node): StorageEntry {
  const size = node.kind === 'file' ? node.content.length : 0;
  return { tree, path, kind: node.kind, size, modifiedAt: node.modifiedAt, etag: etagOf(node) };
}

/** Etag of a node. */
export function etagOf(node: Node): string {
  return node.kind === 'file' ? node.etag : directoryEtag;
}
