import { comparePaths, directoryEtag, foldCase } from '@utensil/core';
import type { Entry, EntryKey, ListedEntry } from '@utensil/core';

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
  /** The names in order; undefined where they have to be sorted again. */
  names: readonly string[] | undefined;
}

/** What a name stands for. */
export type Node = FileNode | DirectoryNode;

/** An empty directory. */
export function newDirectory(modifiedAt: number): DirectoryNode {
  return { kind: 'directory', modifiedAt, children: new Map(), spellings: new Map(), names: [] };
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
    directory.names = undefined;
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
  directory.names = undefined;
}

/** The names in a directory, in the order of listings. */
export function namesIn(directory: DirectoryNode): readonly string[] {
  directory.names ??= [...directory.children.keys()].sort(comparePaths);
  return directory.names;
}

/** What a listing says of a node. */
export function listedOf({ tree, path }: EntryKey, node: Node): ListedEntry {
  const { kind, modifiedAt } = node;
  return { tree, path, kind, size: node.kind === 'file' ? node.content.length : 0, modifiedAt };
}

/** What the storage says of a node. */
export function entryOf(key: EntryKey, node: Node): Entry {
  return { ...listedOf(key, node), etag: node.kind === 'file' ? node.etag : directoryEtag };
}
