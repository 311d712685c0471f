import { isUtensilError, isWithin, joinPath, parentOf, changedKeys } from '@utensil/core';
import type { Change, Commit, CommitResult, Entry, EntryKey, Expectation } from '@utensil/core';
import { etagOf, versionOf } from './content.ts';
import { hostPath } from './disk.ts';
import type { Disk } from './disk.ts';
import { describe, find, lookUp, statsAt } from './find.ts';
import type { Found, Straight } from './find.ts';
import { begin, end, recover, syncChanged, tidy, undo } from './journal.ts';
import type { Batch } from './journal.ts';
import { durably, forgetMoved, groundFor, groundUnder, holdPlaces } from './kept.ts';
import { syncPath } from './home.ts';
import type { Lock } from './lock.ts';
import { uniqueEnd } from './owner.ts';
import { perform, stage } from './perform.ts';
import { codeOf, refusal } from './refusal.ts';
import { slotsOf } from './slots.ts';
import { isArrival, isAtomic, leadsElsewhere, toTasks } from './step.ts';
import type { Task } from './step.ts';
import { together } from './together.ts';

/** Where a commit is made. */
export interface Place {
  readonly disk: Disk;
  readonly lock: Lock;
  /** Done when the storage's own folder is there. */
  readonly ready: Promise<void>;
  /** Is told of each commit that can be read, in their order. */
  tell(changed: readonly EntryKey[]): void;
}

/** Makes all changes, or none. What takes long is done before anybody has to wait for it, or after. */
export async function commitChanges({ lock, ready, tell, ...place }: Place, commit: Commit): Promise<CommitResult> {
  const { expect, changes, durable = false } = commit;
  const disk = durable ? durably(place.disk) : place.disk;
  const tasks = toTasks(changes);
  await ready;
  const batch: Batch = { id: `${await disk.owner()}-${uniqueEnd()}`, steps: tasks.map(({ step }) => step) };
  const progress = { isOpen: false, isTidy: false };
  try {
    await stageAll(disk, batch, tasks);
    return await lock(async (isAlone) => {
      await recover(disk);
      disk.names.enter(isAlone);
      if (!isAlone) disk.kept.directories.clear();
      const look = createLook(disk);
      const unmet = await firstUnmet(disk, expect, look.find);
      if (unmet !== undefined) return unmet;
      const ground = await groundFor(disk, batch, durable);
      const conflict = await performAll(ground, batch, { look, progress });
      if (conflict !== undefined) return conflictAt(disk, conflict);
      tell(changedKeys(changes));
      await disk.names.follow(batch.steps);
      return { ok: true, entries: await entriesOf(disk, changes) };
    });
  } finally {
    if (!progress.isOpen && !progress.isTidy) await tidy(disk, batch);
  }
}

/** So many contents are written together. */
const atOnce = 16;

async function stageAll(disk: Disk, { id }: Batch, tasks: readonly Task[]): Promise<void> {
  for (let from = 0; from < tasks.length; from += atOnce) {
    const group = tasks.slice(from, from + atOnce);
    const staged = group.map((task, index) =>
      naming(task.step.path, () => stage(disk, task, slotsOf(disk, id, from + index))),
    );
    await together(staged);
  }
}

/** What was found, for as long as nothing is changed. */
interface Look {
  find(key: EntryKey): Promise<Found>;
  forget(): void;
}

function createLook(disk: Disk): Look {
  const found = new Map<string, Promise<Found>>();
  const straight: Straight = new Set();
  return {
    find(key) {
      const name = `${key.tree}:${key.path}`;
      const before = found.get(name);
      if (before !== undefined) return before;
      const now = find(disk, key, straight);
      found.set(name, now);
      return now;
    },
    forget() {
      found.clear();
      straight.clear();
    },
  };
}

async function conflictAt(disk: Disk, { tree, path }: EntryKey): Promise<CommitResult> {
  return { ok: false, conflict: { tree, path }, entry: await lookUp(disk, { tree, path }) };
}

