import { fileError, isWithin, joinPath } from '@utensil/core/files';
import { changedKeys, comparePaths, createListeners } from '@utensil/core/storage';
import type { EntryKey, ListedEntry, Listeners, ListQuery, StorageDriver, StorageTree } from '@utensil/core/storage';
import { commitChanges } from './commit.ts';
import { emptyTrees, entryOf, find, listedOf, namesFrom } from './node.ts';
import type { DirectoryNode, Node } from './node.ts';

/** What several memory storages share: the content of every namespace, for as long as this object lives. */
export interface MemoryState {
  readonly namespaces: Map<string, Record<StorageTree, DirectoryNode>>;
  /** Numbers the contents, so that no two have the same etag. */
  contents: number;
  /** The watchers of a namespace. */
  readonly watchers: Map<string, Listeners<readonly EntryKey[]>>;
}

/** A state with nothing in it. */
export function memoryState(): MemoryState {
  return { namespaces: new Map(), contents: 0, watchers: new Map() };
}

/** Options of {@link memoryStorage}. */
export interface MemoryStorageOptions {
  /** The state that keeps the content. Default: a new one. */
  readonly state?: MemoryState;
  /** Storages of other names see nothing of this one, even in the same state. */
  readonly namespace?: string;
}

/**
 * A storage that lives as long as its state does: for tests, for a session, under an overlay.
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

/** Adds what is below a directory, leaving out whole branches that come before the wanted page. */
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

/** The name in a directory that a path leads to, or the one before all others. */
function nameToward(directory: string, path = directory): string {
  if (path === directory || !isWithin(directory, path)) return '';
  const start = joinPath(directory, '').length;
  const end = path.indexOf('/', start);
  return path.slice(start, end === -1 ? path.length : end);
}
