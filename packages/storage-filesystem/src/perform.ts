import { constants } from 'node:fs';
import type { BigIntStats } from 'node:fs';
import { dirname } from 'node:path';
import { fileError, foldCase } from '@utensil/core/files';
import type { EntryKey } from '@utensil/core/storage';
import { hostPath } from './host-path.ts';
import type { Disk } from './disk.ts';
import { statsAt } from './stats.ts';
import { syncPath } from './home.ts';
import { contentsOf } from './listing.ts';
import type { Found, Lookup, Present } from './lookup.ts';
import { leaveNote } from './note.ts';
import { untouchable } from './refusal.ts';
import { keep, linkTo } from './slots.ts';
import type { Slots } from './slots.ts';
import { identityOf } from './step.ts';
import type { Step, Task } from './step.ts';

/** Options of {@link stage}. */
export interface Staging {
  readonly slots: Slots;
  /** True if the step is the whole commit, so that its staged entry need not be identifiable later. */
  readonly isWhole: boolean;
}

/** Stages the new entry of a step in its slots, before the lock is taken. Returns stats that identify it. */
export async function stage(
  disk: Disk,
  { step, content = new Uint8Array() }: Task,
  { slots: { incoming }, isWhole }: Staging,
): Promise<BigIntStats | undefined> {
  if (step.type === 'remove' || step.type === 'move') return undefined;
  const isPrivate = step.tree === 'records';
  if (step.type === 'make-directory') {
    await disk.fs.mkdir(incoming, { mode: isPrivate ? 0o700 : 0o777 });
    return isWhole ? undefined : statsAt(disk, incoming);
  }
  const before = isPrivate ? undefined : await statsAt(disk, hostPath(disk.root, step));
  const mode = isPrivate ? 0o600 : before?.isFile() === true ? modeOf(before) : 0o666;
  const file = await disk.fs.open(incoming, 'wx', mode);
  try {
    await file.writeFile(content);
    if (disk.syncs) await file.sync();
    return await file.stat({ bigint: true });
  } finally {
    await file.close();
  }
}

/** Input of {@link perform}. */
export interface Performing {
  readonly slots: Slots;
  /** True if the step is the whole commit, so that it need not be undoable. */
  readonly isWhole: boolean;
  /** Stats of the staged entry. */
  readonly staged: BigIntStats | undefined;
  /** Current state of the disk. */
  readonly lookup: Lookup;
}

interface Work<Kind = Step> extends Performing {
  readonly disk: Disk;
  readonly step: Kind;
}

type Of<Type extends Step['type']> = Extract<Step, { readonly type: Type }>;

