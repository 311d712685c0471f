import type { BigIntStats } from 'node:fs';
import { isWithin, parentOf } from '@utensil/core/files';
import type { StorageChange, EntryKey } from '@utensil/core/storage';

/**
 * A change without its content, which is staged. `replace` is a move with the write that puts something else in its
 * place: the way in which an old version is kept, without a moment at which there is nothing.
 */
export type Step =
  | (EntryKey & { readonly type: 'write'; readonly like?: EntryKey })
  | (EntryKey & { readonly type: 'make-directory' })
  | (EntryKey & { readonly type: 'remove'; readonly recursive: boolean })
  | (EntryKey & { readonly type: 'move'; readonly to: EntryKey })
  | (EntryKey & { readonly type: 'replace'; readonly to: EntryKey });

/** What identifies a file or directory after it was moved, also after a loss of power that took some of its content. */
export function identityOf(stats: BigIntStats): string {
  const { ino, mtimeNs, birthtimeNs } = stats;
  return stats.isDirectory() ? `directory ${ino} ${birthtimeNs}` : `file ${ino} ${mtimeNs}`;
}

/** True for the entry that was identified, unless another program has written to it or replaced it. */
export function isIdentified(stats: BigIntStats, identity: string): boolean {
  const [kind, ino, time] = identity.split(' ');
  const { mtimeNs, birthtimeNs, ctimeNs } = stats;
  if (kind !== (stats.isDirectory() ? 'directory' : 'file') || ino !== `${stats.ino}`) return false;
  // A disk that knows no birth gives the last change of the inode for it.
  if (stats.isDirectory()) return `${birthtimeNs}` === time || birthtimeNs === ctimeNs;
  // A loss of power may take the last change. A time before the file was made has been set by another program.
  return `${mtimeNs}` === time || (isNumber(time) && mtimeNs < BigInt(time) && mtimeNs >= birthtimeNs);
}

function isNumber(text: string | undefined): text is string {
  return text !== undefined && /^\d+$/.test(text);
}

/** A step with what it brings. */
export interface Task {
  readonly step: Step;
  readonly content?: Uint8Array;
}

/** What has to be done for some changes. */
export function toTasks(changes: readonly StorageChange[]): readonly Task[] {
  const tasks: Task[] = [];
  for (const change of changes) {
    const last = tasks.at(-1);
    const { tree, path } = change;
    if (change.type === 'write') {
      const { content, like } = change;
      const kept =
        last?.step.type === 'move' && last.step.tree === tree && last.step.path === path ? last.step : undefined;
      const write = { type: 'write', tree, path, ...(like !== undefined && { like }) } as const;
      if (kept === undefined) tasks.push({ step: write, content });
      else tasks[tasks.length - 1] = { step: { ...kept, type: 'replace' }, content };
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

/** True if steps are over in an instant, so that a crash leaves all of them or nothing. */
export function areAtomic(steps: readonly Step[]): boolean {
  return steps.length === 0 || (steps.length === 1 && steps[0]?.type !== 'replace');
}

/** True if all that was there stays where it is, but for the content of a file. */
export function isArrival({ type }: Step): boolean {
  return type === 'write' || type === 'make-directory';
}

/** The places where names come and go with a step. */
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
 * Whether steps after this one go through a name that it takes away or brings along with all below: were they kept by
 * the disk and this one was not, their paths would lead to something else.
 */
export function leadsElsewhere(step: Step, later: readonly Step[]): boolean {
  if (isArrival(step)) return false;
  const places = placesOf(step).map(({ key }) => key);
  const keys = later.flatMap(placesOf).map(({ key }) => key);
  return keys.some((key) =>
    places.some(({ tree, path }) => key.tree === tree && key.path !== path && isWithin(path, key.path)),
  );
}

/** The directories in which steps have changed names, where they are after the last of them. */
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

/** Where the entry at a key is when these steps are done. */
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
