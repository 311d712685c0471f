// A storage for anything that keeps one text and can replace it atomically: a row of a database, an object in a bucket.

import { fileError, foldCase, isWithin, nameOf, parentOf } from '@utensil/core/files';
import { changedKeys, comparePaths, directoryEtag } from '@utensil/core/storage';
import type * as storage from '@utensil/core/storage';
import { Buffer } from 'node:buffer';

/** A text shared by several programs. */
export interface SharedText {
  /** Initially `''` and 0. */
  read(): Promise<{ readonly text: string; readonly version: number }>;
  /** Replaces the text and sends `news` to every watcher; false if the text no longer has this version. */
  replace(text: string, version: number, news: string): Promise<boolean>;
  watch(listener: (news: string) => void): () => void;
}

export function sharedTextStorage(shared: SharedText): storage.StorageDriver {
  const watches = new Set<() => void>();
  let isClosed = false;

  function assertOpen(path = '/'): void {
    if (isClosed) throw fileError('EBADF', path, { hint: 'Open the storage again.' });
  }

  async function load(path?: string): Promise<{ readonly nodes: Nodes; readonly version: number }> {
    assertOpen(path);
    const { text, version } = await shared.read();
    return { nodes: nodesIn(text, path), version };
  }

  return {
    async stat(keys) {
      const { nodes } = await load(keys[0]?.path);
      return keys.map((key) => entryAt(nodes, key));
    },
    async list(query) {
      const { nodes } = await load(query.path);
      return entriesIn(nodes, query);
    },
    async read(key, { start, end } = { start: 0, end: Infinity }) {
      const { nodes } = await load(key.path);
      const [entry, content] = [entryAt(nodes, key), nodes.get(nodeName(key))?.content];
      if (entry === undefined || content === undefined) return undefined;
      return { entry, content: new Uint8Array(Buffer.from(content, 'base64')).slice(start, end) };
    },
    async commit(commit) {
      for (;;) {
        const { nodes, version } = await load(commit.changes[0]?.path);
        const next = new Map(nodes);
        const result = commitTo(next, commit);
        if (!result.ok || commit.changes.length === 0) return result;
        const news = JSON.stringify(changedKeys(commit.changes));
        if (await shared.replace(JSON.stringify([...next]), version, news)) return result;
      } // another program was faster: check everything again
    },
    watch(listener) {
      assertOpen();
      const end = shared.watch((news) => listener(JSON.parse(news) as storage.EntryKey[]));
      watches.add(end);
      return () => void (watches.delete(end) && end());
    },
    async close() {
      isClosed = true;
      for (const end of watches) end();
      watches.clear();
    },
  };
}

/** A file, with its content as base64, or a directory, which has none. */
interface Node {
  readonly content?: string;
  readonly size: number;
  readonly modifiedAt: number;
  readonly etag: string;
}

/** By tree and path, as `nodeName` joins them: `files:/notes/todo.md`. */
type Nodes = Map<string, Node>;

const directory = { size: 0, modifiedAt: 0, etag: directoryEtag };
const roots: readonly [string, Node][] = [
  ['files:/', directory],
  ['records:/', directory],
];

function nodesIn(text: string, path = '/'): Nodes {
  try {
    return new Map(text === '' ? roots : (JSON.parse(text) as [string, Node][]));
  } catch {
    throw fileError('EIO', path, { hint: 'The shared text is damaged. Restore a copy of it.' });
  }
}

function nodeName({ tree, path }: storage.EntryKey): string {
  return `${tree}:${path}`;
}

function entryAt(nodes: Nodes, { tree, path }: storage.EntryKey): storage.StorageEntry | undefined {
  const node = nodes.get(nodeName({ tree, path }));
  if (node === undefined) return undefined;
  const { content, size, modifiedAt, etag } = node;
  return { tree, path, kind: content === undefined ? 'directory' : 'file', size, modifiedAt, etag };
}

function isDirectory(nodes: Nodes, key: storage.EntryKey): boolean {
  return entryAt(nodes, key)?.kind === 'directory';
}

