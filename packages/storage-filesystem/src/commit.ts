import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { foldCase, isUtensilError, joinPath, nameOf, parentOf } from '@utensil/core';
import type { Change, Commit, CommitResult, Entry, EntryKey, Expectation } from '@utensil/core';
import { etagOf, versionOf } from './content.ts';
import { hostPath } from './disk.ts';
import type { Disk } from './disk.ts';
import { lookUp } from './find.ts';
import { syncDirectory } from './home.ts';
import { begin, end, recover, undo } from './journal.ts';
import type { Batch } from './journal.ts';
import { isShown, namesIn } from './listing.ts';
import type { Lock } from './lock.ts';
import { codeOf, refusal } from './refusal.ts';
import { clear, perform, slotsOf, stage } from './steps.ts';
import type { Step } from './steps.ts';

/** Makes all changes, or none. What takes long is done before anybody has to wait for it. */
export async function commitChanges(disk: Disk, lock: Lock, { expect, changes }: Commit): Promise<CommitResult> {
  const batch: Batch = { id: randomUUID(), steps: changes.map(toStep) };
  let isOnlyStaged = true;
  try {
    for (const [index, change] of changes.entries()) {
      await naming(change.path, () => stage(disk, change, slotsOf(disk, batch.id, index)));
    }
    return await lock(async () => {
      await recover(disk);
      const unmet = await firstUnmet(disk, expect);
      if (unmet !== undefined) return unmet;
      isOnlyStaged = false;
      const conflict = await (changes.length > 1 ? performAll(disk, batch) : performOne(disk, batch));
      return conflict === undefined
        ? { ok: true, entries: await entriesOf(disk, changes) }
        : conflictAt(disk, conflict);
    });
  } finally {
    if (isOnlyStaged) await clearAll(disk, batch);
  }
}

async function clearAll(disk: Disk, { id, steps }: Batch): Promise<void> {
  for (const index of steps.keys()) await clear(disk, slotsOf(disk, id, index));
}

async function conflictAt(disk: Disk, { tree, path }: EntryKey): Promise<CommitResult> {
  return { ok: false, conflict: { tree, path }, entry: await lookUp(disk, { tree, path }) };
}

async function firstUnmet(disk: Disk, expect: readonly Expectation[]): Promise<CommitResult | undefined> {
  for (const { tree, path, etag } of expect) {
    const entry = await naming(path, () => lookUp(disk, { tree, path }));
    if ((entry?.etag ?? null) !== etag) return { ok: false, conflict: { tree, path }, entry };
    const twin = etag === null ? await naming(path, () => findTwin(disk, { tree, path })) : undefined;
    if (twin !== undefined) return { ok: false, conflict: { tree, path }, entry: twin };
  }
  return undefined;
}

/** The entry in the same directory whose name differs only in case. */
async function findTwin(disk: Disk, { tree, path }: EntryKey): Promise<Entry | undefined> {
  const [parent, name, folded] = [parentOf(path), nameOf(path), foldCase(nameOf(path))];
  const names = await namesIn(disk, { tree, path: parent });
  const twin = names.find((each) => each !== name && foldCase(each) === folded && isShown({ tree, path }, each));
  return twin === undefined ? undefined : lookUp(disk, { tree, path: joinPath(parent, twin) });
}

async function performOne(disk: Disk, batch: Batch): Promise<EntryKey | undefined> {
  let conflict: EntryKey | undefined;
  let isDone = false;
  try {
    conflict = await performStep(disk, batch, 0);
    isDone = conflict === undefined;
    if (isDone && disk.syncs) await syncParents(disk, batch.steps);
  } finally {
    if (!isDone) await clearAll(disk, batch);
  }
  return conflict;
}

async function performAll(disk: Disk, batch: Batch): Promise<EntryKey | undefined> {
  await begin(disk, batch);
  try {
    for (const index of batch.steps.keys()) {
      const conflict = await performStep(disk, batch, index);
      if (conflict === undefined) continue;
      await undo(disk, batch);
      return conflict;
    }
    if (disk.syncs) await syncParents(disk, batch.steps);
  } catch (error) {
    await undo(disk, batch);
    throw error;
  }
  await end(disk, batch);
  return undefined;
}

const raced: readonly string[] = ['ENOENT', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ENOTEMPTY'];

/** Other programs know no lock: what they did between the look and the step is a conflict like any other. */
async function performStep(disk: Disk, { id, steps }: Batch, index: number): Promise<EntryKey | undefined> {
  const step = steps[index];
  if (step === undefined) return undefined;
  try {
    return await perform(disk, step, { slots: slotsOf(disk, id, index), isWhole: steps.length === 1 });
  } catch (error) {
    if (!isUtensilError(error) && raced.includes(codeOf(error) ?? '')) return step;
    throw refusal(error, step.path);
  }
}

function toStep(change: Change): Step {
  const { type, tree, path } = change;
  return change.type === 'move' ? { type, tree, path, to: change.to } : { type, tree, path };
}

async function syncParents(disk: Disk, steps: readonly Step[]): Promise<void> {
  const keys = steps.flatMap(({ tree, path, to }) =>
    to === undefined
      ? [{ tree, path }]
      : [
          { tree, path },
          { tree, path: to },
        ],
  );
  const parents = new Set(keys.map((key) => dirname(hostPath(disk.root, key))));
  for (const parent of parents) await syncDirectory(disk, parent);
}

async function entriesOf(disk: Disk, changes: readonly Change[]): Promise<readonly Entry[]> {
  const entries = changes.map(async (change) => {
    const { tree, path } = change;
    if (change.type === 'remove') return undefined;
    if (change.type !== 'write') return lookUp(disk, { tree, path: change.type === 'move' ? change.to : path });
    const stats = await disk.fs.lstat(hostPath(disk.root, change), { bigint: true });
    const version = { ...versionOf(stats, etagOf(change.content, stats)), size: change.content.length };
    return { tree, path, kind: 'file', ...version } as const;
  });
  return (await Promise.all(entries)).filter((entry) => entry !== undefined);
}

/** Some work on a path, so that what the disk throws is about that path. */
async function naming<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw refusal(error, path);
  }
}
