import { constants } from 'node:fs';
import { dirname } from 'node:path';
import { fileError, nameOf, parentOf } from '@utensil/core';
import type { EntryKey } from '@utensil/core';
import { hostPath } from './disk.ts';
import type { Disk } from './disk.ts';
import { statsAt } from './find.ts';
import type { Found } from './find.ts';
import { syncPath } from './home.ts';
import { contentsOf } from './listing.ts';
import { untouchable } from './refusal.ts';
import { keep, linkTo } from './slots.ts';
import type { Slots } from './slots.ts';
import type { Step, Task } from './step.ts';

/** Puts into the slots what a step brings, before anybody has to wait for it. */
export async function stage(
  disk: Disk,
  { step, content = new Uint8Array() }: Task,
  { incoming }: Slots,
): Promise<void> {
  if (step.type === 'remove') return;
  const isPrivate = step.tree === 'records';
  if (step.type === 'make-directory') {
    await disk.fs.mkdir(incoming, { mode: isPrivate ? 0o700 : 0o777 });
    return;
  }
  const isContent = step.type === 'write' || step.type === 'replace';
  const before = isContent && !isPrivate ? await statsAt(disk, hostPath(disk.root, step)) : undefined;
  const mode = isPrivate || !isContent ? 0o600 : before?.isFile() === true ? modeOf(before) : 0o666;
  const file = await disk.fs.open(incoming, 'wx', mode);
  try {
    if (isContent) await file.writeFile(content);
    if (disk.syncs) await file.sync();
  } finally {
    await file.close();
  }
}

/** How a step is to be done. */
export interface Performing {
  readonly slots: Slots;
  /** Whether it is all of the commit, so that it need not be possible to take it back. */
  readonly isWhole: boolean;
  /** What the disk has at a key now. */
  find(key: EntryKey): Promise<Found>;
}

interface Work<Kind = Step> extends Performing {
  readonly disk: Disk;
  readonly step: Kind;
}

type Of<Type extends Step['type']> = Extract<Step, { readonly type: Type }>;

/** Does a staged step; gives the key of what stands in its way. Unless it is whole, it can be taken back afterwards. */
export async function perform(disk: Disk, step: Step, how: Performing): Promise<EntryKey | undefined> {
  const { tree, path } = step;
  if (path === '/') return { tree, path };
  const present = await how.find(step);
  refuseUntouchable(present, path);
  if (present.kind === 'missing' && !(await hasParent(how.find, step))) return { tree, path };
  switch (step.type) {
    case 'write':
      return write({ ...how, disk, step }, present);
    case 'make-directory':
      return present.kind === 'missing' ? bring({ ...how, disk, step }) : { tree, path };
    case 'remove':
      return remove({ ...how, disk, step }, present);
    case 'move':
      return move({ ...how, disk, step }, present);
    case 'replace':
      return replace({ ...how, disk, step }, present);
  }
}

function refuseUntouchable({ kind }: Found, path: string): void {
  if (kind === 'untouchable') throw untouchable(path);
}

/** Whether what is missing could be there. What is there has been found without a link on the way. */
async function hasParent(find: Performing['find'], { tree, path }: EntryKey): Promise<boolean> {
  const parent = await find({ tree, path: parentOf(path) });
  refuseUntouchable(parent, path);
  return parent.kind === 'directory';
}

async function bring({ disk, step, slots }: Work): Promise<undefined> {
  await disk.fs.rename(slots.incoming, hostPath(disk.root, step));
}

async function write(work: Work<Of<'write'>>, present: Found): Promise<EntryKey | undefined> {
  const { disk, step, slots, isWhole } = work;
  if (present.kind !== 'file' && present.kind !== 'missing') return keyOf(step);
  if (present.kind === 'file') {
    await likeOld(work, present);
    if (!isWhole) {
      await keep(disk, hostPath(disk.root, step), slots.outgoing);
      await settle(disk);
    }
  }
  return bring(work);
}

/** What comes gets the mode of what was there, which must be one to be written to. */
async function likeOld({ disk, step, slots }: Work, { stats }: Found & { kind: 'file' }): Promise<void> {
  await disk.fs.access(hostPath(disk.root, step), constants.W_OK);
  const staged = await statsAt(disk, slots.incoming);
  if (staged !== undefined && modeOf(staged) !== modeOf(stats)) await disk.fs.chmod(slots.incoming, modeOf(stats));
}

function modeOf({ mode }: { readonly mode: bigint }): number {
  return Number(mode) & 0o777;
}

/** Without power, no step may be kept by the disk before that by which it can be taken back. */
async function settle(disk: Disk, directory = disk.places.staging): Promise<void> {
  if (disk.syncs) await syncPath(disk, directory);
}

async function remove(
  { disk, step, slots, isWhole }: Work<Of<'remove'>>,
  present: Found,
): Promise<EntryKey | undefined> {
  const host = hostPath(disk.root, step);
  if (present.kind !== 'file' && present.kind !== 'directory') return keyOf(step);
  const contents = present.kind === 'directory' ? await contentsOf(disk, step) : 'nothing';
  if (contents === 'hidden') {
    const hint = 'It contains links, devices or names that no path can have: remove it by other means.';
    throw fileError('ENOTEMPTY', step.path, { hint });
  }
  if (contents === 'shown' && !step.recursive) return keyOf(step);
  if (!isWhole || contents === 'shown') await disk.fs.rename(host, slots.outgoing);
  else if (present.kind === 'file') await disk.fs.unlink(host);
  else await disk.fs.rmdir(host);
  return undefined;
}

async function move(work: Work<Of<'move'>>, present: Found): Promise<EntryKey | undefined> {
  const { disk, step, slots, isWhole } = work;
  if (present.kind !== 'file' && present.kind !== 'directory') return keyOf(step);
  if (!(await isFree(work))) return step.to;
  if (!isWhole) {
    await disk.fs.unlink(slots.incoming);
    await settle(disk);
  }
  await disk.fs.rename(hostPath(disk.root, step), hostPath(disk.root, step.to));
  return undefined;
}

/** Whether there is room for what is moved. A name may be moved to another spelling of itself. */
async function isFree({ step, find }: Work<Of<'move' | 'replace'>>): Promise<boolean> {
  const { tree, path, to } = step;
  const target = await find(to);
  refuseUntouchable(target, to.path);
  const isAbsent = target.kind === 'missing' || (target.kind === 'respelled' && target.name === nameOf(path));
  const isIntoItself = to.tree === tree && to.path.startsWith(`${path}/`);
  return isAbsent && !isIntoItself && hasParent(find, to);
}

/** Nobody finds nothing meanwhile: what was there gets its new name first, and loses the old one to what comes. */
async function replace(work: Work<Of<'replace'>>, present: Found): Promise<EntryKey | undefined> {
  const { disk, step, slots } = work;
  if (present.kind !== 'file' && present.kind !== 'directory') return keyOf(step);
  if (!(await isFree(work))) return step.to;
  const [host, to] = [hostPath(disk.root, step), hostPath(disk.root, step.to)];
  if (present.kind === 'file') await likeOld(work, present);
  if (present.kind === 'directory' || !(await linkTo(disk, host, to))) await disk.fs.rename(host, to);
  await settle(disk, dirname(to));
  return bring({ ...work, slots });
}

function keyOf({ tree, path }: EntryKey): EntryKey {
  return { tree, path };
}
