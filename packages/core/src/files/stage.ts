import { directoryEtag } from './driver.ts';
import type {
  Change,
  CommitResult,
  Entry,
  EntryKey,
  Expectation,
  ListedEntry,
  ListQuery,
  StorageDriver,
} from './driver.ts';
import { comparePaths, foldCase, isWithin, parentOf } from './paths.ts';
import { entriesBelow } from './reading.ts';

/** Changes to a storage that nobody else sees until they are committed together, or thrown away. */
export interface Stage {
  /** The storage as it would be after the changes. What is committed to it is staged. */
  readonly driver: StorageDriver;
  /** Nothing is staged. */
  isEmpty(): boolean;
  /** Makes all changes in one commit, if every file that was looked up is still as it was found, or still missing. */
  commit(time: number): Promise<CommitResult>;
}

/** An entry as it was staged: with its content, or with where that is in the storage. */
interface Node {
  readonly entry: Entry;
  readonly content?: Uint8Array;
  readonly origin?: EntryKey;
  /** Nothing of the storage is below it but what was staged. */
  readonly isClosed?: boolean;
}

/** What {@link createStage} may be told. */
export interface StageOptions {
  /** Whether what is found at a key must still be there when the stage is committed; by default it must. */
  readonly expects?: (key: EntryKey) => boolean;
}

/**
 * A stage over a storage. Each entry is looked up once, so that what is seen stays the same.
 *
 * @example
 * ```ts
 * import { createFiles, createStage } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const storage = memoryStorage();
 * const stage = createStage(storage);
 * await createFiles(stage.driver).write('/draft.md', 'not yet');
 * console.log(await createFiles(storage).stat('/draft.md')); // undefined
 * await stage.commit(Date.now());
 * console.log((await createFiles(storage).readText('/draft.md')).text); // not yet
 * ```
 */
