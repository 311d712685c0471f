import * as promises from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileError } from '@utensil/core';
import type { Entry, EntryKey, StorageDriver } from '@utensil/core';
import { commitChanges } from './commit.ts';
import { createVersions, readContent } from './content.ts';
import { hostPath } from './disk.ts';
import type { Disk, FileSystem } from './disk.ts';
import { find, lookUp } from './find.ts';
import { makeHome } from './home.ts';
import { isActive, readState, recover, sweep } from './journal.ts';
import { listBelow } from './listing.ts';
import { createLock } from './lock.ts';
import type { Lock } from './lock.ts';
import { refusal, untouchable } from './refusal.ts';

/** What {@link filesystemStorage} may be told. */
export interface FilesystemStorageOptions {
  /**
   * What an acknowledged change survives. `process` (default): the end of this process, at any moment. `power`: the
   * loss of power too, at the cost of waiting for the disk.
   */
  readonly durability?: 'process' | 'power';
  /** How long a change waits for another program's before it fails with `EBUSY`; default 10,000. */
  readonly lockTimeoutMs?: number;
  /** Instead of `node:fs/promises`. */
  readonly fs?: FileSystem;
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
  const { durability = 'process', lockTimeoutMs = 10_000, fs = promises } = options;
  const disk = createDisk(fs, { root: resolve(root), syncs: durability === 'power' });
  const lock = createLock(disk, lockTimeoutMs);
  let home: Promise<void> | undefined;
  let isClosed = false;

  /** Does some work on an open storage; what the disk throws is about this path. */
  async function on<Result>({ path }: { readonly path: string }, work: () => Promise<Result>): Promise<Result> {
    if (isClosed) throw fileError('EBADF', path, { hint: 'Open it again.' });
    try {
      return await work();
    } catch (error) {
      throw refusal(error, path);
    }
  }

  return {
    stat: (keys) =>
      on(keys[0] ?? top, () => settled(disk, lock, () => Promise.all(keys.map((key) => lookUp(disk, key))))),
    list: (query) => on(query, () => settled(disk, lock, () => listBelow(disk, query))),
    read: (key, range) => on(key, () => settled(disk, lock, () => readFile(disk, key, range))),
    commit: (commit) =>
      on(commit.changes[0] ?? top, async () => {
        home ??= prepare(disk, lock);
        try {
          await home;
          return await commitChanges(disk, lock, commit);
        } catch (error) {
          home = undefined; // somebody may have removed it
          throw error;
        }
      }),
    async close() {
      isClosed = true;
    },
  };
}

const top = { path: '/' };

function createDisk(fs: FileSystem, { root, syncs }: { readonly root: string; readonly syncs: boolean }): Disk {
  let real: string | undefined;
  const realRoot = async (): Promise<string> => (real ??= await fs.realpath(root));
  return { fs, root, syncs, realRoot, versions: createVersions(fs) };
}

async function prepare(disk: Disk, lock: Lock): Promise<void> {
  await makeHome(disk);
  await lock(async () => {
    await recover(disk);
    await sweep(disk);
  });
}

const maxLooks = 5;

/** Reads between two commits: what was read while one of several steps came by is read again. */
async function settled<Result>(disk: Disk, lock: Lock, read: () => Promise<Result>): Promise<Result> {
  for (let look = 0; look < maxLooks; look++) {
    const before = await readState(disk);
    if (isActive(before)) break;
    const result = await read();
    if ((await readState(disk)) === before) return result;
  }
  return lock(async () => {
    await recover(disk);
    return read();
  });
}

async function readFile(disk: Disk, key: EntryKey, range: Parameters<StorageDriver['read']>[1]) {
  const { kind } = await find(disk, key);
  if (kind === 'untouchable') throw untouchable(key.path);
  if (kind !== 'file') return undefined;
  const found = await readContent(disk.fs, hostPath(disk.root, key), range);
  if (found === 'unreadable')
    throw fileError('EACCES', key.path, { hint: 'The user of this program may not read it.' });
  if (found === undefined) return undefined;
  const { tree, path } = key;
  return { entry: { tree, path, kind: 'file', ...found.version } satisfies Entry, content: found.content };
}
