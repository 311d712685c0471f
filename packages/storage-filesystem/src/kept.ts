import { dirname, join, sep } from 'node:path';
import { hostPath } from './host-path.ts';
import type { Disk, Kept } from './disk.ts';
import { statsAt } from './stats.ts';
import { keepHome, syncPath } from './home.ts';
import { readState } from './journal.ts';
import type { Batch } from './journal.ts';
import { unless } from './refusal.ts';
import { slotsOf } from './slots.ts';
import { changedDirectories, identityOf, placesOf } from './step.ts';
import type { Step } from './step.ts';

// Where only some commits have to survive a loss of power, these rest on others that nobody waited for: on directories
// that were made, on contents that are moved, on the note that says that a commit is over. All that is waited for with
// them, once. And what they left may be lost again to a commit after them that nobody waits for: such a one is waited
// for as they are.

/** So many directories are remembered. */
const maxDirectories = 10_000;

/** Nothing that is known. */
export function createKept(): Kept {
  return { directories: new Map(), holding: new Set(), state: undefined, hasHome: false, outermost: undefined };
}

/** The same disk, for work that has to survive a loss of power. */
export function durably(disk: Disk): Disk {
  return disk.syncs ? disk : { ...disk, syncs: true };
}

/**
 * The disk that a staged commit is to be made on, once all that it rests on is kept, where it has to survive a loss of
 * power. The caller must hold the lock.
 */
export async function groundFor(disk: Disk, batch: Batch, isDurable: boolean): Promise<Disk> {
  if (!disk.syncs && !(await touchesHeld(disk, batch.steps))) return disk;
  if (!disk.syncs) await syncStaged(disk, batch);
  const { kept, places } = disk;
  const state = await readState(disk);
  if (!kept.hasHome) await keepHome(disk);
  else if (state !== kept.state) await syncPath(disk, places.home);
  kept.state = state;
  if (isDurable && !disk.keepsAll) for (const step of batch.steps) await keepMoved(disk, step);
  return durably(disk);
}

/** True if steps change or take away what a durable commit has left. */
async function touchesHeld(disk: Disk, steps: readonly Step[]): Promise<boolean> {
  const { holding } = disk.kept;
  if (holding.size === 0) return false;
  for (const step of steps) {
    const host = hostPath(disk.root, step);
    const isHeld = holding.has(dirname(host));
    if (step.type === 'write' && isHeld && (await statsAt(disk, host)) !== undefined) return true;
    if (step.type === 'write' || step.type === 'make-directory') continue;
    if (isHeld || [...holding].some((directory) => isAtOrBelow(directory, host))) return true;
  }
  return false;
}

async function syncStaged(disk: Disk, { id, steps }: Batch): Promise<void> {
  for (const [index, { type }] of steps.entries()) {
    if (type !== 'remove' && type !== 'make-directory') await syncPath(disk, slotsOf(disk, id, index).incoming);
  }
}

/** What is moved may be of anybody, with all that is in it. */
async function keepMoved(disk: Disk, step: Step): Promise<void> {
  if (step.type === 'move' || step.type === 'replace') await keepTree(disk, hostPath(disk.root, step));
}

async function keepTree(disk: Disk, host: string): Promise<void> {
  await disk.pause();
  const stats = await statsAt(disk, host);
  if (stats === undefined || (!stats.isFile() && !stats.isDirectory())) return;
  if (stats.isDirectory()) {
    hold(disk.kept, host);
    const children = (await unless(() => disk.fs.readdir(host, { withFileTypes: true }), 'ENOENT', 'EACCES')) ?? [];
    for (const { name } of children) await keepTree(disk, join(host, name));
  }
  await syncPath(disk, host);
}

/** The directories that the disk has to keep so that what steps have changed is found again. */
export async function groundUnder(disk: Disk, steps: readonly Step[]): Promise<readonly string[]> {
  const { directories } = disk.kept;
  if (directories.size >= maxDirectories) directories.clear();
  const ground = new Set<string>();
  for (const key of changedDirectories(steps)) {
    let at = hostPath(disk.root, key);
    ground.add(at);
    for (; at !== disk.root; at = dirname(at)) {
      const stats = await statsAt(disk, at);
      const identity = stats && identityOf(stats);
      if (identity === undefined || directories.get(at) === identity) break;
      directories.set(at, identity);
      ground.add(dirname(at));
    }
  }
  return [...ground];
}

/** Directories that are about to be moved or removed are not found again by their names. */
export function forgetMoved({ root, kept }: Disk, steps: readonly Step[]): void {
  for (const step of steps) {
    if (step.type === 'write' || step.type === 'make-directory') continue;
    const host = hostPath(root, step);
    for (const directory of kept.directories.keys()) {
      if (isAtOrBelow(directory, host)) kept.directories.delete(directory);
    }
  }
}

/** Remembers where steps of a commit have put something that has to survive a loss of power. */
export function holdPlaces({ root, kept, syncs, keepsAll }: Disk, steps: readonly Step[]): void {
  if (!syncs || keepsAll) return;
  for (const step of steps) {
    if (step.type === 'move' || step.type === 'replace' || step.type === 'remove') {
      const to = step.type === 'remove' ? undefined : hostPath(root, step.to);
      for (const directory of [...kept.holding]) follow(kept, directory, { from: hostPath(root, step), to });
    }
    for (const { key, comes } of placesOf(step)) if (comes) hold(kept, dirname(hostPath(root, key)));
  }
}

/** Remembers a directory by its new name, where it was moved with what is above it. */
function follow(kept: Kept, directory: string, { from, to }: { from: string; to: string | undefined }): void {
  if (!isAtOrBelow(directory, from)) return;
  kept.holding.delete(directory);
  if (to !== undefined) hold(kept, to + directory.slice(from.length));
}

function hold({ holding }: Kept, directory: string): void {
  holding.delete(directory);
  holding.add(directory);
  const [oldest = ''] = holding;
  if (holding.size > maxDirectories) holding.delete(oldest);
}

function isAtOrBelow(host: string, directory: string): boolean {
  return host === directory || host.startsWith(directory + sep);
}
