import type { BigIntStats } from 'node:fs';
import { isWithin, parentOf } from '@utensil/core/files';
import type { StorageChange, EntryKey } from '@utensil/core/storage';

/**
 * A change without its content, which is staged. `replace` is a move combined with the write of a new entry at the old
 * path: it keeps an old version without a moment in which the path is empty.
 */
export type Step =
  | (EntryKey & { readonly type: 'write'; readonly like?: EntryKey })
  | (EntryKey & { readonly type: 'make-directory' })
  | (EntryKey & { readonly type: 'remove'; readonly recursive: boolean })
  | (EntryKey & { readonly type: 'move'; readonly to: EntryKey })
  | (EntryKey & { readonly type: 'replace'; readonly to: EntryKey });

/** Identity of a file or directory after a move, which survives a power loss that takes part of its content. */
export function identityOf(stats: BigIntStats): string {
  const { ino, mtimeNs, birthtimeNs } = stats;
  return stats.isDirectory() ? `directory ${ino} ${birthtimeNs}` : `file ${ino} ${mtimeNs}`;
}

/** True for the identified entry, unless another program has written to it or replaced it. */
export function isIdentified(stats: BigIntStats, identity: string): boolean {
  const [kind, ino, time] = identity.split(' ');
  const { mtimeNs, birthtimeNs, ctimeNs } = stats;
  if (kind !== (stats.isDirectory() ? 'directory' : 'file') || ino !== `${stats.ino}`) return false;
  // A disk without birth times reports the last change of the inode instead.
  if (stats.isDirectory()) return `${birthtimeNs}` === time || birthtimeNs === ctimeNs;
  // Power loss may revert the last change. A time before the file's creation was set by another program.
  return `${mtimeNs}` === time || (isNumber(time) && mtimeNs < BigInt(time) && mtimeNs >= birthtimeNs);
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && /^\d+$/.test(text);
}

/** A step with its content. */
export interface Task {
  readonly step: Step;
  readonly content?: Uint8Array;
}

/** Converts changes to steps. */
export function toTasks(changes: readonly StorageChange[]): readonly Task[] {
  const tasks: Task[] = [];
  for (const change of changes) {
    const last = tasks.at(-1);
    const { tree, path } = change;
    if (change.type === 'write') {
      const { content, like } = change;
      const durableState =
        last?.step.type === 'move' && last.step.tree === tree && last.step.path === path ? last.step : undefined;
      const write = { type: 'write', tree, path, ...(like !== undefined && { like }) } as const;
      if (durableState === undefined) tasks.push({ step: write, content });
      else tasks[tasks.length - 1] = { step: { ...durableState, type: 'replace' }, content };
    } else tasks.push({ step: toStep(change) });
  }
  return tasks;
}

function toStep(change: Exclude<StorageChange, { readonly type: 'write' }>): Step {
  const { type, tree, path } = change;
  if (type === 'make-directory') return { type, tree, path };
  if (type === 'remove') return { type, tree, path, recursive: change.recursive === true };
  return { type, tree, path, to: change.to };
}

/** True if the steps are atomic, so that a crash leaves all of them or nothing. */
export function areAtomic(steps: readonly Step[]): boolean {
  return steps.length === 0 || (steps.length === 1 && steps[0]?.type !== 'replace');
}

/** True if existing entries stay in place, except for the content of a file. */
export function isArrival({ type }: Step): boolean {
  return type === 'write' || type === 'make-directory';
}

/** Places where a step adds or removes names. */
export function placesOf(step: Step): readonly { readonly key: EntryKey; readonly comes: boolean }[] {
  const { tree, path } = step;
  const key = { tree, path };
  switch (step.type) {
    case 'write':
    case 'make-directory':
      return [{ key, comes: true }];
    case 'remove':
      return [{ key, comes: false }];
    case 'move':
      return [
        { key, comes: false },
        { key: step.to, comes: true },
      ];
    case 'replace':
      return [
        { key, comes: true },
        { key: step.to, comes: true },
      ];
  }
}

/**
 * True if later steps use a path below a name that this step removes or moves. If those steps were persisted without
 * this one, their paths would lead elsewhere.
 */
export function leadsElsewhere(step: Step, later: readonly Step[]): boolean {
  if (isArrival(step)) return false;
  const places = placesOf(step).map(({ key }) => key);
  const keys = later.flatMap(placesOf).map(({ key }) => key);
  return keys.some((key) =>
    places.some(({ tree, path }) => key.tree === tree && key.path !== path && isWithin(path, key.path)),
  );
}

/** Directories whose names the steps changed, at their paths after the last step. */
export function changedDirectories(steps: readonly Step[]): readonly EntryKey[] {
  const directories = new Map<string, EntryKey>();
  for (const [index, step] of steps.entries()) {
    for (const { key } of placesOf(step)) {
      const { tree, path } = afterwards({ tree: key.tree, path: parentOf(key.path) }, steps.slice(index + 1));
      directories.set(`${tree}:${path}`, { tree, path });
    }
  }
  return [...directories.values()];
}

/** Key of an entry after these steps. */
function afterwards(key: EntryKey, steps: readonly Step[]): EntryKey {
  let now = key;
  for (const step of steps) {
    const isTaken = (step.type === 'move' || step.type === 'replace') && step.tree === now.tree;
    if (isTaken && isWithin(step.path, now.path)) {
      now = { tree: step.to.tree, path: step.to.path + now.path.slice(step.path.length) };
    }
  }
  return now;
}
