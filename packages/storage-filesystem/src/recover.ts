import { join } from 'node:path';
import { isUtensilError } from '@utensil/core';
import { hostPath } from './disk.ts';
import type { Disk } from './disk.ts';
import { statsAt } from './stats.ts';
import { syncPath } from './home.ts';
import { activeId, discardJournal, end, hasJournal, isActive, readJournal, readState, syncChanged } from './journal.ts';
import type { Batch, JournaledStep } from './journal.ts';
import { hasEnded } from './owner.ts';
import { codeOf } from './refusal.ts';
import { revert } from './revert.ts';
import { setAside } from './set-aside.ts';
import type { Stranded } from './set-aside.ts';
import { discard, slotsOf, stagedSlots } from './slots.ts';
import type { Slots } from './slots.ts';
import type { Step } from './step.ts';

// Recovery always comes to an end. What cannot be undone is put aside with its content and said in words, and the
// project opens: a crash is no reason to keep people from their files.

/** What no second try would change. A disk that is full or that fails is another matter: then recovery waits. */
const lasting: readonly string[] = [
  ...['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ENOTEMPTY', 'ELOOP', 'EXDEV', 'EINVAL'],
  ...['ENAMETOOLONG', 'EMLINK', ...(process.platform === 'win32' ? [] : ['EBUSY'])], // there, another program lets go
];

/** Undoes a commit that was begun, the last of its steps first. Only for who has the lock. */
export async function undo(disk: Disk, { id, steps, brings = [] }: Batch): Promise<void> {
  await undoSteps(
    disk,
    id,
    steps.map((step, index) => ({ index, step, brings: brings[index] })),
  );
  if (isActive(await readState(disk))) await end(disk, { id });
}

async function undoSteps(disk: Disk, id: string, steps: readonly JournaledStep[]): Promise<void> {
  for (const journaled of steps.toReversed()) {
    await undoStep(disk, id, journaled);
    if (!disk.syncs) continue;
    await syncChanged(disk, [journaled.step]);
    await syncPath(disk, disk.places.staging);
  }
}

async function undoStep(disk: Disk, id: string, journaled: JournaledStep): Promise<void> {
  const slots = slotsOf(disk, id, journaled.index);
  const aside = (stranded: Stranded): Promise<void> => setAside(disk, stranded, { id, index: journaled.index });
  try {
    const stranded = await revert(disk, journaled, slots);
    if (stranded !== undefined) await aside(stranded);
  } catch (error) {
    if (!isUtensilError(error, 'EACCES') && !lasting.includes(codeOf(error) ?? '')) throw error;
    await aside(strandedBy(disk, journaled.step, slots));
  }
}

/** What a step that cannot be undone has taken away. */
function strandedBy(disk: Disk, step: Step, { outgoing }: Slots): Stranded {
  if (step.type !== 'move' && step.type !== 'replace') return { key: step, host: outgoing };
  return { key: step, host: hostPath(disk.root, step.to), ...(step.to.tree === 'files' && { at: step.to.path }) };
}

/** Undoes the commit that was interrupted, if one was: durably, as it may be. Only for who has the lock. */
export async function recover(given: Disk): Promise<void> {
  const state = await readState(given);
  if (state === undefined || !isActive(state)) return;
  const disk = { ...given, syncs: true };
  disk.kept.directories.clear();
  for (const id of await interruptedIds(disk, state)) {
    await undoInterrupted(disk, id);
    await clearStaged(disk, id);
  }
  await end(disk, { id: activeId(state) ?? 'unknown' });
}

/** The commit that the note names. If the note is damaged, those that were certainly not finished. */
async function interruptedIds(disk: Disk, state: string): Promise<readonly string[]> {
  const named = activeId(state);
  const slots = await stagedSlots(disk);
  const isKnown = named !== undefined && (slots.some(({ id }) => id === named) || (await hasJournal(disk, named)));
  if (isKnown) return [named];
  const unfinished = new Set(slots.filter(({ place }) => place === 'incoming').map(({ id }) => id));
  const journaled: string[] = [];
  for (const id of unfinished) if (await hasJournal(disk, id)) journaled.push(id);
  return journaled;
}

/** Undoes what can be read of a commit, and puts aside what the rest of it has taken away. */
async function undoInterrupted(disk: Disk, id: string): Promise<void> {
  const steps = await readJournal(disk, id);
  await undoSteps(disk, id, steps);
  const known = new Set(steps.map(({ index }) => index));
  for (const { host, place, index } of await stagedSlots(disk, id)) {
    if (place === 'outgoing' && !known.has(index)) await setAside(disk, { host }, { id, index });
  }
}

async function clearStaged(disk: Disk, id: string): Promise<void> {
  for (const { host } of await stagedSlots(disk, id)) await discard(disk, host);
  await discardJournal(disk, id);
}

const abandonedMs = 60 * 60 * 1000;

/** Clears away what others left behind who have ended, or of whom nobody knows. Only for who has the lock. */
export async function sweep(disk: Disk): Promise<void> {
  const { staging } = disk.places;
  const own = await disk.owner();
  for (const { name } of await disk.fs.readdir(staging, { withFileTypes: true })) {
    if (name.startsWith(`${own}-`)) continue;
    const host = join(staging, name);
    const stats = await statsAt(disk, host);
    const isOld = stats !== undefined && Date.now() - Number(stats.ctimeMs) > abandonedMs;
    if ((await hasEnded(name)) ?? isOld) await discard(disk, host);
  }
}
