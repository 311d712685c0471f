import type { StorageChange, StorageEntry, EntryKey, ListQuery } from '../driver.ts';
import { comparePaths, foldCase, isWithin, nameOf, parentOf } from '../../paths.ts';

/** A staged entry: with its content, or with the key of its content in the storage. */
export interface Node {
  readonly entry: StorageEntry;
  readonly content?: Uint8Array;
  readonly origin?: EntryKey;
  /** True if nothing below it is in the storage; everything below is staged. */
  readonly isClosed?: boolean;
}

/** Staged changes, and the resulting entries. */
export interface Sheet {
  /** Null for a removed entry; undefined for one that is not staged. */
  find(key: EntryKey): Node | null | undefined;
  /** Staged entries below a directory and after a path, in order. */
  below(query: Pick<ListQuery, 'tree' | 'path' | 'depth' | 'after'>): Iterable<Node>;
  put(node: Node): void;
  take(key: EntryKey): void;
  /** The path with this name in any case; null if the stage removed it. */
  spellingAt(key: EntryKey): string | null | undefined;
  /** True if the storage had an entry of this name, in any case, that the stage removed. */
  isFreed(key: EntryKey): boolean;
  readonly changes: readonly StorageChange[];
  record(change: StorageChange): void;
  /** Keeps everything staged so far. */
  keep(): void;
  /** Discards everything staged since then. */
  undo(): void;
}

export function createSheet(): Sheet {
  const nodes = new Map<string, Node | null>();
  /** By key of a staged entry's ancestor: the paths one level below it on the way to staged entries. */
  const children = new Map<string, Set<string>>();
  /** The sorted paths, cached until another entry is staged. */
  const listed = new Map<string, readonly string[]>();
  const spellings = new Map<string, string | null>();
  const freed = new Map<string, true>();
  const changes: StorageChange[] = [];
  /** Index in `changes` of a file's last write, as long as nothing was moved or removed since. */
  const writes = new Map<string, number>();
  let undoing: (() => void)[] = [];

  function set<Value>(map: Map<string, Value>, key: string, value: Value): void {
    const before = map.get(key);
    undoing.push(() => (before === undefined ? map.delete(key) : map.set(key, before)));
    map.set(key, value);
  }

  function lead({ tree, path }: EntryKey): void {
    for (let at = path; at !== '/'; at = parentOf(at)) {
      const parent = nameOfKey({ tree, path: parentOf(at) });
      const known = children.get(parent) ?? new Set();
      if (known.has(at)) return;
      children.set(parent, known.add(at));
      listed.delete(parent);
    }
  }

  function pathsIn(directory: string): readonly string[] {
    const paths = listed.get(directory) ?? [...(children.get(directory) ?? [])].sort(comparePaths);
    if (paths.length > 0) listed.set(directory, paths);
    return paths;
  }

  function* below({ tree, path, depth, after = path }: Parameters<Sheet['below']>[0]): Generator<Node, void> {
    const paths = pathsIn(nameOfKey({ tree, path }));
    for (let index = firstToward(paths, after); index < paths.length; index++) {
      const key = { tree, path: paths[index] ?? '' };
      const node = comparePaths(key.path, after) > 0 ? nodes.get(nameOfKey(key)) : undefined;
      if (node) yield node;
      if (depth > 1) yield* below({ ...key, depth: depth - 1, after });
    }
  }

  return {
    find(key) {
      const own = nodes.get(nameOfKey(key));
      if (own !== undefined || nodes.size === 0) return own;
      for (let { path } = key; path !== '/';) {
        path = parentOf(path);
        const above = nodes.get(nameOfKey({ tree: key.tree, path }));
        if (above === null || above?.isClosed === true) return null;
      }
      return undefined;
    },
    below,
    put(node) {
      lead(node.entry);
      set(nodes, nameOfKey(node.entry), node);
      set(spellings, spellingOf(node.entry), node.entry.path);
    },
    take(key) {
      if (!nodes.has(nameOfKey(key))) set(freed, spellingOf(key), true);
      set(nodes, nameOfKey(key), null);
      set(spellings, spellingOf(key), null);
    },
    spellingAt: (key) => spellings.get(spellingOf(key)),
    isFreed: (key) => freed.has(spellingOf(key)),
    changes,
    record(change) {
      const earlier = change.type === 'write' ? writes.get(nameOfKey(change)) : undefined;
      const before = earlier === undefined ? undefined : changes[earlier];
      if (earlier !== undefined && before?.type === 'write' && change.type === 'write') {
        const { like: _, ...written } = change;
        changes[earlier] = before.like === undefined ? written : { ...written, like: before.like };
        undoing.push(() => (changes[earlier] = before));
        return;
      }
      if (change.type === 'remove' || change.type === 'move') writes.clear();
      const index = changes.push(change) - 1;
      if (change.type === 'write') writes.set(nameOfKey(change), index);
      undoing.push(() => {
        changes.pop();
        writes.clear();
      });
    },
    keep: () => void (undoing = []),
    undo() {
      for (const step of undoing.toReversed()) step();
      undoing = [];
    },
  };
}

/**
 * Lower bound: index, among sorted paths of one directory, of the first that is an ancestor of a path or comes after
 * it.
 */
function firstToward(paths: readonly string[], path: string): number {
  let [start, end] = [0, paths.length];
  while (start < end) {
    const middle = (start + end) >> 1;
    const each = paths[middle] ?? '';
    if (comparePaths(each, path) < 0 && !isWithin(each, path)) start = middle + 1;
    else end = middle;
  }
  return start;
}

/** A key as one string. */
export function nameOfKey({ tree, path }: EntryKey): string {
  return `${tree}:${path}`;
}

function spellingOf({ tree, path }: EntryKey): string {
  return `${tree}:${parentOf(path)}/${foldCase(nameOf(path))}`;
}
