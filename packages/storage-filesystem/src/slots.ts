import { join } from 'node:path';
import type { Disk } from './disk.ts';
import { statsAt } from './find.ts';
import { syncPath } from './home.ts';
import { unless } from './refusal.ts';

/** The two places beside the trees that a step may use. */
export interface Slots {
  /** What comes into a tree: the content of a write, the directory to be made. Gone once the step is done. */
  readonly incoming: string;
  /** What was in a tree before. */
  readonly outgoing: string;
  /** A second name for that, on its way back. */
  readonly again: string;
}

/** The slots of a step of a commit. */
export function slotsOf(disk: Disk, id: string, index: number): Slots {
  const slot = join(disk.places.staging, `${id}.${index}`);
  return { incoming: `${slot}.in`, outgoing: `${slot}.out`, again: `${slot}.again` };
}

/** Keeps a file under a second name where the disk has such, else a copy of it. */
export async function keep(disk: Disk, host: string, under: string): Promise<void> {
  if (await linkTo(disk, host, under)) return;
  await disk.fs.copyFile(host, under);
  if (disk.syncs) await syncPath(disk, under);
}

/** Gives a file a second name; false where that cannot be. */
export async function linkTo({ fs }: Pick<Disk, 'fs'>, host: string, name: string): Promise<boolean> {
  const link = async (): Promise<boolean> => {
    await fs.link(host, name);
    return true;
  };
  return (await unless(link, 'EPERM', 'EACCES', 'EXDEV', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK')) === true;
}

/** Empties the slots of a step. */
export async function clear(disk: Disk, { incoming, outgoing, again }: Slots): Promise<void> {
  for (const slot of [incoming, outgoing, again]) await discard(disk, slot);
}

/** Removes what is there, with all that is in it; what cannot be removed now is swept away later. */
export async function discard(disk: Disk, host: string): Promise<void> {
  try {
    await removeAll(disk, host);
  } catch {
    // It is out of sight: no reason to fail.
  }
}

async function removeAll(disk: Disk, host: string): Promise<void> {
  const { fs } = disk;
  const stats = await statsAt(disk, host);
  if (stats === undefined) return;
  if (!stats.isDirectory()) {
    await unless(() => fs.unlink(host), 'ENOENT');
    return;
  }
  const children = (await unless(() => fs.readdir(host, { withFileTypes: true }), 'ENOENT')) ?? [];
  for (const { name } of children) {
    await disk.pause();
    await removeAll(disk, join(host, name));
  }
  await unless(() => fs.rmdir(host), 'ENOENT', 'ENOTEMPTY');
}