/** Keys below a directory, unsorted. */
function keysBelow(nodes: Nodes, { tree, path }: storage.EntryKey): storage.EntryKey[] {
  const paths = [...nodes.keys()]
    .filter((name) => name.startsWith(`${tree}:`))
    .map((name) => name.slice(tree.length + 1));
  return paths.filter((each) => each !== path && isWithin(path, each)).map((each) => ({ tree, path: each }));
}

function entriesIn(nodes: Nodes, { after, depth, limit, ...directory }: storage.ListQuery): storage.ListedEntry[] {
  const levels = (path: string): number => (path === '/' ? 0 : path.split('/').length - 1);
  return keysBelow(nodes, directory)
    .filter(({ path }) => levels(path) - levels(directory.path) <= depth)
    .filter(({ path }) => after === undefined || comparePaths(path, after) > 0)
    .sort((left, right) => comparePaths(left.path, right.path))
    .slice(0, limit)
    .flatMap((key) => entryAt(nodes, key) ?? [])
    .map(({ tree, path, kind, size, modifiedAt }) => ({ tree, path, kind, size, modifiedAt }));
}

/** Applies all changes; after a conflict, the nodes must be discarded. */
function commitTo(nodes: Nodes, { expect, changes, time }: storage.StorageCommit): storage.StorageCommitResult {
  const before = new Map(nodes);
  for (const { tree, path, etag } of expect) {
    const key = { tree, path };
    const found = entryAt(nodes, key) ?? (etag === null ? twinOf(nodes, key) : undefined);
    if ((found?.etag ?? null) !== etag) return { ok: false, conflict: key, entry: found };
  }
  for (const change of changes) {
    const conflict = conflictOf(nodes, change);
    if (conflict !== undefined) return { ok: false, conflict, entry: entryAt(before, conflict) };
    make(nodes, change, time);
  }
  const written = changes.filter(({ type }) => type !== 'remove');
  const entries = written.flatMap((change) => entryAt(nodes, change.type === 'move' ? change.to : change) ?? []);
  return { ok: true, entries };
}

/** The entry in the same directory whose name differs only in case. */
function twinOf(nodes: Nodes, { tree, path }: storage.EntryKey): storage.StorageEntry | undefined {
  if (path === '/') return undefined;
  const siblings = entriesIn(nodes, { tree, path: parentOf(path), depth: 1, limit: Infinity });
  const twin = siblings.find((each) => foldCase(nameOf(each.path)) === foldCase(nameOf(path)));
  return twin && entryAt(nodes, twin);
}

/** The key that a change conflicts with. */
function conflictOf(nodes: Nodes, change: storage.StorageChange): storage.EntryKey | undefined {
  const key = { tree: change.tree, path: change.path };
  const found = entryAt(nodes, key);
  const canBeAt = ({ tree, path }: storage.EntryKey): boolean => isDirectory(nodes, { tree, path: parentOf(path) });
  if (key.path === '/') return key;
  switch (change.type) {
    case 'write':
      return found?.kind === 'directory' || !canBeAt(key) ? key : undefined;
    case 'make-directory':
      return found !== undefined || !canBeAt(key) ? key : undefined;
    case 'remove':
      return found === undefined || (change.recursive !== true && keysBelow(nodes, key).length > 0) ? key : undefined;
    case 'move': {
      const { to } = change;
      if (found === undefined) return key;
      const isBelowItself = to.tree === key.tree && isWithin(key.path, to.path);
      return isBelowItself || entryAt(nodes, to) !== undefined || !canBeAt(to) ? to : undefined;
    }
  }
}

function make(nodes: Nodes, change: storage.StorageChange, time: number): void {
  if (change.type === 'write') {
    const content = Buffer.from(change.content).toString('base64');
    nodes.set(nodeName(change), { content, size: change.content.length, modifiedAt: time, etag: crypto.randomUUID() });
  } else if (change.type === 'make-directory') nodes.set(nodeName(change), { ...directory, modifiedAt: time });
  else {
    for (const key of [change, ...keysBelow(nodes, change)]) {
      const node = nodes.get(nodeName(key));
      nodes.delete(nodeName(key));
      if (change.type !== 'move' || node === undefined) continue;
      nodes.set(nodeName({ tree: change.to.tree, path: change.to.path + key.path.slice(change.path.length) }), node);
    }
  }
}
