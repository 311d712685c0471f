import { constants } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { fileError } from '@utensil/core/files';
import type { Disk } from './disk.ts';
import { leaveNote } from './note.ts';
import { codeOf, unless } from './refusal.ts';
import { straightPath } from './stats.ts';

/** Creates the root and the storage's own folder, readable only by this user. */
export async function makeHome(disk: Disk): Promise<void> {
  const { home, lock, state, staging, ignore, records } = disk.places;
  disk.durableState.hasHome = false;
  disk.durableState.directories.clear();
  disk.durableState.outermost = (await makeRoot(disk)) ?? disk.durableState.outermost;
  await unless(() => disk.fs.mkdir(home, { mode: 0o700 }), 'EEXIST');
  await refuseLink(disk, home);
  for (const folder of [lock, staging, records]) {
    await unless(() => disk.fs.mkdir(folder, { mode: 0o700 }), 'EEXIST');
    await refuseLink(disk, folder);
  }
  await unless(() => disk.fs.writeFile(ignore, '*\n', { flag: 'wx' }), 'EEXIST');
  await leaveNote(disk.fs, state, 'idle');
  if (disk.syncs) await syncHome(disk);
}

/** Throws `EACCES` if one of the storage's own folders is a link, because writes would go elsewhere. */
export async function refuseLink(disk: Disk, folder: string): Promise<void> {
  if ((await disk.fs.realpath(folder)) === (await straightPath(disk, folder))) return;
  const name = relative(disk.root, folder).replaceAll(sep, '/');
  throw fileError('EACCES', '/', { hint: `The folder ${name} in the root is a link: put a real folder in its place.` });
}

/** Syncs the storage's own folder and the directories created for the root. */
export async function syncHome(disk: Disk): Promise<void> {
  const { outermost = disk.root } = disk.durableState;
  await syncPath(disk, disk.places.home);
  for (let directory = disk.root; ; directory = dirname(directory)) {
    await syncPath(disk, directory);
    if (directory.length < outermost.length || directory === dirname(directory)) break;
  }
  disk.durableState.hasHome = true;
}

/** Creates the root. Returns the outermost directory created for it. */
async function makeRoot({ fs, root }: Disk): Promise<string | undefined> {
  try {
    return await fs.mkdir(root, { recursive: true });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' && codeOf(error) !== 'ENOTDIR') throw error;
    throw fileError('ENOTDIR', '/', { hint: 'The root of this storage is a file.' });
  }
}

/** Opening a pipe that replaced a directory must not block. */
const withoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

const noDirectory = ['EISDIR', 'EPERM', 'EACCES', 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'] as const;

/**
 * Syncs a file, or the names in a directory, unless it is gone. Windows cannot sync directories and does not need to.
 */
export async function syncPath({ fs }: Pick<Disk, 'fs'>, host: string): Promise<void> {
  const opened = await unless(() => fs.open(host, withoutWaiting), ...noDirectory);
  try {
    await unless(async () => opened?.sync(), 'EINVAL', 'EPERM');
  } finally {
    await opened?.close();
  }
}