export function createStage(base: StorageDriver, { expects = () => true }: StageOptions = {}): Stage {
  /** By {@link nameOfKey}; null for what was taken away. */
  const nodes = new Map<string, Node | null>();
  /** The path that has a name, whatever its case; null where it was taken away. */
  const spellings = new Map<string, string | null>();
  const found = createLookups(base);
  /** Names that were expected to be free before anything about them was staged. */
  const firm = new Set<string>();
  /** Spellings of what the storage has and the stage has taken away: nobody else can have made them. */
  const freed = new Map<string, true>();
  const changes: Change[] = [];
  /** Where in `changes` the last content of a file is, as long as nothing was moved or removed after it. */
  const writes = new Map<string, number>();
  const undo = createUndo();
  let count = 0;

  const driver: StorageDriver = {
    stat: async (keys) => (await findAll(keys)).map((node) => node?.entry),
    list,
    async read(key, range) {
      const node = await find(key);
      if (node?.entry.kind !== 'file') return undefined;
      if (node.content !== undefined) return { entry: node.entry, content: slice(node.content, range) };
      const found = await base.read(node.origin ?? key, range);
      return found?.entry.etag === node.entry.etag ? { entry: node.entry, content: found.content } : undefined;
    },
    async commit({ expect, changes: given, time }) {
      const [expected, asked] = [[...expect], given.map(copyOf)];
      await findAll(expected);
      for (const expectation of expected) {
        const obstacle = await unmet(expectation);
        if (obstacle !== undefined) return obstacle;
      }
      undo.forget();
      const written: EntryKey[] = [];
      for (const change of asked) {
        const obstacle = await stage(change, time);
        if (obstacle !== undefined) {
          undo.run();
          return { ok: false, conflict: obstacle, entry: (await find(obstacle))?.entry };
        }
        if (change.type !== 'remove') written.push(change.type === 'move' ? change.to : change);
      }
      const entries = (await findAll(written)).map((node) => node?.entry);
      return { ok: true, entries: entries.filter((entry) => entry !== undefined) };
    },
    watch: (listener) => base.watch(listener),
    close: async () => {},
  };

  return {
    driver,
    isEmpty: () => changes.length === 0,
    commit: (time) => base.commit({ expect: expectations(), changes, time }),
  };

  function expectations(): readonly Expectation[] {
    return found
      .all()
      .flatMap(({ key, entry }) =>
        isCertain(key, entry) || !expects(key) ? [] : [{ ...key, etag: entry?.etag ?? null }],
      );
  }

  /** A directory that has gone is in the way by itself, and where a file has gone its spellings are free. */
  function isCertain(key: EntryKey, entry: Entry | undefined): boolean {
    if (entry !== undefined) return entry.kind === 'directory';
    return freed.has(spellingOf(key)) && !firm.has(nameOfKey(key));
  }

  async function find(key: EntryKey): Promise<Node | undefined> {
    return (await findAll([key]))[0];
  }

  async function findAll(keys: readonly EntryKey[]): Promise<readonly (Node | undefined)[]> {
    const staged = keys.map(findStaged);
    await found.ask(keys.filter((_, index) => staged[index] === undefined));
    return keys.map((key, index) => {
      const node = staged[index];
      if (node !== undefined) return node ?? undefined;
      const entry = found.entryAt(key);
      return entry && { entry };
    });
  }

  /** Null for what is not there; undefined for what the storage has to say. */
  function findStaged(key: EntryKey): Node | null | undefined {
    const own = nodes.get(nameOfKey(key));
    if (own !== undefined || nodes.size === 0) return own;
    for (let { path } = key; path !== '/';) {
      path = parentOf(path);
      const above = nodes.get(nameOfKey({ tree: key.tree, path }));
      if (above === null || above?.isClosed === true) return null;
    }
    return undefined;
  }

  async function list(query: ListQuery): Promise<readonly ListedEntry[]> {
    const { tree, path, depth, after, limit } = query;
    const entries: ListedEntry[] = [];
    for (const node of nodes.values()) {
      if (node !== null && isListed(query, node.entry)) entries.push(listed(node.entry));
    }
    let fromBase = 0;
    const page = after === undefined ? { depth } : { depth, after };
    for await (const entry of entriesBelow(base, { tree, path }, page)) {
      if (findStaged(entry) !== undefined) continue;
      entries.push(entry);
      if (++fromBase >= limit) break;
    }
    return entries.sort((left, right) => comparePaths(left.path, right.path)).slice(0, limit);
  }

  async function unmet({ tree, path, etag }: Expectation): Promise<CommitResult | undefined> {
    const key = { tree, path };
    const entry = (await find(key))?.entry;
    if ((entry?.etag ?? null) !== etag) return { ok: false, conflict: key, entry };
    const twin = etag === null ? spellings.get(spellingOf(key)) : undefined;
    if (twin === undefined && etag === null) firm.add(nameOfKey(key));
    if (typeof twin !== 'string') return undefined;
    return { ok: false, conflict: key, entry: (await find({ tree, path: twin }))?.entry };
  }

  /** Stages a change; gives the key of what stands in its way. */
  async function stage(change: Change, time: number): Promise<EntryKey | undefined> {
    const { tree, path } = change;
    const key = { tree, path };
    if (path === '/') return key;
    const before = await find(key);
    switch (change.type) {
      case 'write':
        return write(change, before, time);
      case 'make-directory':
        if (before !== undefined || !(await hasParent(key))) return key;
        put({ entry: { ...key, kind: 'directory', size: 0, modifiedAt: time, etag: directoryEtag }, isClosed: true });
        return record(change);
      case 'remove':
        return remove(change, before);
      case 'move':
        return move(change, before);
    }
  }

  async function write(
    change: Change & { readonly type: 'write' },
    before: Node | undefined,
    time: number,
  ): Promise<EntryKey | undefined> {
    const { tree, path, content } = change;
    if (before?.entry.kind === 'directory' || !(await hasParent(change))) return { tree, path };
    const etag = `staged-${++count}`;
    put({ entry: { tree, path, kind: 'file', size: content.length, modifiedAt: time, etag }, content });
    return record(change);
  }

  async function remove(
    change: Change & { readonly type: 'remove' },
    before: Node | undefined,
  ): Promise<EntryKey | undefined> {
    const { tree, path, recursive = false } = change;
    const below = before && (await keysBelow(change));
    if (below === undefined || (below.length > 0 && !recursive)) return { tree, path };
    for (const key of [...below, { tree, path }]) take(key);
    return record(change);
  }

  async function move(
    change: Change & { readonly type: 'move' },
    before: Node | undefined,
  ): Promise<EntryKey | undefined> {
    const { tree, path, to } = change;
    if (before === undefined) return { tree, path };
    const isIntoItself = to.tree === tree && isWithin(path, to.path);
    if (isIntoItself || (await find(to)) !== undefined || !(await hasParent(to))) return to;
    const moved = [{ ...before, origin: before.origin ?? { tree, path } }, ...(await nodesBelow(change))];
    for (const node of moved) take(node.entry);
    for (const node of moved) {
      const target = { tree: to.tree, path: to.path + node.entry.path.slice(path.length) };
      put({ ...node, entry: { ...node.entry, ...target }, isClosed: true });
    }
    return record(change);
  }

  async function hasParent({ tree, path }: EntryKey): Promise<boolean> {
    return (await find({ tree, path: parentOf(path) }))?.entry.kind === 'directory';
  }

  async function keysBelow(key: EntryKey): Promise<readonly EntryKey[]> {
    const keys: EntryKey[] = [];
    for await (const { tree, path } of entriesBelow(driver, key)) keys.push({ tree, path });
    return keys;
  }

  async function nodesBelow(key: EntryKey): Promise<readonly Node[]> {
    const nodesFound = await findAll(await keysBelow(key));
    return nodesFound
      .filter((node) => node !== undefined)
      .map((node) => ({ ...node, origin: node.origin ?? { tree: node.entry.tree, path: node.entry.path } }));
  }

  function put(node: Node): void {
    undo.set(nodes, nameOfKey(node.entry), node);
    undo.set(spellings, spellingOf(node.entry), node.entry.path);
  }

  function take(key: EntryKey): void {
    if (!nodes.has(nameOfKey(key))) undo.set(freed, spellingOf(key), true);
    undo.set(nodes, nameOfKey(key), null);
    undo.set(spellings, spellingOf(key), null);
  }

  function record(change: Change): undefined {
    const earlier = change.type === 'write' ? writes.get(nameOfKey(change)) : undefined;
    const before = earlier === undefined ? undefined : changes[earlier];
    if (earlier !== undefined && before !== undefined) {
      changes[earlier] = change;
      undo.add(() => (changes[earlier] = before));
      return;
    }
    if (change.type === 'remove' || change.type === 'move') writes.clear();
    const index = changes.push(change) - 1;
    if (change.type === 'write') writes.set(nameOfKey(change), index);
    undo.add(() => {
      changes.pop();
      writes.clear();
    });
  }
}

