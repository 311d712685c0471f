import type { BigIntStats } from 'node:fs';
import { isUtensilError } from '@utensil/core';
import { joinPath, parentOf } from '@utensil/core/files';
import { changedKeys } from '@utensil/core/storage';
import type {
  StorageChange,
  StorageCommit,
  StorageCommitResult,
  StorageEntry,
  EntryKey,
  StorageExpectation,
} from '@utensil/core/storage';
import { isForbidden } from './host-path.ts';
import type { Disk } from './disk.ts';
import { lookUp } from './entries.ts';
import { begin, end, syncChanged, tidy } from './journal.ts';
import type { Batch } from './journal.ts';
import { durably, forgetMoved, groundFor, groundUnder, holdPlaces } from './kept.ts';
import { syncPath } from './home.ts';
import type { Lock } from './lock.ts';
import { createLook, maxTogether } from './look.ts';
import type { Look } from './look.ts';
import { uniqueEnd } from './owner.ts';
import { perform, stage } from './perform.ts';
import { recover, undo } from './recover.ts';
import { codeOf, refusal, untouchable } from './refusal.ts';
import { slotsOf } from './slots.ts';
import { areAtomic, identityOf, isArrival, leadsElsewhere, toTasks } from './step.ts';
import type { Step, Task } from './step.ts';
import { together } from './together.ts';
import { entriesOf, placeOf } from './written.ts';
import type { Moved } from './written.ts';

/** Where a commit is made. */
export interface Place {
  readonly disk: Disk;
  readonly lock: Lock;
  /** Makes the storage's own folder, where that is not done yet. */
  ready(): Promise<void>;
  /** Is told of each commit that can be read, in their order. */
  tell(changed: readonly EntryKey[]): void;
}

/** Makes all changes, or none. What takes long is done before anybody has to wait for it, or after. */
export async function commitChanges(
  { lock, ready, tell, ...place }: Place,
  commit: StorageCommit,
): Promise<StorageCommitResult> {
  const { expect, changes, durable = false } = commit;
  const free = durable ? durably(place.disk) : place.disk;
  refuseForbidden(changes);
  const tasks = toTasks(changes);
  await ready();
  const planned: Batch = { id: `${await free.owner()}-${uniqueEnd()}`, steps: tasks.map(({ step }) => step) };
  const progress: Progress = { isOpen: false, isTidy: false, moved: new Map() };
  const look = createLook(free);
  try {
    const staged = await stageAll(free, planned, tasks);
    const batch = {
      ...planned,
      brings: areAtomic(planned.steps) ? [] : staged.map((stats) => stats && identityOf(stats)),
    };
    return await lock(async (hold) => {
      const disk = { ...free, hold };
      await recover(disk);
      disk.names.enter(hold.isAlone);
      if (!hold.isAlone) disk.kept.directories.clear();
      const unmet = await firstUnmet(disk, look, expect);
      if (unmet !== undefined) return unmet;
      const ground = await groundFor(disk, batch, durable);
      const conflict = await performAll(ground, batch, { look, staged, progress });
      if (conflict !== undefined) return await conflictAt(disk, look, conflict);
      tell(changedKeys(changes));
      disk.children.follow(batch.steps);
      await disk.names.follow(batch.steps);
      return {
        ok: true,
        entries: await entriesOf(disk, commit, { look, moved: progress.moved, staged: byPlace(tasks, staged) }),
      };
    });
  } finally {
    await look.end();
    if (!progress.isOpen && !progress.isTidy) await tidy(free, planned);
  }
}

/** No change may reach what nobody can have: refused before anything is written down, it leaves nothing to take back. */
function refuseForbidden(changes: readonly StorageChange[]): void {
  const key = changedKeys(changes).find(isForbidden);
  if (key !== undefined) throw untouchable(key.path);
}

/** So many contents are written together. */
const atOnce = 16;

/** The stats of what each step brings. */
type Staged = readonly (BigIntStats | undefined)[];

async function stageAll(disk: Disk, { id, steps }: Batch, tasks: readonly Task[]): Promise<Staged> {
  const all: (BigIntStats | undefined)[] = [];
  const isWhole = areAtomic(steps);
  for (let from = 0; from < tasks.length; from += atOnce) {
    const group = tasks.slice(from, from + atOnce);
    const staged = group.map((task, index) =>
      naming(task.step.path, () => stage(disk, task, { slots: slotsOf(disk, id, from + index), isWhole })),
    );
    all.push(...(await together(staged)));
  }
  return all;
}

function byPlace(tasks: readonly Task[], staged: Staged): ReadonlyMap<string, BigIntStats> {
  return new Map(tasks.flatMap(({ step }, index) => (staged[index] ? [[placeOf(step), staged[index]] as const] : [])));
}

