import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { homeOf } from './disk.ts';
import type { Disk } from './disk.ts';
import { syncDirectory } from './home.ts';
import { readNote, replaceNote } from './note.ts';
import { unless } from './refusal.ts';
import { clear, discard, revert, slotsOf } from './steps.ts';
import type { Step } from './steps.ts';

// A commit of several steps is written down before the first. The note `state` says `active {id}` from then on and
// `idle {id}` after the last: that change of the note is the moment at which all of it has happened. Who has the lock
// and reads `active` has found a commit that was interrupted, and takes it back.

const active = 'active ';

/** The steps of one commit. */
export interface Batch {
  readonly id: string;
  readonly steps: readonly Step[];
}

/** What the note says now: something else after each commit of several steps. */
export function readState(disk: Disk): Promise<string | undefined> {
  return readNote(disk.fs, homeOf(disk).state);
}

/** Whether a commit of several steps is going on, or was interrupted. */
export function isActive(state: string | undefined): boolean {
  return state?.startsWith(active) === true;
}

/** Writes down what is about to be done. */
export async function begin(disk: Disk, { id, steps }: Batch): Promise<void> {
  const { staging } = homeOf(disk);
  const handle = await disk.fs.open(journalOf(disk, id), 'wx', 0o600);
  try {
    await handle.writeFile(JSON.stringify(steps));
    if (disk.syncs) await handle.sync();
  } finally {
    await handle.close();
  }
  if (disk.syncs) await syncDirectory(disk, staging);
  await setState(disk, active + id);
}

/** The commit has happened, or has been taken back. */
export async function end(disk: Disk, { id, steps }: Batch): Promise<void> {
  await setState(disk, `idle ${id}`);
  for (const index of steps.keys()) await clear(disk, slotsOf(disk, id, index));
  await discard(disk, journalOf(disk, id));
}

/** Takes back all steps of a commit, the last one first. */
export async function undo(disk: Disk, { id, steps }: Batch): Promise<void> {
  for (const [index, step] of [...steps.entries()].toReversed()) await revert(disk, step, slotsOf(disk, id, index));
  await end(disk, { id, steps });
}

/** Takes back the commit that was interrupted, if one was. Only for who has the lock. */
export async function recover(disk: Disk): Promise<void> {
  const state = await readState(disk);
  if (state === undefined || !isActive(state)) return;
  const id = state.slice(active.length);
  await undo(disk, { id, steps: (await readSteps(disk, id)) ?? [] });
}

/** Without its journal, which only a loss of power can take, a commit is left as far as it came. */
async function readSteps(disk: Disk, id: string): Promise<readonly Step[] | undefined> {
  const text = await unless(disk.fs.readFile(journalOf(disk, id), 'utf8'), 'ENOENT');
  try {
    return JSON.parse(text ?? '') as readonly Step[];
  } catch {
    return undefined;
  }
}

function journalOf(disk: Disk, id: string): string {
  return join(homeOf(disk).staging, `${id}.json`);
}

async function setState(disk: Disk, text: string): Promise<void> {
  const { home, state, staging } = homeOf(disk);
  await replaceNote(disk.fs, state, { text, spare: join(staging, randomUUID()) });
  if (disk.syncs) await syncDirectory(disk, home);
}

const abandonedMs = 60 * 60 * 1000;

/** Clears away what interrupted commits left behind, but nothing that somebody may be staging. Only for who has the lock. */
export async function sweep(disk: Disk): Promise<void> {
  const { staging } = homeOf(disk);
  for (const name of await disk.fs.readdir(staging)) {
    const host = join(staging, name);
    const stats = await unless(disk.fs.lstat(host), 'ENOENT');
    if (stats !== undefined && Date.now() - stats.ctimeMs > abandonedMs) await discard(disk, host);
  }
}