async function firstUnmet(
  disk: Disk,
  expect: readonly Expectation[],
  look: Look['find'],
): Promise<CommitResult | undefined> {
  for (const { tree, path, etag } of expect) {
    const key = { tree, path };
    const entry = await naming(path, async () => describe(disk, key, await look(key)));
    if ((entry?.etag ?? null) !== etag) return { ok: false, conflict: key, entry };
    const twin = etag === null ? await naming(path, () => findTwin(disk, key)) : undefined;
    if (twin !== undefined) return { ok: false, conflict: key, entry: twin };
  }
  return undefined;
}

/** The entry in the same directory whose name differs only in case. */
async function findTwin(disk: Disk, { tree, path }: EntryKey): Promise<Entry | undefined> {
  if (path === '/') return undefined;
  for (const name of await disk.names.twins({ tree, path })) {
    const twin = await lookUp(disk, { tree, path: joinPath(parentOf(path), name) });
    if (twin !== undefined) return twin;
  }
  return undefined;
}

interface Performed {
  readonly look: Look;
  /** `isOpen`: what was begun may still have to be taken back, by whoever has the lock next. */
  readonly progress: {
    isOpen: boolean;
    /** Nothing is left in any slot. */
    isTidy: boolean;
  };
}

async function performAll(disk: Disk, batch: Batch, { look, progress }: Performed): Promise<EntryKey | undefined> {
  const isWhole = batch.steps.length <= 1 && batch.steps.every(isAtomic);
  if (!isWhole || !batch.steps.every(isArrival)) await disk.unkept.keep();
  forgetMoved(disk, batch.steps);
  if (isWhole) {
    const conflict = await performSteps(disk, batch, { look, isWhole });
    progress.isTidy = conflict === undefined && batch.steps.every(({ type }) => type === 'write');
    return conflict;
  }
  progress.isOpen = true;
  await begin(disk, batch);
  let conflict: EntryKey | undefined;
  try {
    conflict = await performSteps(disk, batch, { look, isWhole });
  } catch (error) {
    disk.kept.directories.clear();
    await undo(disk, batch);
    progress.isOpen = false;
    throw error;
  }
  await (conflict === undefined ? end(disk, batch) : undo(disk, batch));
  progress.isOpen = false;
  return conflict;
}

interface Steps {
  readonly look: Look;
  readonly isWhole: boolean;
}

async function performSteps(disk: Disk, batch: Batch, how: Steps): Promise<EntryKey | undefined> {
  for (const index of batch.steps.keys()) {
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
  { index, look, isWhole }: Steps & { readonly index: number },
): Promise<EntryKey | undefined> {
  const step = steps[index];
  if (step === undefined) return undefined;
  try {
    return await perform(disk, step, { slots: slotsOf(disk, id, index), isWhole, find: look.find });
  } catch (error) {
    if (!isUtensilError(error) && raced.includes(codeOf(error) ?? '')) return step;
    throw refusal(error, step.path);
  } finally {
    look.forget();
  }
}

async function entriesOf(disk: Disk, changes: readonly Change[]): Promise<readonly Entry[]> {
  const entries = changes.map(async (change, index) => {
    if (change.type === 'remove') return undefined;
    const { tree, path } = change.type === 'move' ? change.to : change;
    if (change.type !== 'write' || isTouched(change, changes.slice(index + 1))) return lookUp(disk, { tree, path });
    const stats = await statsAt(disk, hostPath(disk.root, change));
    if (stats === undefined) return undefined;
    const version = { ...versionOf(stats, etagOf(change.content, stats)), size: change.content.length };
    return { tree, path, kind: 'file', ...version } as const;
  });
  return (await Promise.all(entries)).filter((entry) => entry !== undefined);
}

function isTouched({ tree, path }: EntryKey, changes: readonly Change[]): boolean {
  return changedKeys(changes).some((key) => key.tree === tree && isWithin(key.path, path));
}

/** Some work on a path, so that what the disk throws is about that path. */
async function naming<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw refusal(error, path);
  }
}
