import { basename, dirname, join } from 'node:path';
import type { Disk } from './disk.ts';
import { statsAt, straightPath } from './stats.ts';
import { unless } from './refusal.ts';

/** The two places outside the trees that a step may use. */
export interface Slots {
  /** The content of a write, or the directory to create, until it enters a tree. */
  readonly incoming: string;
  /** The entry that a write or removal has taken out of a tree; for the entry of a move, a note of its identity. */
  readonly outgoing: string;
}

export function slotsOf(disk: Pick<Disk, 'places'>, id: string, index: number): Slots {
  const slot = join(disk.places.staging, `${id}.${index}`);
  return { incoming: `${slot}.in`, outgoing: `${slot}.out` };
}

/** A slot that is not empty. */
export interface FilledSlot {
  readonly index: number;
  readonly place: keyof Slots;
  readonly host: string;
}

const slotName = /^(.+)\.(\d+)\.(in|out)$/;

/** Slots that are not empty, by commit. */
export async function stagedSlots({ fs, places }: Disk): Promise<ReadonlyMap<string, readonly FilledSlot[]>> {
  const slots = new Map<string, FilledSlot[]>();
  for (const { name } of await fs.readdir(places.staging, { withFileTypes: true })) {
    const [, id = '', index, end] = slotName.exec(name) ?? [];
    if (index === undefined) continue;
    const slot = {
      index: Number(index),
      place: end === 'in' ? 'incoming' : 'outgoing',
      host: join(places.staging, name),
    } as const;
    const others = slots.get(id);
    if (others === undefined) slots.set(id, [slot]);
    else others.push(slot);
  }
  return slots;
}

/** Keeps a file under a second name by a hard link if the disk supports it, else moves it. */
export async function keep(disk: Disk, host: string, under: string): Promise<void> {
  if (!(await linkTo(disk, host, under))) await disk.fs.rename(host, under);
}

/** Creates a hard link; false if that is impossible. */
export async function linkTo({ fs }: Pick<Disk, 'fs'>, host: string, name: string): Promise<boolean> {
  const link = async (): Promise<boolean> => {
    await fs.link(host, name);
    return true;
  };
  return (await unless(link, 'EPERM', 'EACCES', 'EXDEV', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK')) === true;
}

/** Empties the slots of a step. */
export async function clear(disk: Disk, { incoming, outgoing }: Slots): Promise<void> {
  for (const slot of [incoming, outgoing]) await discard(disk, slot);
}

/** Removes an entry recursively. Whatever cannot be removed now is swept later. */
export async function discard(disk: Disk, host: string): Promise<void> {
  try {
    if ((await statsAt(disk, host)) === undefined) return;
    await within(disk, { path: dirname(host), real: await straightPath(disk, dirname(host)) }, (staging) =>
      removeEntry(disk, { path: join(staging.path, basename(host)), real: join(staging.real, basename(host)) }),
    );
  } catch {
    // It is hidden: no reason to fail.
  }
}

/** A path of an entry, and its required real location. */
interface Target {
  readonly path: string;
  readonly real: string;
}

/** Runs work in a directory, unless another program has replaced it by a link. */
async function within(disk: Disk, { path, real }: Target, work: (directory: Target) => Promise<void>): Promise<void> {
  const anchor = await disk.anchors.open(path);
  if (anchor === undefined || anchor === 'loop') return;
  if (anchor === 'unsupported') return work({ path, real });
  try {
    if (anchor.real === real) await work(anchor);
  } finally {
    await anchor.close();
  }
}

async function removeEntry(disk: Disk, { path, real }: Target): Promise<void> {
  const stats = await statsAt(disk, path);
  if (stats?.isDirectory() === true) await removeDirectory(disk, { path, real });
  else if (stats !== undefined) await unless(() => disk.fs.unlink(path), 'ENOENT');
}

async function removeDirectory(disk: Disk, target: Target): Promise<void> {
  const { fs } = disk;
  await within(disk, target, async (directory) => {
    for (const child of await fs.readdir(directory.path, { withFileTypes: true })) {
      const [path, real] = [join(directory.path, child.name), join(directory.real, child.name)];
      await disk.pause();
      if (child.isDirectory()) await removeDirectory(disk, { path, real });
      else await unless(() => fs.unlink(path), 'ENOENT', 'EISDIR', 'EPERM');
    }
  });
  await unless(() => fs.rmdir(target.path), 'ENOENT', 'ENOTEMPTY', 'ENOTDIR');
}