/** A change that no longer depends on what its caller does with an array. */
function copyOf(change: Change): Change {
  return change.type === 'write' ? { ...change, content: new Uint8Array(change.content) } : change;
}

/** Takes back what was done since it last forgot. */
function createUndo() {
  let steps: (() => void)[] = [];
  const add = (step: () => void): void => void steps.push(step);
  return {
    add,
    set<Value>(map: Map<string, Value>, key: string, value: Value): void {
      const before = map.get(key);
      add(() => (before === undefined ? map.delete(key) : map.set(key, before)));
      map.set(key, value);
    },
    forget: () => void (steps = []),
    run(): void {
      for (const step of steps.toReversed()) step();
    },
  };
}

/** What a storage says of keys, each asked for once. */
function createLookups(base: StorageDriver) {
  const seen = new Map<string, { readonly key: EntryKey; readonly entry: Entry | undefined }>();
  return {
    async ask(keys: readonly EntryKey[]): Promise<void> {
      const asked = keys.filter((key) => !seen.has(nameOfKey(key)));
      const found = asked.length === 0 ? [] : await base.stat(asked);
      for (const [index, { tree, path }] of asked.entries()) {
        seen.set(nameOfKey({ tree, path }), { key: { tree, path }, entry: found[index] });
      }
    },
    entryAt: (key: EntryKey) => seen.get(nameOfKey(key))?.entry,
    all: () => [...seen.values()],
  };
}

/** Whether an entry belongs to a listing. */
function isListed({ tree, path, depth, after }: ListQuery, entry: Entry): boolean {
  const isBelow = entry.tree === tree && entry.path !== path && isWithin(path, entry.path);
  const isReached = isBelow && levelOf(entry.path) - levelOf(path) <= depth;
  return isReached && (after === undefined || comparePaths(entry.path, after) > 0);
}

function nameOfKey({ tree, path }: EntryKey): string {
  return `${tree}:${path}`;
}

function spellingOf({ tree, path }: EntryKey): string {
  return `${tree}:${parentOf(path)}:${foldCase(path.slice(path.lastIndexOf('/')))}`;
}

function levelOf(path: string): number {
  return path === '/' ? 0 : path.split('/').length - 1;
}

function listed({ tree, path, kind, size, modifiedAt }: Entry): ListedEntry {
  return { tree, path, kind, size, modifiedAt };
}

function slice(content: Uint8Array, range?: { readonly start: number; readonly end: number }): Uint8Array {
  return content.slice(range?.start, range?.end);
}
