import { dirname, join, sep } from 'node:path';
import { hostPath } from './host-path.ts';
import type { Disk, DurableState } from './disk.ts';
import { statsAt } from './stats.ts';
import { syncHome, syncPath } from './home.ts';
import { readState } from './journal.ts';
import type { Batch } from './journal.ts';
import { unless } from './refusal.ts';
import { slotsOf } from './slots.ts';
import { changedDirectories, identityOf, placesOf } from './step.ts';
import type { Step } from './step.ts';

// If only some commits must survive power loss, they depend on others that were never synced: on created directories,
// on moved contents, on the note that says that a commit is over. All of these are synced with them, once. And a later
// commit without durability could undo them, so a commit that touches durable entries is synced too.

/** Maximum number of directories to remember. */
const maxDirectories = 10_000;

/** Creates an empty state. */
export function createDurableState(): DurableState {
  return {
    directories: new Map(),
    durableDirectories: new Set(),
    state: undefined,
    hasHome: false,
    outermost: undefined,
  };
}

/** The same disk, for work that must survive power loss. */
export function durably(disk: Disk): Disk {
  return disk.syncs ? disk : { ...disk, syncs: true };
}

/**
 * Syncs everything that a staged commit depends on, if it must survive power loss, and returns the disk to make it on.
 * The caller must hold the lock.
 */
export async function syncDependencies(disk: Disk, batch: Batch, isDurable: boolean): Promise<Disk> {
  if (!disk.syncs && !(await touchesDurable(disk, batch.steps))) return disk;
  if (!disk.syncs) await syncStaged(disk, batch);
  const { durableState, places } = disk;
  const state = await readState(disk);
  if (!durableState.hasHome) await syncHome(disk);
  else if (state !== durableState.state) await syncPath(disk, places.home);
  durableState.state = state;
  if (isDurable && !disk.syncsAll) for (const step of batch.steps) await syncMoved(disk, step);
  return durably(disk);
}

/** True if steps change or remove durable entries. */
async function touchesDurable(disk: Disk, steps: readonly Step[]): Promise<boolean> {
  const { durableDirectories } = disk.durableState;
  if (durableDirectories.size === 0) return false;
  for (const step of steps) {
    const host = hostPath(disk.root, step);
    const isHeld = durableDirectories.has(dirname(host));
    if (step.type === 'write' && isHeld && (await statsAt(disk, host)) !== undefined) return true;
    if (step.type === 'write' || step.type === 'make-directory') continue;
    if (isHeld || [...durableDirectories].some((directory) => isAtOrBelow(directory, host))) return true;
  }
  return false;
}

async function syncStaged(disk: Disk, { id, steps }: Batch): Promise<void> {
  for (const [index, { type }] of steps.entries()) {
    if (type !== 'remove' && type !== 'make-directory') await syncPath(disk, slotsOf(disk, id, index).incoming);
  }
}

/** A moved entry may contain unsynced data of other writers. */
async function syncMoved(disk: Disk, step: Step): Promise<void> {
  if (step.type === 'move' || step.type === 'replace') await syncTree(disk, hostPath(disk.root, step));
}

async function syncTree(disk: Disk, host: string): Promise<void> {
  await disk.pause();
  const stats = await statsAt(disk, host);
  if (stats === undefined || (!stats.isFile() && !stats.isDirectory())) return;
  if (stats.isDirectory()) {
    remember(disk.durableState, host);
    const children = (await unless(() => disk.fs.readdir(host, { withFileTypes: true }), 'ENOENT', 'EACCES')) ?? [];
    for (const { name } of children) await syncTree(disk, join(host, name));
  }
  await syncPath(disk, host);
}

/** Directories to sync so that the changes of the steps survive. */
export async function directoriesToSync(disk: Disk, steps: readonly Step[]): Promise<readonly string[]> {
  const { directories } = disk.durableState;
  if (directories.size >= maxDirectories) directories.clear();
  const found = new Set<string>();
  for (const key of changedDirectories(steps)) {
    let at = hostPath(disk.root, key);
    found.add(at);
    for (; at !== disk.root; at = dirname(at)) {
      const stats = await statsAt(disk, at);
      const identity = stats && identityOf(stats);
      if (identity === undefined || directories.get(at) === identity) break;
      directories.set(at, identity);
      found.add(dirname(at));
    }
  }
  return [...found];
}

/** Forgets directories that are about to be moved or removed, because their names no longer lead to them. */
export function forgetMoved({ root, durableState }: Disk, steps: readonly Step[]): void {
  for (const step of steps) {
    if (step.type === 'write' || step.type === 'make-directory') continue;
    const host = hostPath(root, step);
    for (const directory of durableState.directories.keys()) {
      if (isAtOrBelow(directory, host)) durableState.directories.delete(directory);
    }
  }
}

/** Records the directories in which durable steps have put entries. */
export function rememberDurable({ root, durableState, syncs, syncsAll }: Disk, steps: readonly Step[]): void {
  if (!syncs || syncsAll) return;
  for (const step of steps) {
    if (step.type === 'move' || step.type === 'replace' || step.type === 'remove') {
      const to = step.type === 'remove' ? undefined : hostPath(root, step.to);
      for (const directory of [...durableState.durableDirectories])
        follow(durableState, directory, { from: hostPath(root, step), to });
    }
    for (const { key, comes } of placesOf(step)) if (comes) remember(durableState, dirname(hostPath(root, key)));
  }
}

/** Records the new path of a directory that was moved with a parent. */
function follow(
  durableState: DurableState,
  directory: string,
  { from, to }: { from: string; to: string | undefined },
): void {
  if (!isAtOrBelow(directory, from)) return;
  durableState.durableDirectories.delete(directory);
  if (to !== undefined) remember(durableState, to + directory.slice(from.length));
}

function remember({ durableDirectories }: DurableState, directory: string): void {
  durableDirectories.delete(directory);
  durableDirectories.add(directory);
  const [oldest = ''] = durableDirectories;
  if (durableDirectories.size > maxDirectories) durableDirectories.delete(oldest);
}

function isAtOrBelow(host: string, directory: string): boolean {
  return host === directory || host.startsWith(directory + sep);
}
