import { join } from 'node:path';
import { isUtensilError, UtensilError } from '@utensil/core';
import { reservedName } from '@utensil/core/storage';
import { hostPath } from './host-path.ts';
import type { Disk } from './disk.ts';
import { statsAt, statsIfKnown } from './stats.ts';
import { syncPath } from './home.ts';
import { activeId, discardJournal, end, hasJournal, isActive, readJournal, readState, syncChanged } from './journal.ts';
import type { Batch, JournaledStep } from './journal.ts';
import { readNote } from './note.ts';
import { hasEnded } from './owner.ts';
import { codeOf, unless } from './refusal.ts';
import { revert } from './revert.ts';
import { keptPrefix, setAside } from './set-aside.ts';
import type { Stranded } from './set-aside.ts';
import { discard, slotsOf, stagedSlots } from './slots.ts';
import type { FilledSlot, Slots } from './slots.ts';
import { isIdentified } from './step.ts';

// Recovery always completes. Content that cannot be restored is set aside with a note, and the project opens: a crash
// must not lock people out of their files.

/** Errors that a retry would not change. A full or failing disk is different: then recovery waits. */
const lasting: readonly string[] = [
  ...['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ENOTEMPTY', 'ELOOP', 'EXDEV', 'EINVAL'],
  ...['ENAMETOOLONG', 'EMLINK', ...(process.platform === 'win32' ? [] : ['EBUSY'])], // on Windows, sharing violations are temporary
];

/** Undoes a commit, the last of its steps first. The caller must hold the lock. */
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
    await disk.lease?.renew();
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
    if (!isLasting(error)) throw error;
    for (const stranded of await strandedBy(disk, journaled, slots)) await aside(stranded);
  }
}

function isLasting(error: unknown): boolean {
  return isUtensilError(error, 'EACCES') || lasting.includes(codeOf(error) ?? '');
}

/** Content that a step removed or stranded, if the step cannot be undone. */
async function strandedBy(
  disk: Disk,
  { step, brings }: JournaledStep,
  { outgoing }: Slots,
): Promise<readonly Stranded[]> {
  const taken = { key: step, host: outgoing };
  if (step.type === 'remove') return [taken];
  if (step.type === 'move' || step.type === 'replace') {
    const host = hostPath(disk.root, step.to);
    const isMoved = await isAt(disk, host, await unless(() => readNote(disk.fs, outgoing), 'EISDIR'));
    return isMoved ? [{ key: step, host, ...(step.to.tree === 'files' && { at: step.to.path }) }] : [];
  }
  const host = hostPath(disk.root, step);
  return (await isAt(disk, host, brings)) ? [taken, { key: step, host, at: step.path }] : [taken];
}

/** True if the entry that a step left is still there. */
async function isAt(disk: Disk, host: string, identity: string | undefined): Promise<boolean> {
  const stats = identity === undefined ? undefined : await statsIfKnown(disk, host);
  return stats !== undefined && isIdentified(stats, identity ?? '');
}

/**
 * Undoes an interrupted commit, if there is one. The caller must hold the lock. Always durable, because the interrupted
 * commit may have been.
 */
export async function recover(given: Disk): Promise<void> {
  const state = await readState(given);
  if (state === undefined || !isActive(state)) return;
  const disk = { ...given, syncs: true };
  disk.durableState.directories.clear();
  const slots = await stagedSlots(disk);
  const { begun, doubtful } = await interrupted(disk, state, slots);
  for (const id of begun) await clearAfter(disk, { id, slots: slots.get(id) }, undoInterrupted);
  for (const id of doubtful) await clearAfter(disk, { id, slots: slots.get(id) }, setAsideStaged);
  await end(disk, { id: activeId(state) ?? 'unknown' });
}

type Slotted = ReadonlyMap<string, readonly FilledSlot[]>;

/** Staged slots of a commit. */
interface Leftover {
  readonly id: string;
  readonly slots: readonly FilledSlot[] | undefined;
}

/** Commits that a damaged note may refer to. */
interface Interrupted {
  /** Certainly unfinished. */
  readonly begun: readonly string[];
  /** Possibly unfinished. */
  readonly doubtful: readonly string[];
}

/** The commit that the note names; all journaled ones if the note is damaged. */
async function interrupted(disk: Disk, state: string, slots: Slotted): Promise<Interrupted> {
  const named = activeId(state);
  if (named !== undefined && (slots.has(named) || (await hasJournal(disk, named))))
    return { begun: [named], doubtful: [] };
  const journaled: string[] = [];
  for (const id of slots.keys()) if (await hasJournal(disk, id)) journaled.push(id);
  const isBegun = (id: string): boolean => slots.get(id)?.some(({ place }) => place === 'incoming') === true;
  return { begun: journaled.filter(isBegun), doubtful: journaled.filter((id) => !isBegun(id)) };
}

/** Undoes the readable steps of a commit, and sets aside what the other steps removed. */
async function undoInterrupted(disk: Disk, { id, slots = [] }: Leftover): Promise<void> {
  const steps = await readJournal(disk, id);
  await undoSteps(disk, id, steps);
  const known = new Set(steps.map(({ index }) => index));
  await setAsideStaged(disk, { id, slots: slots.filter(({ index }) => !known.has(index)) });
}

async function setAsideStaged(disk: Disk, { id, slots = [] }: Leftover): Promise<void> {
  for (const { host, place, index } of slots) if (place === 'outgoing') await setAside(disk, { host }, { id, index });
}

/** Removes the staged data of a commit. If nothing could be set aside, it stays, and the project still opens. */
async function clearAfter(disk: Disk, leftover: Leftover, work: typeof setAsideStaged): Promise<void> {
  try {
    await work(disk, leftover);
  } catch (error) {
    if (!isLasting(error)) throw error;
    disk.warn(leftBehind(error));
    return;
  }
  for (const { host } of leftover.slots ?? []) await discard(disk, host);
  await discardJournal(disk, leftover.id);
}

function leftBehind(cause: unknown): UtensilError {
  const happened = 'recovery_incomplete: a change that a crash interrupted could not be undone completely';
  const rest = `Its remains are in '${reservedName}/tmp': check the permissions of that folder.`;
  return new UtensilError('recovery_incomplete', `${happened}. ${rest}`, { cause });
}

const abandonedMs = 60 * 60 * 1000;

/** Removes staged files of dead processes, and those of unknown ones after an hour. The caller must hold the lock. */
export async function sweep(disk: Disk): Promise<void> {
  const { staging } = disk.places;
  const own = await disk.owner();
  const abandoned: string[] = [];
  for (const { name } of await disk.fs.readdir(staging, { withFileTypes: true })) {
    if (name.startsWith(`${own}-`) || name.startsWith(keptPrefix)) continue;
    const stats = await statsAt(disk, join(staging, name));
    const isOld = stats !== undefined && Date.now() - Number(stats.ctimeMs) > abandonedMs;
    if ((await hasEnded(name)) ?? isOld) abandoned.push(name);
  }
  // Journals are removed last, so a remaining one may belong to an unfinished commit, whatever the note says.
  const journals = new Set(abandoned.flatMap((name) => (name.endsWith('.json') ? name.slice(0, -'.json'.length) : [])));
  const slots = journals.size === 0 ? new Map() : await stagedSlots(disk);
  for (const id of journals) await clearAfter(disk, { id, slots: slots.get(id) }, setAsideStaged);
  for (const name of abandoned) if (!journals.has(name.split('.')[0] ?? '')) await discard(disk, join(staging, name));
}
