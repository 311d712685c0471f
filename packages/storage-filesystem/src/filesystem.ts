import { resolve } from 'node:path';
import { fileError } from '@utensil/core/files';
import type { UtensilError } from '@utensil/core';
import type { StorageEntry, EntryKey, StorageDriver } from '@utensil/core/storage';
import { commitChanges } from './commit.ts';
import { createDisk } from './create-disk.ts';
import { hostPath, isForbidden } from './host-path.ts';
import type { Disk } from './disk.ts';
import type { FileSystem } from './file-system.ts';
import { lookUpAll } from './entries.ts';
import { makeHome } from './home.ts';
import { isActive, readState } from './journal.ts';
import { recover, sweep } from './recover.ts';
import { listBelow } from './listing.ts';
import { localDisk } from './local.ts';
import { createLock } from './lock.ts';
import type { Lock } from './lock.ts';
import { withLookup } from './lookup.ts';
import { refusal, untouchable } from './refusal.ts';
import { createWatch } from './watch.ts';

/** Options of {@link filesystemStorage}. */
export interface FilesystemStorageOptions {
  /**
   * Durability of acknowledged changes. `process` (default): they survive a crash of this process. `power`: they also
   * survive power loss, at the cost of waiting for the disk.
   */
  readonly durability?: 'process' | 'power';
  /** Maximum wait for the lock of another program, in milliseconds, before `EBUSY`. Default: 10,000. */
  readonly lockTimeoutMs?: number;
  /**
   * File system. Default: the local disk, with short calls made synchronously. Pass `node:fs/promises` for slow disks
   * such as network drives, so that calls do not block the event loop.
   */
  readonly fs?: FileSystem;
  /**
   * Receives `recovery_incomplete` errors: an interrupted commit could not be undone completely, because another
   * program has changed its files since. The message says where the content was set aside.
   */
  readonly warn?: (problem: UtensilError) => void;
}

/**
 * Creates a storage in a directory whose files are ordinary files that people can see. The storage's own data is in the
 * folder `.utensil` of that directory, created on the first change. Several programs may use one directory.
 *
 * @example
 * ```ts no-run
 * import { createFiles } from '@utensil/core';
 * import { filesystemStorage } from '@utensil/storage-filesystem';
 *
 * const files = createFiles(filesystemStorage('./project'));
 * await files.write('/notes/todo.md', 'buy milk'); // ./project/notes/todo.md
 * ```
 */
export function filesystemStorage(root: string, options: FilesystemStorageOptions = {}): StorageDriver {
  const { durability = 'process', lockTimeoutMs = 10_000, fs = localDisk, warn } = options;
  const disk = createDisk(fs, { root: resolve(root), syncs: durability === 'power', ...(warn && { warn }) });
  const lock = createLock(disk, lockTimeoutMs);
  const [watch, recordWatch] = [createWatch(disk.root), createWatch(disk.root, 'records')];
  let home: Promise<void> | undefined;
  let isClosed = false;
  const underWay = new Set<Promise<unknown>>();

  /** Keeps a commit until it has ended, for `close` to wait for. */
  async function kept<Result>(commit: Promise<Result>): Promise<Result> {
    underWay.add(commit);
    try {
      return await commit;
    } finally {
      underWay.delete(commit);
    }
  }

  function refuseClosed(path: string): void {
    if (isClosed) throw fileError('EBADF', path, { hint: 'Open it again.' });
  }

  /** Runs an operation on an open storage; errors of the disk get this path. */
  async function on<Result>({ path }: { readonly path: string }, work: () => Promise<Result>): Promise<Result> {
    refuseClosed(path);
    try {
      return await work();
    } catch (error) {
      throw refusal(error, path);
    }
  }

  const tell = (changed: readonly EntryKey[]): void => [watch, recordWatch].forEach((each) => each.tell(changed));

  const reading = <Result>(key: { readonly path: string }, read: () => Promise<Result>): Promise<Result> =>
    on(key, async () => {
      await disk.pause();
      return settled(disk, lock, read);
    });

  const ready = (): Promise<void> => (home ??= prepare(disk, lock));

  return {
    stat: (keys) => reading(keys[0] ?? top, () => withLookup(disk, (lookup) => lookUpAll(disk, lookup, keys))),
    list: (query) => reading(query, () => listBelow(disk, query)),
    read: (key, range) => reading(key, () => readFile(disk, key, range)),
    commit: (commit) =>
      kept(
        on(commit.changes[0] ?? top, async () => {
          try {
            return await commitChanges({ disk, lock, ready, tell }, commit);
          } catch (error) {
            home = undefined; // another program may have removed it
            throw error;
          }
        }),
      ),
    watch(listener, { tree } = {}) {
      refuseClosed('/');
      return (tree === 'records' ? recordWatch : watch).subscribe(listener);
    },
    async close() {
      isClosed = true;
      watch.close();
      recordWatch.close();
      await Promise.allSettled(underWay);
    },
  };
}

const top = { path: '/' };

async function prepare(disk: Disk, lock: Lock): Promise<void> {
  await makeHome(disk);
  await lock(async (lease) => {
    await recover({ ...disk, lease });
    await sweep(disk);
  });
}

const maxLooks = 5;

/** Errors of a disk that is readable but not writable. */
const unwritable: readonly string[] = ['EROFS', 'EACCES', 'ENOSPC'];

/** Reads between two commits. Repeats a read during which a commit made progress. */
async function settled<Result>(disk: Disk, lock: Lock, read: () => Promise<Result>): Promise<Result> {
  for (let lookup = 0; lookup < maxLooks; lookup++) {
    const before = await readState(disk);
    if (isActive(before)) break;
    const result = await read();
    if ((await readState(disk)) === before) return result;
  }
  try {
    await makeHome(disk); // power loss may have removed part of it
    return await lock(async (lease) => {
      await recover({ ...disk, lease });
      return read();
    });
  } catch (error) {
    if (!unwritable.includes(refusal(error, '/').code)) throw error;
    return read(); // best effort: nobody can undo anything on this disk
  }
}

async function readFile(disk: Disk, key: EntryKey, range: Parameters<StorageDriver['read']>[1]) {
  const { tree, path } = key;
  const found = isForbidden(key) ? undefined : await disk.versions.read(hostPath(disk.root, key), range);
  if (found === 'unreadable')
    throw fileError('EACCES', path, { hint: 'The user of this program has no permission to read it.' });
  if (found !== undefined) {
    return { entry: { tree, path, kind: 'file', ...found.version } satisfies StorageEntry, content: found.content };
  }
  const { kind } = await withLookup(disk, (lookup) => lookup.find(key));
  if (kind === 'untouchable') throw untouchable(path);
  return undefined;
}
