import { dirname, join } from 'node:path';
import { fileError, reservedName } from '@utensil/core';
import type { Disk } from './disk.ts';
import { leaveNote } from './note.ts';
import { codeOf, unless } from './refusal.ts';

/** Makes the root and the storage's own folder in it, where they are missing. Nobody else can look into that. */
export async function makeHome(disk: Disk): Promise<void> {
  const { home, lock, state, staging, ignore, records } = disk.places;
  disk.kept.hasHome = false;
  disk.kept.directories.clear();
  disk.kept.outermost = (await makeRoot(disk)) ?? disk.kept.outermost;
  await unless(() => disk.fs.mkdir(home, { mode: 0o700 }), 'EEXIST');
  if ((await disk.fs.realpath(home)) !== join(await disk.realRoot(), reservedName)) {
    throw fileError('EACCES', '/', {
      hint: `The folder ${reservedName} in the root is a link: put a real folder in its place.`,
    });
  }
  for (const folder of [lock, staging, records]) {
    await unless(() => disk.fs.mkdir(folder, { mode: 0o700 }), 'EEXIST');
  }
  await unless(() => disk.fs.writeFile(ignore, '*\n', { flag: 'wx' }), 'EEXIST');
  await leaveNote(disk.fs, state, 'idle');
  if (disk.syncs) await keepHome(disk);
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

/**
 * Asks the disk to keep a file, or the names in a directory, even without power, unless it is gone. Windows cannot for
 * directories, and does so anyway.
 */
export async function syncPath({ fs }: Pick<Disk, 'fs'>, host: string): Promise<void> {
  const opened = await unless(() => fs.open(host, 'r'), 'EISDIR', 'EPERM', 'EACCES', 'ENOENT', 'ENOTDIR');
  try {
    await unless(async () => opened?.sync(), 'EINVAL', 'EPERM');
  } finally {
    await opened?.close();
  }
}