async function conflictAt(disk: Disk, look: Look, { tree, path }: EntryKey): Promise<StorageCommitResult> {
  return { ok: false, conflict: { tree, path }, entry: await lookUp(disk, look, { tree, path }) };
}

async function firstUnmet(
  disk: Disk,
  look: Look,
  expect: readonly StorageExpectation[],
): Promise<StorageCommitResult | undefined> {
  for (const [index, { tree, path, etag }] of expect.entries()) {
    if (index % maxTogether === 0) await look.end();
    const key = { tree, path };
    const entry = await naming(path, () => lookUp(disk, look, key));
    if ((entry?.etag ?? null) !== etag) return { ok: false, conflict: key, entry };
    const twin = etag === null ? await naming(path, () => findTwin(disk, look, key)) : undefined;
    if (twin !== undefined) return { ok: false, conflict: key, entry: twin };
  }
  return undefined;
}

/** The entry in the same directory whose name differs only in case. */
async function findTwin(disk: Disk, look: Look, { tree, path }: EntryKey): Promise<StorageEntry | undefined> {
  if (path === '/') return undefined;
  for (const name of await disk.names.twins({ tree, path })) {
    const twin = await lookUp(disk, look, { tree, path: joinPath(parentOf(path), name) });
    if (twin !== undefined) return twin;
  }
  return undefined;
}

interface Progress {
  /** What was begun may still have to be taken back, by whoever has the lock next. */
  isOpen: boolean;
  /** Nothing is left in any slot. */
  isTidy: boolean;
  readonly moved: Moved;
}

interface Performed {
  readonly look: Look;
  readonly staged: Staged;
  readonly progress: Progress;
}

async function performAll(disk: Disk, batch: Batch, how: Performed): Promise<EntryKey | undefined> {
  const { look, staged, progress } = how;
  const isWhole = areAtomic(batch.steps);
  if (!isWhole || !batch.steps.every(isArrival)) await disk.unkept.keep();
  forgetMoved(disk, batch.steps);
  if (isWhole) {
    const conflict = await performSteps(disk, batch, { look, staged, isWhole, moved: progress.moved });
    progress.isTidy = conflict === undefined && batch.steps.every(({ type }) => type === 'write');
    return conflict;
  }
  progress.isOpen = true;
  let conflict: EntryKey | undefined;
  try {
    await begin(disk, batch);
    conflict = await performSteps(disk, batch, { look, staged, isWhole, moved: progress.moved });
  } catch (error) {
    disk.kept.directories.clear();
    if (disk.hold?.isLost() === true) throw error; // whoever took over has undone it
    await undo(disk, batch);
    progress.isOpen = false;
    throw error;
  }
  await disk.hold?.renew();
  await (conflict === undefined ? end(disk, batch) : undo(disk, batch));
  progress.isOpen = false;
  return conflict;
}

interface Steps {
  readonly look: Look;
  readonly staged: Staged;
  readonly isWhole: boolean;
  readonly moved: Moved;
}

async function performSteps(disk: Disk, batch: Batch, how: Steps): Promise<EntryKey | undefined> {
  for (const index of batch.steps.keys()) {
    await disk.hold?.renew();
    const conflict = await performStep(disk, batch, { ...how, index });
    if (conflict !== undefined) return conflict;
    const [step, ...later] = batch.steps.slice(index);
    if (disk.syncs && step !== undefined && leadsElsewhere(step, later)) await syncChanged(disk, [step]);
  }
  if (!disk.syncs) return undefined;
  holdPlaces(disk, batch.steps);
  const ground = await groundUnder(disk, batch.steps);
  if (how.isWhole) for (const directory of ground) disk.unkept.add(directory);
  else await together(ground.map((directory) => syncPath(disk, directory)));
  return undefined;
}

const raced: readonly string[] = ['ENOENT', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ENOTEMPTY'];

/** Other programs know no lock: what they did between the look and the step is a conflict like any other. */
async function performStep(
  disk: Disk,
  { id, steps }: Batch,
  { index, look, staged, isWhole, moved }: Steps & { readonly index: number },
): Promise<EntryKey | undefined> {
  const step = steps[index];
  if (step === undefined) return undefined;
  try {
    if (step.type === 'move' || step.type === 'replace') await remember(look, step, moved);
    return await perform(disk, step, { slots: slotsOf(disk, id, index), isWhole, staged: staged[index], look });
  } catch (error) {
    if (!isUtensilError(error) && raced.includes(codeOf(error) ?? '')) return step;
    throw refusal(error, step.path);
  } finally {
    await look.end();
  }
}

async function remember(look: Look, step: Step & { readonly to: EntryKey }, moved: Moved): Promise<void> {
  const found = await look.find(step);
  if (found.kind === 'file' || found.kind === 'directory') moved.set(placeOf(step.to), found);
}

/** Some work on a path, so that what the disk throws is about that path. */
async function naming<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw refusal(error, path);
  }
}
