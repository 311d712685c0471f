import type { BigIntStats } from 'node:fs';
import { dirname } from 'node:path';
import { parentOf } from '@utensil/core/files';
import type { EntryKey } from '@utensil/core/storage';
import type { Disk } from './disk.ts';
import { statsAt } from './stats.ts';
import { syncPath } from './home.ts';
import type { JournaledStep } from './journal.ts';
import { looking } from './look.ts';
import type { Look } from './look.ts';
import { readNote } from './note.ts';
import { codeOf, unless } from './refusal.ts';
import type { Stranded } from './set-aside.ts';
import { linkTo } from './slots.ts';
import type { Slots } from './slots.ts';
import { isIdentified } from './step.ts';
import type { Step } from './step.ts';

// Undoes a step, as far as it came: everything done after it has been undone, and nothing done before it. It changes
// only what is as the step left it, by what identifies that: where another program has made, changed or removed
// something since, that stays. So it can be interrupted and done again, and what it finds undone it leaves alone.

/** Inputs for undoing a step. */
interface Undoing<Kind = Step> {
  readonly disk: Disk;
  readonly look: Look;
  readonly step: Kind;
  readonly slots: Slots;
  readonly brings: string | undefined;
}

type Of<Type extends Step['type']> = Extract<Step, { readonly type: Type }>;

/** Undoes a step; gives what could not be put back. */
export function revert(disk: Disk, { step, brings }: JournaledStep, slots: Slots): Promise<Stranded | undefined> {
  return looking(disk, async (look) => {
    switch (step.type) {
      case 'remove':
        return revertRemove({ disk, look, step, slots, brings });
      case 'make-directory':
        return revertMakeDirectory({ disk, look, step, slots, brings });
      case 'write':
        return revertWrite({ disk, look, step, slots, brings });
      case 'move':
        return revertMove({ disk, look, step, slots, brings });
      case 'replace':
        return revertReplace({ disk, look, step, slots, brings });
    }
  });
}

async function revertRemove({ disk, look, step, slots }: Undoing<Of<'remove'>>): Promise<Stranded | undefined> {
  const removed = await statsAt(disk, slots.outgoing);
  if (removed === undefined) return undefined;
  return putBack({ disk, look, stats: removed, host: slots.outgoing }, step);
}

async function revertMakeDirectory(work: Undoing<Of<'make-directory'>>): Promise<undefined> {
  const { disk, look, step } = work;
  if (!(await isBrought(work))) return;
  const host = await look.hostOf(step);
  await unless(() => disk.fs.rmdir(host), 'ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'); // others may have filled it
}

async function revertWrite(work: Undoing<Of<'write'>>): Promise<Stranded | undefined> {
  const { disk, look, step, slots } = work;
  const isOurs = await isBrought(work);
  const old = await statsAt(disk, slots.outgoing);
  if (old === undefined) {
    if (isOurs) await disk.fs.unlink(await look.hostOf(step));
    return undefined;
  }
  if (isOurs) await disk.fs.rename(slots.outgoing, await look.hostOf(step));
  if (isOurs) return undefined;
  if (await hasCome(work)) return { host: slots.outgoing, key: step };
  // A second name of what is still there needs nothing; without such, it was moved out of the way.
  const found = await look.find(step);
  if (found.kind === 'missing') return putBack({ disk, look, stats: old, host: slots.outgoing }, step);
  return 'stats' in found && isSame(found.stats, old) ? undefined : { host: slots.outgoing, key: step };
}

async function revertMove(work: Undoing<Of<'move'>>): Promise<Stranded | undefined> {
  const { disk, look, step } = work;
  const stats = await movedBy(work);
  return stats && putBack({ disk, look, stats, host: await look.hostOf(step.to), from: step.to }, step);
}

async function revertReplace(work: Undoing<Of<'replace'>>): Promise<Stranded | undefined> {
  const { disk, look, step, slots } = work;
  const stats = await movedBy(work);
  if (stats === undefined) return undefined;
  const [host, to] = [await look.hostOf(step), await look.hostOf(step.to)];
  if (!(await isBrought(work))) return putBack({ disk, look, stats, host: to, from: step.to }, step);
  // What takes the place of a directory makes way first: it is then as if it had never come.
  if (stats.isDirectory()) await disk.fs.rename(host, slots.incoming);
  await disk.fs.rename(to, host);
  return undefined;
}

/** True if what a step brings has left its slot. */
async function hasCome({ disk, slots }: Undoing): Promise<boolean> {
  return (await statsAt(disk, slots.incoming)) === undefined;
}

/** True if what a step brings is there as it brought it. */
async function isBrought({ look, step, brings }: Undoing): Promise<boolean> {
  const found = brings === undefined ? undefined : await look.find(step);
  const stats = found !== undefined && 'stats' in found ? found.stats : undefined;
  return stats !== undefined && isIdentified(stats, brings ?? '');
}

/** What a step has moved, if it is there as it was moved. */
async function movedBy({ disk, look, step, slots }: Undoing<Of<'move' | 'replace'>>): Promise<BigIntStats | undefined> {
  const identity = await unless(() => readNote(disk.fs, slots.outgoing), 'EISDIR');
  const found = identity === undefined ? undefined : await look.find(step.to);
  const stats = found !== undefined && 'stats' in found ? found.stats : undefined;
  return stats !== undefined && isIdentified(stats, identity ?? '') ? stats : undefined;
}

/** Something to put back: its stats, its place on the disk, and its key there if people see it. */
interface PuttingBack extends Pick<Undoing, 'disk' | 'look'> {
  readonly stats: BigIntStats;
  readonly host: string;
  readonly from?: EntryKey;
}

/** Puts something where it was, if nothing is there. */
async function putBack({ disk, look, stats, host, from }: PuttingBack, { tree, path }: EntryKey) {
  const key = { tree, path };
  const stranded = { host, key, ...(from?.tree === 'files' && { at: from.path }) };
  const found = await look.find(key);
  const isSelf = 'stats' in found && isSame(found.stats, stats);
  const isFree = found.kind === 'missing' && (await hasDirectory(look, key));
  if (!isFree && !isSelf) return stranded;
  const back = await look.hostOf(key);
  try {
    // A second name does not take the place of a file that another program makes at this moment.
    const isLinked = stats.isFile() && ((isSelf && stats.nlink > 1n) || (!isSelf && (await linkTo(disk, host, back))));
    if (isLinked && disk.syncs) await syncPath(disk, dirname(back));
    await (isLinked ? disk.fs.unlink(host) : disk.fs.rename(host, back));
    return undefined;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOTEMPTY') return stranded;
    throw error;
  }
}

/** True if there is a directory, reached by no link, in which something can be put back. */
async function hasDirectory(look: Look, { tree, path }: EntryKey): Promise<boolean> {
  return (await look.find({ tree, path: parentOf(path) })).kind === 'directory';
}

function isSame(left: BigIntStats | undefined, right: BigIntStats): boolean {
  return left?.ino === right.ino && left.dev === right.dev;
}
