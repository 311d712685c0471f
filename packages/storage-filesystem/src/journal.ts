import { join } from 'node:path';
import { hostPath } from './disk.ts';
import type { Disk } from './disk.ts';
import { statsAt } from './find.ts';
import { syncPath } from './home.ts';
import { readNote, replaceNote } from './note.ts';
import { hasEnded, uniqueEnd } from './owner.ts';
import { unless } from './refusal.ts';
import { revert } from './revert.ts';
import { clear, discard, slotsOf } from './slots.ts';
import { changedDirectories } from './step.ts';
import type { Step } from './step.ts';
import { together } from './together.ts';

// A commit that no single call can make is written down before the first step. The note `state` says
// `active {id} {count}` from then on and `idle {id}` after the last: that change of the note is the moment at which all
// of it has happened. Who has the lock and reads `active` has found a commit that was interrupted, and takes it back.
// `count` says of how many steps that is still to be done, so that no step is taken back twice: the second time it
// could take away what another has put there.

const active = 'active ';

/** The steps of one commit. */
export interface Batch {
  readonly id: string;
  readonly steps: readonly Step[];
}

/** What the note says now: something else after each commit that was written down. */
export async function readState(disk: Disk): Promise<string | undefined> {
  // To fail takes five times as long as to look, and a directory may be read for long before anybody writes to it.
  disk.seen.state ||= (await statsAt(disk, disk.places.state)) !== undefined;
  return disk.seen.state ? readNote(disk.fs, disk.places.state) : undefined;
}

/** Whether a commit is going on that was written down, or was interrupted. */
export function isActive(state: string | undefined): boolean {
  return state?.startsWith(active) === true;
}

/** Writes down what is about to be done. */
export async function begin(disk: Disk, { id, steps }: Batch): Promise<void> {
  const file = await disk.fs.open(journalOf(disk, id), 'wx', 0o600);
  try {
    await file.writeFile(JSON.stringify(steps));
    if (disk.syncs) await together([file.sync(), syncPath(disk, disk.places.staging)]);
  } finally {
    await file.close();
  }
  await setState(disk, `${active}${id} ${steps.length}`);
}

/** The commit has happened, or has been taken back. */
export function end(disk: Disk, { id }: Batch): Promise<void> {
  return setState(disk, `idle ${id}`);
}

/** Clears away what a commit needed, once it is over. */
export async function tidy(disk: Disk, { id, steps }: Batch): Promise<void> {
  for (const index of steps.keys()) await clear(disk, slotsOf(disk, id, index));
  await discard(disk, journalOf(disk, id));
}

/** Takes back the first steps of a commit, the last of them first. */
export async function undo(disk: Disk, { id, steps }: Batch, count = steps.length): Promise<void> {
  for (const [index, step] of [...steps.entries()].slice(0, count).toReversed()) {
    await revert(disk, step, slotsOf(disk, id, index));
    if (disk.syncs) {
      await syncChanged(disk, [step]);
      await syncPath(disk, disk.places.staging);
    }
    await setState(disk, `${active}${id} ${index}`);
  }
  await end(disk, { id, steps });
}

/** Takes back the commit that was interrupted, if one was: durably, as it may be. Only for who has the lock. */
export async function recover(given: Disk): Promise<void> {
  const state = await readState(given);
  if (state === undefined || !isActive(state)) return;
  const disk = { ...given, syncs: true };
  disk.kept.directories.clear();
  const [id = '', count = ''] = state.slice(active.length).split(' ');
  const batch = { id, steps: (await readSteps(disk, id)) ?? [] };
  await undo(disk, batch, Number(count));
  await tidy(disk, batch);
}

/** Without its journal, which only a loss of power can take, a commit is left as far as it came. */
async function readSteps(disk: Disk, id: string): Promise<readonly Step[] | undefined> {
  const text = await unless(() => disk.fs.readFile(journalOf(disk, id), 'utf8'), 'ENOENT');
  try {
    return JSON.parse(text ?? '') as readonly Step[];
  } catch {
    return undefined;
  }
}

function journalOf(disk: Disk, id: string): string {
  return join(disk.places.staging, `${id}.json`);
}

async function setState(disk: Disk, text: string): Promise<void> {
  const { home, state, staging } = disk.places;
  const spare = join(staging, `${await disk.owner()}-${uniqueEnd()}`);
  await replaceNote(disk.fs, state, { text, spare });
  if (!disk.syncs) return;
  await syncPath(disk, home);
  disk.kept.state = text;
}

/** Waits until the disk keeps the names that steps have changed. */
export async function syncChanged(disk: Disk, steps: readonly Step[]): Promise<void> {
  await together(changedDirectories(steps).map((key) => syncPath(disk, hostPath(disk.root, key))));
}

const abandonedMs = 60 * 60 * 1000;

/** Clears away what others left behind who have ended, or of whom nobody knows. Only for who has the lock. */
export async function sweep(disk: Disk): Promise<void> {
  const { staging } = disk.places;
  const own = await disk.owner();
  for (const { name } of await disk.fs.readdir(staging, { withFileTypes: true })) {
    if (name.startsWith(`${own}-`)) continue;
    const host = join(staging, name);
    const stats = await unless(() => disk.fs.lstat(host, { bigint: true }), 'ENOENT');
    const isOld = stats !== undefined && Date.now() - Number(stats.ctimeMs) > abandonedMs;
    if ((await hasEnded(name)) ?? isOld) await discard(disk, host);
  }
}
