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
import { looking } from './look.ts';
import { refusal, untouchable } from './refusal.ts';
import { createWatch } from './watch.ts';

/** What {@link filesystemStorage} may be told. */
export interface FilesystemStorageOptions {
  /**
   * What an acknowledged change survives. `process` (default): the end of this process, at any moment. `power`: the
   * loss of power too, at the cost of waiting for the disk.
   */
  readonly durability?: 'process' | 'power';
  /** How long a change waits for another program's before it fails with `EBUSY`; default 10,000. */
  readonly lockTimeoutMs?: number;
  /**
   * Instead of the disk of this machine, whose short calls are made at once. `node:fs/promises` is for a disk that
   * answers slowly, such as one in the network: then nothing else has to wait for it.
   */
  readonly fs?: FileSystem;
  /**
   * Told, with code `recovery_incomplete`, what could not be put back when a commit that was interrupted by a crash was
   * undone, because another program has changed its files since; and where it was put aside.
   */
  readonly warn?: (problem: UtensilError) => void;
}

/**
 * A storage in a directory: its files are the files that a person sees there. The storage's own data is in the folder
 * `.utensil` of that directory, which is made with the first change. Several programs may use one directory.
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

  function refuseClosed(path: string): void {
    if (isClosed) throw fileError('EBADF', path, { hint: 'Open it again.' });
  }

  /** Does some work on an open storage; what the disk throws is about this path. */
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
    stat: (keys) => reading(keys[0] ?? top, () => looking(disk, (look) => lookUpAll(disk, look, keys))),
    list: (query) => reading(query, () => listBelow(disk, query)),
    read: (key, range) => reading(key, () => readFile(disk, key, range)),
    commit: (commit) =>
      on(commit.changes[0] ?? top, async () => {
        try {
          return await commitChanges({ disk, lock, ready, tell }, commit);
        } catch (error) {
          home = undefined; // somebody may have removed it
          throw error;
        }
      }),
    watch(listener, { tree } = {}) {
      refuseClosed('/');
      return (tree === 'records' ? recordWatch : watch).subscribe(listener);
    },
    async close() {
      isClosed = true;
      watch.close();
      recordWatch.close();
    },
  };
}

const top = { path: '/' };

async function prepare(disk: Disk, lock: Lock): Promise<void> {
  await makeHome(disk);
  await lock(async (hold) => {
    await recover({ ...disk, hold });
    await sweep(disk);
  });
}

const maxLooks = 5;

/** Codes of a disk that can be read but not written. */
const unwritable: readonly string[] = ['EROFS', 'EACCES', 'ENOSPC'];

/** Reads between two commits: what was read while one of several steps came by is read again. */
async function settled<Result>(disk: Disk, lock: Lock, read: () => Promise<Result>): Promise<Result> {
  for (let look = 0; look < maxLooks; look++) {
    const before = await readState(disk);
    if (isActive(before)) break;
    const result = await read();
    if ((await readState(disk)) === before) return result;
  }
  try {
    await makeHome(disk); // a loss of power may have taken some of it
    return await lock(async (hold) => {
      await recover({ ...disk, hold });
      return read();
    });
  } catch (error) {
    if (!unwritable.includes(refusal(error, '/').code)) throw error;
    return read(); // as it is: nobody could undo anything here
  }
}

async function readFile(disk: Disk, key: EntryKey, range: Parameters<StorageDriver['read']>[1]) {
  const { tree, path } = key;
  const found = isForbidden(key) ? undefined : await disk.versions.read(hostPath(disk.root, key), range);
  if (found === 'unreadable') throw fileError('EACCES', path, { hint: 'The user of this program may not read it.' });
  if (found !== undefined) {
    return { entry: { tree, path, kind: 'file', ...found.version } satisfies StorageEntry, content: found.content };
  }
  const { kind } = await looking(disk, (look) => look.find(key));
  if (kind === 'untouchable') throw untouchable(path);
  return undefined;
}
