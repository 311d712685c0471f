// A project, a batch with every kind of change, and a process that ends in the middle of it.

import { readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createFiles } from '@utensil/core';
import type { ProjectFiles } from '@utensil/core';
import type { StorageDriver } from '@utensil/core/storage';
import type { FileSystem } from '@utensil/storage-filesystem';
import { dyingDisk } from './dying-disk.ts';

/** Writes the initial files. */
export async function prepare(files: ProjectFiles): Promise<void> {
  await files.write('/kept.md', 'the first text of kept');
  await files.write('/removed.md', 'the text of removed');
  await files.write('/moved.md', 'the text of moved');
  await files.write('/d/inside.md', 'the text inside d');
  await files.write('/full/deep/leaf.md', 'the text of leaf');
}

/** A batch with every kind of change. */
async function change(files: ProjectFiles): Promise<void> {
  await files.batch(async (all) => {
    await all.write('/kept.md', 'the second text of kept');
    await all.remove('/removed.md');
    await all.write('/made/new.md', 'a new text');
    await all.move('/d', '/made/d');
    await all.write('/made/d/inside.md', 'another text inside d');
    await all.move('/moved.md', '/kept.md', { overwrite: true });
    await all.remove('/full', { recursive: true });
    await all.write('/full', 'a file now');
  });
}

/**
 * Ends the process before a given change of the disk. Its lock is that of a dead process. Returns the number of changes
 * made.
 */
export async function crashAt(root: string, open: (fs: FileSystem) => StorageDriver, end: number): Promise<number> {
  const { disk, changes } = dyingDisk(end);
  await change(createFiles(open(disk))).catch(() => {});
  for (const note of await readdir(join(root, '.utensil/lock'))) await unlink(join(root, '.utensil/lock', note));
  return changes();
}

/** The same pseudo-random numbers from 0 to 1 each time. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
