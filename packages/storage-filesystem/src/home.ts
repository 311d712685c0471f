import { constants } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { fileError } from '@utensil/core/files';
import type { Disk } from './disk.ts';
import { leaveNote } from './note.ts';
import { codeOf, unless } from './refusal.ts';
import { straightPath } from './stats.ts';

/** Makes the root and the storage's own folder in it, where they are missing. Nobody else can look into that. */
export async function makeHome(disk: Disk): Promise<void> {
  const { home, lock, state, staging, ignore, records } = disk.places;
  disk.kept.hasHome = false;
  disk.kept.directories.clear();
  disk.kept.outermost = (await makeRoot(disk)) ?? disk.kept.outermost;
  await unless(() => disk.fs.mkdir(home, { mode: 0o700 }), 'EEXIST');
  await refuseLink(disk, home);
  for (const folder of [lock, staging, records]) {
    await unless(() => disk.fs.mkdir(folder, { mode: 0o700 }), 'EEXIST');
    await refuseLink(disk, folder);
  }
  await unless(() => disk.fs.writeFile(ignore, '*\n', { flag: 'wx' }), 'EEXIST');
  await leaveNote(disk.fs, state, 'idle');
  if (disk.syncs) await keepHome(disk);
}

/** Throws `EACCES` if a folder of the storage's own is a link: what it writes there would land elsewhere. */
export async function refuseLink(disk: Disk, folder: string): Promise<void> {
  if ((await disk.fs.realpath(folder)) === (await straightPath(disk, folder))) return;
  const name = relative(disk.root, folder).replaceAll(sep, '/');
  throw fileError('EACCES', '/', { hint: `The folder ${name} in the root is a link: put a real folder in its place.` });
}

/** Waits until the disk keeps the storage's own folder, and what was made for the root. */
export async function keepHome(disk: Disk): Promise<void> {
  const { outermost = disk.root } = disk.kept;
  await syncPath(disk, disk.places.home);
  for (let directory = disk.root; ; directory = dirname(directory)) {
    await syncPath(disk, directory);
    if (directory.length < outermost.length || directory === dirname(directory)) break;
  }
  disk.kept.hasHome = true;
}

/** Makes the root; gives the outermost directory that was made for it. */
async function makeRoot({ fs, root }: Disk): Promise<string | undefined> {
  try {
    return await fs.mkdir(root, { recursive: true });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' && codeOf(error) !== 'ENOTDIR') throw error;
    throw fileError('ENOTDIR', '/', { hint: 'The root of this storage is a file.' });
  }
}

/** A pipe that another program has put in the place of a directory is not waited for. */
const withoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

const noDirectory = ['EISDIR', 'EPERM', 'EACCES', 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'] as const;

/**
 * Asks the disk to keep a file, or the names in a directory, even without power, unless it is gone. Windows cannot for
 * directories, and does so anyway.
 */
export async function syncPath({ fs }: Pick<Disk, 'fs'>, host: string): Promise<void> {
  const opened = await unless(() => fs.open(host, withoutWaiting), ...noDirectory);
  try {
    await unless(async () => opened?.sync(), 'EINVAL', 'EPERM');
  } finally {
    await opened?.close();
  }
}
