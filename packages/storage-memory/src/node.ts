import { foldCase } from '@utensil/core/files';
import { comparePaths, directoryEtag } from '@utensil/core/storage';
import type { StorageEntry, EntryKey, ListedEntry, StorageTree } from '@utensil/core/storage';

/** A file. Its content is never changed, only replaced. */
export interface FileNode {
  readonly kind: 'file';
  readonly content: Uint8Array;
  readonly modifiedAt: number;
  readonly etag: string;
}

/** A directory. */
export interface DirectoryNode {
  readonly kind: 'directory';
  readonly modifiedAt: number;
  readonly children: Map<string, Node>;
  /** The names that are the same but for their case. */
  readonly spellings: Map<string, readonly string[]>;
  /** The names in order, and perhaps some that are gone; undefined if they have to be sorted again. */
  names: readonly string[] | undefined;
}

/** The node of a name. */
export type Node = FileNode | DirectoryNode;

/** An empty directory. */
export function newDirectory(modifiedAt: number): DirectoryNode {
  return { kind: 'directory', modifiedAt, children: new Map(), spellings: new Map(), names: [] };
}

/** The trees of a namespace that nobody has written to. */
export function emptyTrees(): Record<StorageTree, DirectoryNode> {
  return { files: newDirectory(0), records: newDirectory(0) };
}

/** The node at a normal path. */
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

/** Puts a node under a name, in the place of the one that was there. */
export function attach(directory: DirectoryNode, name: string, node: Node): void {
  if (!directory.children.has(name)) {
    const folded = foldCase(name);
    directory.spellings.set(folded, [...(directory.spellings.get(folded) ?? []), name]);
    if (!isAmong(directory.names, name)) directory.names = undefined;
  }
  directory.children.set(name, node);
}

/** Takes a name away. */
export function detach(directory: DirectoryNode, name: string): void {
  if (!directory.children.delete(name)) return;
  const folded = foldCase(name);
  const others = (directory.spellings.get(folded) ?? []).filter((each) => each !== name);
  if (others.length === 0) directory.spellings.delete(folded);
  else directory.spellings.set(folded, others);
  // Who removes a page of names after another must not have all others sorted again for each.
  if ((directory.names?.length ?? 0) > 2 * directory.children.size) directory.names = undefined;
}

/** The names in a directory from one on, in the order of listings; some of them may be gone. */
export function* namesFrom(directory: DirectoryNode, name: string): Generator<string, void> {
  const names = (directory.names ??= [...directory.children.keys()].sort(comparePaths));
  for (let index = firstFrom(names, name); index < names.length; index++) yield names[index] ?? '';
}

function isAmong(names: readonly string[] | undefined, name: string): boolean {
  return names !== undefined && names[firstFrom(names, name)] === name;
}

/** Where, among names in order, those begin that come at or after one. */
function firstFrom(names: readonly string[], name: string): number {
  let [start, end] = [0, names.length];
  while (start < end) {
    const middle = (start + end) >> 1;
    if (comparePaths(names[middle] ?? '', name) < 0) start = middle + 1;
    else end = middle;
  }
  return start;
}

/** A directory of its own with the same in it; files are shared, because nothing changes them. */
export function copyDirectory({ modifiedAt, children, spellings, names }: DirectoryNode): DirectoryNode {
  const copy = new Map(children);
  for (const [name, child] of children) if (child.kind === 'directory') copy.set(name, copyDirectory(child));
  return { kind: 'directory', modifiedAt, children: copy, spellings: new Map(spellings), names };
}

/** The entry of a node in a listing. */
export function listedOf({ tree, path }: EntryKey, node: Node): ListedEntry {
  const size = node.kind === 'file' ? node.content.length : 0;
  return { tree, path, kind: node.kind, size, modifiedAt: node.modifiedAt };
}

/** The entry of a node. */
export function entryOf({ tree, path }: EntryKey, node: Node): StorageEntry {
  const size = node.kind === 'file' ? node.content.length : 0;
  return { tree, path, kind: node.kind, size, modifiedAt: node.modifiedAt, etag: etagOf(node) };
}

/** The etag of a node. */
export function etagOf(node: Node): string {
  return node.kind === 'file' ? node.etag : directoryEtag;
}
