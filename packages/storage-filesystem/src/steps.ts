import { constants } from 'node:fs';
import { join } from 'node:path';
import { fileError, nameOf, parentOf } from '@utensil/core';
import type { Change, EntryKey } from '@utensil/core';
import { hostPath, homeOf } from './disk.ts';
import type { Disk } from './disk.ts';
import { find } from './find.ts';
import type { Found } from './find.ts';
import { isShown, namesIn } from './listing.ts';
import { unless, untouchable } from './refusal.ts';

/** A change without its content: that is staged. */
export type Step = EntryKey & { readonly type: Change['type']; readonly to?: string };

/** The two places beside the trees that a step may use. */
export interface Slots {
  /** What comes into a tree: the content of a write, the directory to be made. Gone once the step is done. */
  readonly incoming: string;
  /** What was in a tree before. */
  readonly outgoing: string;
}

/** The slots of the steps of a commit. */
export function slotsOf(disk: Disk, id: string, index: number): Slots {
  const slot = join(homeOf(disk).staging, `${id}.${index}`);
  return { incoming: `${slot}.in`, outgoing: `${slot}.out` };
}

/** Puts into the slots what a change brings, before anybody has to wait for it. */
export async function stage(disk: Disk, change: Change, { incoming }: Slots): Promise<void> {
  const isPrivate = change.tree === 'records';
  if (change.type === 'remove') return;
  if (change.type === 'make-directory') {
    await disk.fs.mkdir(incoming, { mode: isPrivate ? 0o700 : 0o777 });
    return;
  }
  const before = await unless(disk.fs.lstat(hostPath(disk.root, change)), 'ENOENT', 'ENOTDIR');
  const mode = isPrivate || change.type === 'move' ? 0o600 : before?.isFile() === true ? before.mode & 0o777 : 0o666;
  const handle = await disk.fs.open(incoming, 'wx', mode);
  try {
    if (change.type === 'write') await handle.writeFile(change.content);
    if (disk.syncs) await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Does a staged step; gives the key of what stands in its way. Unless `isWhole`, it can be taken back afterwards. */
export async function perform(
  disk: Disk,
  step: Step,
  { slots, isWhole }: { readonly slots: Slots; readonly isWhole: boolean },
): Promise<EntryKey | undefined> {
  const { tree, path } = step;
  if (path === '/') return { tree, path };
  const [parent, present] = [await find(disk, { tree, path: parentOf(path) }), await find(disk, step)];
  refuseUntouchable(path, parent, present);
  if (parent.kind !== 'directory') return { tree, path };
  const work = { disk, step, slots, isWhole };
  switch (step.type) {
    case 'write':
      return write(work, present);
    case 'make-directory':
      return present.kind === 'missing' ? bring(work) : { tree, path };
    case 'remove':
      return remove(work, present);
    case 'move':
      return move(work, present);
  }
}

interface Work {
  readonly disk: Disk;
  readonly step: Step;
  readonly slots: Slots;
  readonly isWhole: boolean;
}

function refuseUntouchable(path: string, ...found: readonly Found[]): void {
  if (found.some(({ kind }) => kind === 'untouchable')) throw untouchable(path);
}

async function bring({ disk, step, slots }: Work): Promise<undefined> {
  await disk.fs.rename(slots.incoming, hostPath(disk.root, step));
}

async function write(work: Work, present: Found): Promise<EntryKey | undefined> {
  const { disk, step, slots, isWhole } = work;
  const { tree, path } = step;
  if (present.kind !== 'file' && present.kind !== 'missing') return { tree, path };
  if (present.kind === 'file') {
    const host = hostPath(disk.root, step);
    await disk.fs.access(host, constants.W_OK);
    await disk.fs.chmod(slots.incoming, Number(present.stats.mode) & 0o777);
    if (!isWhole) await keepOld(disk, host, slots.outgoing);
  }
  return bring(work);
}

/** By a second name where the disk has such, else by a copy. */
async function keepOld({ fs }: Disk, host: string, outgoing: string): Promise<void> {
  const linked = fs.link(host, outgoing).then(() => true);
  if ((await unless(linked, 'EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK')) !== true) {
    await fs.copyFile(host, outgoing);
  }
}

async function remove({ disk, step, slots, isWhole }: Work, present: Found): Promise<EntryKey | undefined> {
  const { tree, path } = step;
  const host = hostPath(disk.root, step);
  if (present.kind !== 'file' && present.kind !== 'directory') return { tree, path };
  const inside = present.kind === 'directory' ? await namesIn(disk, step) : [];
  if (inside.some((name) => isShown(step, name))) return { tree, path };
  if (inside.length > 0) {
    const hint = 'It contains links, devices or names that no path can have: remove it by other means.';
    throw fileError('ENOTEMPTY', path, { hint });
  }
  if (!isWhole) await disk.fs.rename(host, slots.outgoing);
  else if (present.kind === 'file') await disk.fs.unlink(host);
  else await disk.fs.rmdir(host);
  return undefined;
}

async function move({ disk, step, slots }: Work, present: Found): Promise<EntryKey | undefined> {
  const { tree, path, to = path } = step;
  if (present.kind !== 'file' && present.kind !== 'directory') return { tree, path };
  const [parent, target] = [await find(disk, { tree, path: parentOf(to) }), await find(disk, { tree, path: to })];
  refuseUntouchable(to, parent, target);
  const isFree = target.kind === 'missing' || (target.kind === 'respelled' && target.name === nameOf(path));
  if (!isFree || parent.kind !== 'directory' || to.startsWith(`${path}/`)) return { tree, path: to };
  await disk.fs.unlink(slots.incoming);
  await disk.fs.rename(hostPath(disk.root, step), hostPath(disk.root, { tree, path: to }));
  return undefined;
}

/** Takes a step back, as far as it came. May itself be interrupted, and done again from the last step on. */
export async function revert(disk: Disk, step: Step, { incoming, outgoing }: Slots): Promise<void> {
  const { fs } = disk;
  const host = hostPath(disk.root, step);
  if (step.type === 'remove') {
    if (await exists(disk, outgoing)) await fs.rename(outgoing, host);
    return;
  }
  if (await exists(disk, incoming)) return;
  switch (step.type) {
    case 'make-directory':
      await unless(fs.rmdir(host), 'ENOENT', 'ENOTDIR', 'ENOTEMPTY');
      return;
    case 'write':
      if (await exists(disk, outgoing)) await restore(disk, outgoing, host);
      else await unless(fs.unlink(host), 'ENOENT', 'ENOTDIR');
      return;
    case 'move': {
      const moved = hostPath(disk.root, { tree: step.tree, path: step.to ?? step.path });
      if (!(await exists(disk, host))) await fs.rename(moved, host);
    }
  }
}

/** Puts an old content back and keeps it: it is what tells an overwritten file from a new one. */
async function restore(disk: Disk, outgoing: string, host: string): Promise<void> {
  const again = `${outgoing}.again`;
  await unless(disk.fs.unlink(again), 'ENOENT');
  await keepOld(disk, outgoing, again);
  await unless(disk.fs.rename(again, host), 'ENOENT', 'ENOTDIR');
}

async function exists({ fs }: Disk, host: string): Promise<boolean> {
  return (await unless(fs.lstat(host), 'ENOENT', 'ENOTDIR')) !== undefined;
}

/** Empties the slots of a step. */
export async function clear(disk: Disk, { incoming, outgoing }: Slots): Promise<void> {
  for (const slot of [incoming, outgoing, `${outgoing}.again`]) await discard(disk, slot);
}

/** Removes a file or an empty directory, if it is there. */
export async function discard({ fs }: Disk, host: string): Promise<void> {
  const stats = await unless(fs.lstat(host), 'ENOENT');
  if (stats !== undefined) await unless(stats.isDirectory() ? fs.rmdir(host) : fs.unlink(host), 'ENOENT', 'ENOTEMPTY');
}