/** Performs a staged step. Returns the key in conflict, if any. It can be undone afterwards, unless it is whole. */
export async function perform(disk: Disk, step: Step, how: Performing): Promise<EntryKey | undefined> {
  const { tree, path } = step;
  if (path === '/') return { tree, path };
  const present = await how.lookup.find(step);
  refuseUntouchable(present, path);
  if (present.kind === 'missing' && !(await how.lookup.hasParent(step))) return { tree, path };
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

async function bring({ disk, step, slots, lookup }: Work): Promise<undefined> {
  await disk.fs.rename(slots.incoming, await lookup.hostOf(step));
}

async function write(work: Work<Of<'write'>>, present: Found): Promise<EntryKey | undefined> {
  const { disk, step, slots, isWhole, lookup } = work;
  if (present.kind !== 'file' && present.kind !== 'missing') return keyOf(step);
  if (present.kind === 'file') {
    await likeOld(work, present);
    if (!isWhole) {
      await keep(disk, await lookup.hostOf(step), slots.outgoing);
      await settle(disk);
    }
  } else if (step.like !== undefined) await likeOther(work, step.like);
  return bring(work);
}

/** A new file gets the mode of the file it is like. Records are always private to the user. */
async function likeOther(work: Work<Of<'write'>>, like: EntryKey): Promise<void> {
  const { disk, step, slots, lookup } = work;
  const other = step.tree === 'files' ? await lookup.find(like) : undefined;
  if (other?.kind !== 'file') return;
  const hasChanged = await giveMode(work, other.stats);
  if (hasChanged && disk.syncs) await syncPath(disk, slots.incoming);
}

/** A replacing file gets the mode of the old one, which must be writable. */
async function likeOld(work: Work, { stats }: Found & { kind: 'file' }): Promise<void> {
  await work.disk.fs.access(await work.lookup.hostOf(work.step), constants.W_OK);
  await giveMode(work, stats);
}

/** Gives a staged file a mode. Returns whether that changed it. */
async function giveMode({ disk, slots, staged }: Work, stats: BigIntStats): Promise<boolean> {
  if (staged === undefined || modeOf(staged) === modeOf(stats)) return false;
  await disk.fs.chmod(slots.incoming, modeOf(stats));
  return true;
}

/** Permission bits only, never setuid or setgid. */
function modeOf({ mode }: { readonly mode: bigint }): number {
  return Number(mode) & 0o777;
}

/** On power loss, no step may be persisted before the data that can undo it. */
async function settle(disk: Disk, directory = disk.places.staging): Promise<void> {
  if (disk.syncs) await syncPath(disk, directory);
}

async function remove(
  { disk, step, slots, isWhole, lookup }: Work<Of<'remove'>>,
  present: Found,
): Promise<EntryKey | undefined> {
  const host = await lookup.hostOf(step);
  if (present.kind !== 'file' && present.kind !== 'directory') return keyOf(step);
  const contents = present.kind === 'directory' ? await contentsOf(disk, step) : 'nothing';
  if (contents === 'hidden') {
    const hint = 'It contains links, devices or names that no valid path can have: remove it with another program.';
    throw fileError('ENOTEMPTY', step.path, { hint });
  }
  if (contents === 'shown' && !step.recursive) return keyOf(step);
  if (!isWhole || contents === 'shown') await disk.fs.rename(host, slots.outgoing);
  else if (present.kind === 'file') await disk.fs.unlink(host);
  else await disk.fs.rmdir(host);
  return undefined;
}

async function move(work: Work<Of<'move'>>, present: Found): Promise<EntryKey | undefined> {
  const { disk, step, isWhole, lookup } = work;
  if (present.kind !== 'file' && present.kind !== 'directory') return keyOf(step);
  if (!(await isFree(work, present))) return step.to;
  if (!isWhole) await identify(work, present);
  await disk.fs.rename(await lookup.hostOf(step), await lookup.hostOf(step.to));
  return undefined;
}

/** Records the identity of an entry to be moved, to distinguish it from a replacement by another program. */
async function identify({ disk, slots }: Work, { stats }: Present): Promise<void> {
  if (stats !== undefined) await leaveNote(disk.fs, slots.outgoing, identityOf(stats));
  await settle(disk);
}

/** True if the target of a move is free. A name may be moved to another spelling of itself. */
async function isFree({ step, lookup }: Work<Of<'move' | 'replace'>>, present: Present): Promise<boolean> {
  const { tree, path, to } = step;
  const target = await lookup.find(to);
  refuseUntouchable(target, to.path);
  const isItself = 'stats' in target && foldCase(to.path) === foldCase(path) && areOne(target.stats, present.stats);
  const isAbsent = target.kind === 'missing' || (isItself && to.path !== path);
  const isIntoItself = to.tree === tree && to.path.startsWith(`${path}/`);
  return isAbsent && !isIntoItself && lookup.hasParent(to);
}

/** True if two names are the same entry, unless it is a file with two hard links. */
function areOne(left: BigIntStats | undefined, right: BigIntStats | undefined): boolean {
  const isSame = left !== undefined && left.ino === right?.ino && left.dev === right.dev;
  return isSame && (left.isDirectory() || left.nlink === 1n);
}

/**
 * The path is never empty in between: the old entry gets its new name first, and the new entry then replaces the old
 * name.
 */
async function replace(work: Work<Of<'replace'>>, present: Found): Promise<EntryKey | undefined> {
  const { disk, step, lookup } = work;
  if (present.kind !== 'file' && present.kind !== 'directory') return keyOf(step);
  if (!(await isFree(work, present))) return step.to;
  const [host, to] = [await lookup.hostOf(step), await lookup.hostOf(step.to)];
  if (present.kind === 'file') await likeOld(work, present);
  await identify(work, present);
  if (present.kind === 'directory' || !(await linkTo(disk, host, to))) await disk.fs.rename(host, to);
  await settle(disk, dirname(hostPath(disk.root, step.to)));
  return bring(work);
}

function keyOf({ tree, path }: EntryKey): EntryKey {
  return { tree, path };
}
