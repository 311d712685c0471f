import { ancestorsOf, changedKeys, createStage, entriesBelow, fileError } from '@utensil/core';
import type {
  Change,
  Commit,
  CommitResult,
  Entry,
  EntryKey,
  ListedEntry,
  ListQuery,
  StorageDriver,
} from '@utensil/core';
import { encodeAuthor, toAuthor } from './author.ts';
import type { Author } from './author.ts';
import { createHistory } from './history.ts';
import type { History } from './history.ts';
import { createIds, isHidden, record, versionsOf } from './layout.ts';
import { createRecorder } from './recorder.ts';
import { thinOut } from './retention.ts';
import type { Retention } from './retention.ts';
import type { Shared } from './shared.ts';

/** What {@link versionedStorage} may be told. */
export interface VersionedStorageOptions {
  /** Who makes the changes of this storage. */
  readonly author?: Author;
  /** What is kept, and for how long: by default 50 versions of a file, and 30 days. */
  readonly retention?: Retention;
  /** The clock of what `history` does, in milliseconds since 1970. */
  readonly now?: () => number;
}

/** A storage that keeps what is changed and removed. */
export interface VersionedStorage extends StorageDriver {
  /** The versions of files, the trash, and what turns did. */
  readonly history: History;
  /** The same storage for the changes of somebody else. Throws `ENAMETOOLONG` for a long actor or turn. */
  as(author: Author): VersionedStorage;
}

/**
 * Keeps, in the same storage and the same commit, what each change of a file replaces and what is removed. That is
 * moved, not copied, so it costs next to nothing.
 *
 * @example
 * ```ts
 * import { createFiles } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 * import { versionedStorage } from '@utensil/storage-versioned';
 *
 * const storage = versionedStorage(memoryStorage());
 * const files = createFiles(storage.as({ actor: 'assistant', turn: 'turn-1' }));
 * await files.write('/todo.md', 'buy milk');
 * await files.write('/todo.md', 'buy bread');
 *
 * const [first] = await storage.history.versions('/todo.md');
 * console.log(first?.author?.actor); // assistant
 * await storage.history.undo('turn-1');
 * console.log(await files.stat('/todo.md')); // undefined
 * ```
 */
export function versionedStorage(driver: StorageDriver, options: VersionedStorageOptions = {}): VersionedStorage {
  const { author = {}, retention = {}, now = Date.now } = options;
  return versioned({ driver, retention, now, newId: createIds() }, author);
}

/** A storage for the changes of one author. */
function versioned(shared: Shared, given: Author): VersionedStorage {
  encodeAuthor(given);
  const author = toAuthor(given);
  const { driver } = shared;
  return {
    async stat(keys) {
      const found = await driver.stat(keys);
      return found.map((entry) => (entry !== undefined && isHidden(entry) ? undefined : entry));
    },
    list: (query) => listVisible(driver, query),
    read: async (key, range) => (isHidden(key) ? undefined : driver.read(key, range)),
    commit: (commit) => commitVersioned(shared, author, commit),
    watch: (listener) =>
      driver.watch((keys) => {
        const visible = keys.filter((key) => !isHidden(key));
        if (visible.length > 0) listener(visible);
      }),
    close: () => driver.close(),
    history: createHistory({
      ...shared,
      over: (other, newId = shared.newId) => versioned({ ...shared, driver: other, newId }, author),
    }),
    as: (other) => versioned(shared, other),
  };
}

async function listVisible(driver: StorageDriver, query: ListQuery): Promise<readonly ListedEntry[]> {
  if (query.tree === 'files') return driver.list(query);
  if (isHidden(query)) return [];
  const entries: ListedEntry[] = [];
  const { depth, after, limit } = query;
  for await (const entry of entriesBelow(driver, query, after === undefined ? { depth } : { depth, after })) {
    if (isHidden(entry)) continue;
    entries.push(entry);
    if (entries.length >= limit) break;
  }
  return entries;
}

/** Others may make the same directory at the same time; more often than this in a row they do not. */
const maxAttempts = 10;

async function commitVersioned(shared: Shared, author: Author, commit: Commit): Promise<CommitResult> {
  for (const key of [...changedKeys(commit.changes), ...commit.expect]) refuseHidden(key);
  if (commit.changes.every(({ tree }) => tree === 'records')) return shared.driver.commit(commit);
  const given = { ...commit, expect: [...commit.expect], changes: [...commit.changes] };
  for (let attempt = 1; ; attempt++) {
    const stage = createStage(shared.driver, { expects: (key) => !isHidden(key), copies: false });
    const obstacle = await stageAll(stage.driver, { ...shared, author }, given);
    const result = obstacle ?? (await stage.commit(commit.time));
    if (result.ok) return { ok: true, entries: entriesOf(given.changes, result.entries) };
    const isTwin = result.entry !== undefined && result.entry.path !== result.conflict.path;
    const isFinal = isTwin || (obstacle !== undefined && !isHidden(result.conflict));
    if (isFinal || attempt === maxAttempts) return result;
  }
}

function refuseHidden(key: EntryKey): void {
  if (isHidden(key)) throw fileError('EACCES', key.path, { hint: 'Old versions are reached by way of the history.' });
}

interface Signed extends Shared {
  readonly author: Author;
}

/** Stages a commit with all that is to be kept of it; gives what stands in its way. */
async function stageAll(driver: StorageDriver, { author, retention, newId }: Signed, commit: Commit) {
  const { expect, changes, time, durable = false } = commit;
  const recorder = createRecorder({ driver, author, time, newId, replaced: new Set(changes.flatMap(targetOf)) });
  await driver.stat([...expect, ...changes.flatMap(keysFor)]);
  const met = await driver.commit({ expect, changes: [], time, durable });
  if (!met.ok) return met;
  for (const change of changes) {
    const expanded = await recorder.expand(change);
    const result = await driver.commit({ expect: [], changes: expanded, time });
    if (!result.ok) return result;
    const isTurn = change.tree === 'files' && change.type === 'write' && Math.floor(time) % thinningPeriod === 0;
    if (!isTurn) continue;
    const surplus = await thinOut(driver, change.path, { retention, now: time });
    await driver.commit({ expect: [], changes: surplus, time });
  }
  const closing = await recorder.close();
  if (closing.length > 0) await driver.commit({ expect: [], changes: closing, time });
  return undefined;
}

/** Where a change moves a file to. */
function targetOf(change: Change): readonly string[] {
  return change.type === 'move' && change.to.tree === 'files' ? [change.to.path] : [];
}

/** One of so many changes, as the clock will have it, looks for versions to drop. */
const thinningPeriod = 16;

/** What will be looked up for a change, to be asked for at once. */
function keysFor(change: Change): readonly EntryKey[] {
  const keys = changedKeys([change]);
  const versions = keys.filter(({ tree }) => tree === 'files').map(({ path }) => record(versionsOf(path)));
  return [...keys, ...versions.flatMap((key) => [...ancestorsOf(key.path).map(record), key])];
}

/** What the changes of a commit wrote, made or moved, without what was kept. */
function entriesOf(changes: readonly Change[], entries: readonly Entry[]): readonly Entry[] {
  const written = changes.filter(({ type }) => type !== 'remove');
  const last = new Map(entries.map((entry) => [`${entry.tree}:${entry.path}`, entry]));
  return written.flatMap((change) => {
    const { tree, path } = change.type === 'move' ? change.to : change;
    return last.get(`${tree}:${path}`) ?? [];
  });
}
