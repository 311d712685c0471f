import { fileError } from '@utensil/core/files';
import { changedKeys, entriesBelow, hideRecords } from '@utensil/core/storage';
import type {
  StorageCommit,
  StorageCommitResult,
  EntryKey,
  ListedEntry,
  ListQuery,
  StorageDriver,
} from '@utensil/core/storage';
import { encodeAuthor, toAuthor } from './author.ts';
import type { Author } from './author.ts';
import { commitWithHistory } from './commit.ts';
import type { Signed } from './commit.ts';
import { createHistory } from './history.ts';
import type { History } from './history.ts';
import { createIds } from './ids.ts';
import { isHidden } from './layout.ts';
import { createBoundedMap } from './bounded-map.ts';
import { createReclaim } from './reclaim.ts';
import { commitInFull } from './removal.ts';
import type { Retention } from './retention.ts';
import { isFull } from './room.ts';
import type { Shared } from './shared.ts';
import { createVersionCounts } from './version-counts.ts';

/** Options of {@link versionedStorage}. */
export interface VersionedStorageOptions {
  /** Author of the changes made through this storage. */
  readonly author?: Author;
  /** Limits for versions and trash. Default: 50 versions of a file, and 30 days. */
  readonly retention?: Retention;
  /** Clock for `history`, in milliseconds since 1970. */
  readonly now?: () => number;
}

/** A storage with a history of changes and removals. */
export interface VersionedStorage extends StorageDriver {
  /** Versions of files, the trash, and undo of turns. */
  readonly history: History;
  /** The same storage for changes by another author. Throws `ENAMETOOLONG` for a long actor or turn. */
  as(author: Author): VersionedStorage;
}

/**
 * Creates a storage that keeps every replaced and removed content, in the same storage and in the same commit. Contents
 * are moved, not copied, so the overhead is small.
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
  const basis = { driver: hideRecords(driver, isHidden), retention, now };
  return versioned({ ...basis, newId: createIds(), reclaim: createReclaim(basis), ...newMemory() }, author);
}

/** State that a storage remembers of its own commits; a stage has its own. */
function newMemory(): Pick<Shared, 'counts' | 'lastNotes'> {
  return { counts: createVersionCounts(), lastNotes: createBoundedMap() };
}

/** Creates a storage for the changes of one author. */
function versioned(shared: Shared, given: Author): VersionedStorage {
  encodeAuthor(given);
  const author = toAuthor(given);
  const { driver } = shared;
  return {
    keepsVersions: true,
    async stat(keys) {
      const found = await driver.stat(keys);
      return found.map((entry) => (entry !== undefined && isHidden(entry) ? undefined : entry));
    },
    list: (query) => listVisible(driver, query),
    read: async (key, range) => (isHidden(key) ? undefined : driver.read(key, range)),
    commit: (commit) => commitVersioned({ ...shared, author }, commit),
    watch: (listener, options) =>
      driver.watch((keys) => {
        const visible = keys.filter((key) => !isHidden(key));
        if (visible.length > 0) listener(visible);
      }, options),
    close: () => driver.close(),
    history: createHistory({
      ...shared,
      over: (other, newId = shared.newId) => versioned({ ...shared, ...newMemory(), driver: other, newId }, author),
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

async function commitVersioned(signed: Signed, commit: StorageCommit): Promise<StorageCommitResult> {
  for (const key of [...changedKeys(commit.changes), ...commit.expect]) refuseHidden(key);
  if (commit.changes.every(({ tree }) => tree === 'records')) return signed.driver.commit(commit);
  const given = { ...commit, expect: [...commit.expect], changes: [...commit.changes] };
  try {
    return await commitWithHistory(signed, given);
  } catch (error) {
    if (isFull(error)) return commitInFull(signed, given, error);
    throw error;
  }
}

function refuseHidden(key: EntryKey): void {
  if (isHidden(key))
    throw fileError('EACCES', key.path, { hint: 'Old versions are accessible only through the history.' });
}
