import { fileError, isWithin, joinPath } from '@utensil/core/files';
import { changedKeys, comparePaths, createListeners } from '@utensil/core/storage';
import type { EntryKey, ListedEntry, Listeners, ListQuery, StorageDriver, StorageTree } from '@utensil/core/storage';
import { commitChanges } from './commit.ts';
import { emptyTrees, entryOf, find, listedOf, namesFrom } from './node.ts';
import type { DirectoryNode, Node } from './node.ts';

/** State shared by memory storages: the content of every namespace, for the lifetime of this object. */
export interface MemoryState {
  readonly namespaces: Map<string, Record<StorageTree, DirectoryNode>>;
  /** Counter that gives each content a unique etag. */
  contents: number;
  /** Watchers of each namespace. */
  readonly watchers: Map<string, Listeners<readonly EntryKey[]>>;
}

/** Creates an empty state. */
export function memoryState(): MemoryState {
  return { namespaces: new Map(), contents: 0, watchers: new Map() };
}

/** Options of {@link memoryStorage}. */
export interface MemoryStorageOptions {
  /** State that holds the content. Default: a new one. */
  readonly state?: MemoryState;
  /** Storages with different names share no entries, even in the same state. Default: `''`. */
  readonly namespace?: string;
}

/**
 * Creates a storage that lives as long as its state: for tests, for a session, under an overlay.
 *
 * @example
 * ```ts
 * import { createFiles } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const files = createFiles(memoryStorage());
 * await files.write('/notes/todo.md', 'buy milk');
 * console.log((await files.list('/notes')).entries.map(({ path }) => path)); // [ '/notes/todo.md' ]
 * ```
 */
export function memoryStorage({ state = memoryState(), namespace = '' }: MemoryStorageOptions = {}): StorageDriver {
  const trees = state.namespaces.get(namespace) ?? emptyTrees();
  state.namespaces.set(namespace, trees);
  const target = { root: (tree: StorageTree) => trees[tree], nextEtag: () => `${++state.contents}` };
  const watchers = state.watchers.get(namespace) ?? createListeners<readonly EntryKey[]>();
  state.watchers.set(namespace, watchers);
  const leave = new Set<() => void>();
  let isClosed = false;

  const lookUp = ({ tree, path }: EntryKey): Node | undefined => {
    if (isClosed) throw fileError('EBADF', path, { hint: 'Open it again.' });
    return find(trees[tree], path);
  };

  return {
    async stat(keys) {
      return keys.map((key) => {
        const node = lookUp(key);
        return node && entryOf(key, node);
      });
    },
    async list(query) {
      const node = lookUp(query);
      const entries: ListedEntry[] = [];
      if (node?.kind === 'directory') collect(node, query, entries);
      return entries;
    },
    async read(key, { start, end } = { start: 0, end: Infinity }) {
      const node = lookUp(key);
      if (node?.kind !== 'file') return undefined;
      return { entry: entryOf(key, node), content: node.content.slice(start, end) };
    },
    async commit(commit) {
      lookUp(commit.changes[0] ?? { tree: 'files', path: '/' });
      const result = commitChanges(target, commit);
      if (result.ok && commit.changes.length > 0) watchers.notify(changedKeys(commit.changes));
      return result;
    },
    watch(listener) {
      lookUp({ tree: 'files', path: '/' });
      const end = watchers.subscribe(listener);
      leave.add(end);
      return () => {
        leave.delete(end);
        end();
      };
    },
    async close() {
      isClosed = true;
      for (const end of leave) end();
      leave.clear();
    },
  };
}

/** Adds the entries below a directory, skipping branches that come before the requested page. */
function collect(directory: DirectoryNode, query: ListQuery, entries: ListedEntry[]): void {
  const { tree, path, depth, after, limit } = query;
  for (const name of namesFrom(directory, nameToward(path, after))) {
    if (entries.length >= limit) return;
    const child = directory.children.get(name);
    const key = { tree, path: joinPath(path, name) };
    const isBefore = after !== undefined && comparePaths(key.path, after) <= 0;
    if (child === undefined || (isBefore && !isWithin(key.path, after))) continue;
    if (!isBefore) entries.push(listedOf(key, child));
    if (child.kind === 'directory' && depth > 1) collect(child, { ...query, ...key, depth: depth - 1 }, entries);
  }
}

/** The child of a directory on the way to a path; `''`, which sorts first, if there is none. */
function nameToward(directory: string, path = directory): string {
  if (path === directory || !isWithin(directory, path)) return '';
  const start = joinPath(directory, '').length;
  const end = path.indexOf('/', start);
  return path.slice(start, end === -1 ? path.length : end);
}
