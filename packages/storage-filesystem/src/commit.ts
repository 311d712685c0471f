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
import { durably, forgetMoved, syncDependencies, directoriesToSync, rememberDurable } from './durable-state.ts';
import { syncPath } from './home.ts';
import type { Lock } from './lock.ts';
import { createLookup, maxTogether } from './lookup.ts';
import type { Lookup } from './lookup.ts';
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

/** Dependencies of a commit. */
export interface Place {
  readonly disk: Disk;
  readonly lock: Lock;
  /** Creates the storage's own folder on first use. */
  ready(): Promise<void>;
  /** Reports each visible commit, in order. */
  tell(changed: readonly EntryKey[]): void;
}

/** Applies all changes, or none. Slow work happens before or after the lock is held. */
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
  const lookup = createLookup(free);
  try {
    const staged = await stageAll(free, planned, tasks);
    const batch = {
      ...planned,
      brings: areAtomic(planned.steps) ? [] : staged.map((stats) => stats && identityOf(stats)),
    };
    return await lock(async (lease) => {
      const disk = { ...free, lease };
      await recover(disk);
      disk.names.enter(lease.isAlone);
      if (!lease.isAlone) disk.durableState.directories.clear();
      const unmet = await firstUnmet(disk, lookup, expect);
      if (unmet !== undefined) return unmet;
      const target = await syncDependencies(disk, batch, durable);
      const conflict = await performAll(target, batch, { lookup, staged, progress });
      if (conflict !== undefined) return await conflictAt(disk, lookup, conflict);
      tell(changedKeys(changes));
      disk.children.follow(batch.steps);
      await disk.names.follow(batch.steps);
      return {
        ok: true,
        entries: await entriesOf(disk, commit, { lookup, moved: progress.moved, staged: byPlace(tasks, staged) }),
      };
    });
  } finally {
    await lookup.end();
    if (!progress.isOpen && !progress.isTidy) await tidy(free, planned);
  }
}

/** Rejects reserved paths before anything is written, so that nothing has to be undone. */
function refuseForbidden(changes: readonly StorageChange[]): void {
  const key = changedKeys(changes).find(isForbidden);
  if (key !== undefined) throw untouchable(key.path);
}

/** Number of contents written in parallel. */
const atOnce = 16;

/** Stats of the staged entry of each step. */
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

async function conflictAt(disk: Disk, lookup: Lookup, { tree, path }: EntryKey): Promise<StorageCommitResult> {
  return { ok: false, conflict: { tree, path }, entry: await lookUp(disk, lookup, { tree, path }) };
}

async function firstUnmet(
  disk: Disk,
  lookup: Lookup,
  expect: readonly StorageExpectation[],
): Promise<StorageCommitResult | undefined> {
  for (const [index, { tree, path, etag }] of expect.entries()) {
    if (index % maxTogether === 0) await lookup.end();
    const key = { tree, path };
    const entry = await naming(path, () => lookUp(disk, lookup, key));
    if ((entry?.etag ?? null) !== etag) return { ok: false, conflict: key, entry };
    const twin = etag === null ? await naming(path, () => findTwin(disk, lookup, key)) : undefined;
    if (twin !== undefined) return { ok: false, conflict: key, entry: twin };
  }
  return undefined;
}

/** An entry in the same directory whose name differs only in case. */
async function findTwin(disk: Disk, lookup: Lookup, { tree, path }: EntryKey): Promise<StorageEntry | undefined> {
  if (path === '/') return undefined;
  for (const name of await disk.names.twins({ tree, path })) {
    const twin = await lookUp(disk, lookup, { tree, path: joinPath(parentOf(path), name) });
    if (twin !== undefined) return twin;
  }
  return undefined;
}

interface Progress {
  /** True if the batch has begun and may have to be undone by the next lock holder. */
  isOpen: boolean;
  /** True if all slots are empty. */
  isTidy: boolean;
  readonly moved: Moved;
}

interface Performed {
  readonly lookup: Lookup;
  readonly staged: Staged;
  readonly progress: Progress;
}

async function performAll(disk: Disk, batch: Batch, how: Performed): Promise<EntryKey | undefined> {
  const { lookup, staged, progress } = how;
  const isWhole = areAtomic(batch.steps);
  if (!isWhole || !batch.steps.every(isArrival)) await disk.pendingSync.flush();
  forgetMoved(disk, batch.steps);
  if (isWhole) {
    const conflict = await performSteps(disk, batch, { lookup, staged, isWhole, moved: progress.moved });
    progress.isTidy = conflict === undefined && batch.steps.every(({ type }) => type === 'write');
    return conflict;
  }
  progress.isOpen = true;
  let conflict: EntryKey | undefined;
  try {
    await begin(disk, batch);
    conflict = await performSteps(disk, batch, { lookup, staged, isWhole, moved: progress.moved });
  } catch (error) {
    disk.durableState.directories.clear();
    if (disk.lease?.isLost() === true) throw error; // the program that took over has undone it
    await undo(disk, batch);
    progress.isOpen = false;
    throw error;
  }
  await disk.lease?.renew();
  await (conflict === undefined ? end(disk, batch) : undo(disk, batch));
  progress.isOpen = false;
  return conflict;
}

interface Steps {
  readonly lookup: Lookup;
  readonly staged: Staged;
  readonly isWhole: boolean;
  readonly moved: Moved;
}

async function performSteps(disk: Disk, batch: Batch, how: Steps): Promise<EntryKey | undefined> {
  for (const index of batch.steps.keys()) {
    await disk.lease?.renew();
    const conflict = await performStep(disk, batch, { ...how, index });
    if (conflict !== undefined) return conflict;
    const [step, ...later] = batch.steps.slice(index);
    if (disk.syncs && step !== undefined && leadsElsewhere(step, later)) await syncChanged(disk, [step]);
  }
  if (!disk.syncs) return undefined;
  rememberDurable(disk, batch.steps);
  const directories = await directoriesToSync(disk, batch.steps);
  if (how.isWhole) for (const directory of directories) disk.pendingSync.add(directory);
  else await together(directories.map((directory) => syncPath(disk, directory)));
  return undefined;
}

const raced: readonly string[] = ['ENOENT', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ENOTEMPTY'];

/** Programs without the lock can interfere between lookup and step, which is a conflict like any other. */
async function performStep(
  disk: Disk,
  { id, steps }: Batch,
  { index, lookup, staged, isWhole, moved }: Steps & { readonly index: number },
): Promise<EntryKey | undefined> {
  const step = steps[index];
  if (step === undefined) return undefined;
  try {
    if (step.type === 'move' || step.type === 'replace') await remember(lookup, step, moved);
    return await perform(disk, step, { slots: slotsOf(disk, id, index), isWhole, staged: staged[index], lookup });
  } catch (error) {
    if (!isUtensilError(error) && raced.includes(codeOf(error) ?? '')) return step;
    throw refusal(error, step.path);
  } finally {
    await lookup.end();
  }
}

async function remember(lookup: Lookup, step: Step & { readonly to: EntryKey }, moved: Moved): Promise<void> {
  const found = await lookup.find(step);
  if (found.kind === 'file' || found.kind === 'directory') moved.set(placeOf(step.to), found);
}

/** Runs an operation on a path and attributes errors of the disk to it. */
async function naming<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw refusal(error, path);
  }
}
