import type { BigIntStats } from 'node:fs';
import { dirname } from 'node:path';
import { parentOf } from '@utensil/core/files';
import type { EntryKey } from '@utensil/core/storage';
import type { Disk } from './disk.ts';
import { statsAt } from './stats.ts';
import { syncPath } from './home.ts';
import type { JournaledStep } from './journal.ts';
import { withLookup } from './lookup.ts';
import type { Lookup } from './lookup.ts';
import { readNote } from './note.ts';
import { codeOf, unless } from './refusal.ts';
import type { Stranded } from './set-aside.ts';
import { linkTo } from './slots.ts';
import type { Slots } from './slots.ts';
import { isIdentified } from './step.ts';
import type { Step } from './step.ts';

// Undoes a step as far as it got: everything after it has already been undone, and nothing before it has. It changes
// only entries that are as the step left them, by their identity: changes by other programs since then stay. So it can
// be interrupted and repeated, and skips what is already undone.

/** Inputs for undoing a step. */
interface Undoing<Kind = Step> {
  readonly disk: Disk;
  readonly lookup: Lookup;
  readonly step: Kind;
  readonly slots: Slots;
  readonly brings: string | undefined;
}

type Of<Type extends Step['type']> = Extract<Step, { readonly type: Type }>;

/** Undoes a step. Returns the content that could not be restored. */
export function revert(disk: Disk, { step, brings }: JournaledStep, slots: Slots): Promise<Stranded | undefined> {
  return withLookup(disk, async (lookup) => {
    switch (step.type) {
      case 'remove':
        return revertRemove({ disk, lookup, step, slots, brings });
      case 'make-directory':
        return revertMakeDirectory({ disk, lookup, step, slots, brings });
      case 'write':
        return revertWrite({ disk, lookup, step, slots, brings });
      case 'move':
        return revertMove({ disk, lookup, step, slots, brings });
      case 'replace':
        return revertReplace({ disk, lookup, step, slots, brings });
    }
  });
}

async function revertRemove({ disk, lookup, step, slots }: Undoing<Of<'remove'>>): Promise<Stranded | undefined> {
  const removed = await statsAt(disk, slots.outgoing);
  if (removed === undefined) return undefined;
  return putBack({ disk, lookup, stats: removed, host: slots.outgoing }, step);
}

async function revertMakeDirectory(work: Undoing<Of<'make-directory'>>): Promise<undefined> {
  const { disk, lookup, step } = work;
  if (!(await isBrought(work))) return;
  const host = await lookup.hostOf(step);
  await unless(() => disk.fs.rmdir(host), 'ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'); // it may have gained entries
}

async function revertWrite(work: Undoing<Of<'write'>>): Promise<Stranded | undefined> {
  const { disk, lookup, step, slots } = work;
  const isOurs = await isBrought(work);
  const old = await statsAt(disk, slots.outgoing);
  if (old === undefined) {
    if (isOurs) await disk.fs.unlink(await lookup.hostOf(step));
    return undefined;
  }
  if (isOurs) await disk.fs.rename(slots.outgoing, await lookup.hostOf(step));
  if (isOurs) return undefined;
  if (await hasCome(work)) return { host: slots.outgoing, key: step };
  // A second name of an entry that is still there needs no restoring; without one, the entry was moved away.
  const found = await lookup.find(step);
  if (found.kind === 'missing') return putBack({ disk, lookup, stats: old, host: slots.outgoing }, step);
  return 'stats' in found && isSame(found.stats, old) ? undefined : { host: slots.outgoing, key: step };
}

async function revertMove(work: Undoing<Of<'move'>>): Promise<Stranded | undefined> {
  const { disk, lookup, step } = work;
  const stats = await movedBy(work);
  return stats && putBack({ disk, lookup, stats, host: await lookup.hostOf(step.to), from: step.to }, step);
}

async function revertReplace(work: Undoing<Of<'replace'>>): Promise<Stranded | undefined> {
  const { disk, lookup, step, slots } = work;
  const stats = await movedBy(work);
  if (stats === undefined) return undefined;
  const [host, to] = [await lookup.hostOf(step), await lookup.hostOf(step.to)];
  if (!(await isBrought(work))) return putBack({ disk, lookup, stats, host: to, from: step.to }, step);
  // A directory that took the place of another makes way first, as if it had never come.
  if (stats.isDirectory()) await disk.fs.rename(host, slots.incoming);
  await disk.fs.rename(to, host);
  return undefined;
}

/** True if the staged entry of a step has left its slot. */
async function hasCome({ disk, slots }: Undoing): Promise<boolean> {
  return (await statsAt(disk, slots.incoming)) === undefined;
}

/** True if the new entry of a step is unchanged at its place. */
async function isBrought({ lookup, step, brings }: Undoing): Promise<boolean> {
  const found = brings === undefined ? undefined : await lookup.find(step);
  const stats = found !== undefined && 'stats' in found ? found.stats : undefined;
  return stats !== undefined && isIdentified(stats, brings ?? '');
}

/** The entry that a step moved, if it is unchanged. */
async function movedBy({
  disk,
  lookup,
  step,
  slots,
}: Undoing<Of<'move' | 'replace'>>): Promise<BigIntStats | undefined> {
  const identity = await unless(() => readNote(disk.fs, slots.outgoing), 'EISDIR');
  const found = identity === undefined ? undefined : await lookup.find(step.to);
  const stats = found !== undefined && 'stats' in found ? found.stats : undefined;
  return stats !== undefined && isIdentified(stats, identity ?? '') ? stats : undefined;
}

/** An entry to restore: its stats, its path on the disk, and its key there if it is visible. */
interface PuttingBack extends Pick<Undoing, 'disk' | 'lookup'> {
  readonly stats: BigIntStats;
  readonly host: string;
  readonly from?: EntryKey;
}

/** Moves an entry back to its old path, if that is free. */
async function putBack({ disk, lookup, stats, host, from }: PuttingBack, { tree, path }: EntryKey) {
  const key = { tree, path };
  const stranded = { host, key, ...(from?.tree === 'files' && { at: from.path }) };
  const found = await lookup.find(key);
  const isSelf = 'stats' in found && isSame(found.stats, stats);
  const isFree = found.kind === 'missing' && (await hasDirectory(lookup, key));
  if (!isFree && !isSelf) return stranded;
  const back = await lookup.hostOf(key);
  try {
    // A hard link does not replace a file that another program creates at this moment.
    const isLinked = stats.isFile() && ((isSelf && stats.nlink > 1n) || (!isSelf && (await linkTo(disk, host, back))));
    if (isLinked && disk.syncs) await syncPath(disk, dirname(back));
    await (isLinked ? disk.fs.unlink(host) : disk.fs.rename(host, back));
    return undefined;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOTEMPTY') return stranded;
    throw error;
  }
}

/** True if the parent directory of a key exists and no link leads to it. */
async function hasDirectory(lookup: Lookup, { tree, path }: EntryKey): Promise<boolean> {
  return (await lookup.find({ tree, path: parentOf(path) })).kind === 'directory';
}

function isSame(left: BigIntStats | undefined, right: BigIntStats): boolean {
  return left?.ino === right.ino && left.dev === right.dev;
}
