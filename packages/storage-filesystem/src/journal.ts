import { hash } from 'node:crypto';
import { join } from 'node:path';
import { isObject } from '@utensil/core';
import type { EntryKey } from '@utensil/core/storage';
import { hostPath, isForbidden } from './host-path.ts';
import type { Disk } from './disk.ts';
import { statsAt } from './stats.ts';
import { syncPath } from './home.ts';
import { readNote, replaceNote } from './note.ts';
import { uniqueEnd } from './owner.ts';
import { codeOf, unless } from './refusal.ts';
import { setAsideForeign } from './set-aside.ts';
import { clear, discard, slotsOf } from './slots.ts';
import { changedDirectories } from './step.ts';
import type { Step } from './step.ts';
import { together } from './together.ts';

// A commit that needs several calls is written to a journal before its first step. The note `state` says `active {id}`
// from then on and `idle {id}` after the last step; that change of the note commits it. A lock holder that reads
// anything else has found an interrupted commit, and undoes it (`recover.ts`).

const active = 'active ';
const idle = 'idle';

/** The steps of one commit. */
export interface Batch {
  readonly id: string;
  readonly steps: readonly Step[];
  /** Identity of the staged entry of each step, once staged. */
  readonly brings?: readonly (string | undefined)[];
}

/** Current text of the note, which differs after each journaled commit. */
export async function readState(disk: Disk): Promise<string | undefined> {
  // A failed read takes five times as long as a stat, and a directory may be read for long before the first write.
  disk.seen.state ||= (await statsAt(disk, disk.places.state)) !== undefined;
  return disk.seen.state ? readNote(disk.fs, disk.places.state) : undefined;
}

/** True if a journaled commit is in progress or was interrupted. Any other text means that the note is damaged. */
export function isActive(state: string | undefined): boolean {
  return state !== undefined && !state.startsWith(idle);
}

/** Id of the commit in progress; undefined if the note names none. An id never leads out of the folder `tmp`. */
export function activeId(state: string): string | undefined {
  const [id = ''] = state.startsWith(active) ? state.slice(active.length).split(' ') : [];
  return /^[\w-]+$/.test(id) ? id : undefined;
}

/** Writes the journal of a commit. */
export async function begin(disk: Disk, batch: Batch): Promise<void> {
  const file = await disk.fs.open(journalOf(disk, batch.id), 'wx', 0o600);
  try {
    await file.writeFile(toLines(batch));
    if (disk.syncs) await together([file.sync(), syncPath(disk, disk.places.staging)]);
  } finally {
    await file.close();
  }
  await setState(disk, active + batch.id);
}

/** Marks a commit as completed or undone. */
export async function end(disk: Disk, { id }: Pick<Batch, 'id'>): Promise<void> {
  try {
    await setState(disk, `${idle} ${id}`);
  } catch (error) {
    if (codeOf(error) !== 'ENOSPC' && codeOf(error) !== 'EDQUOT') throw error;
    await unless(() => disk.fs.unlink(disk.places.state), 'ENOENT'); // a missing note means the same and takes no space
    if (disk.syncs) await syncPath(disk, disk.places.home);
  }
}

/** Removes the staged data of a completed commit. */
export async function tidy(disk: Disk, { id, steps }: Batch): Promise<void> {
  for (const index of steps.keys()) await clear(disk, slotsOf(disk, id, index));
  await discardJournal(disk, id);
}

/** Removes a journal, after everything that it describes. */
export function discardJournal(disk: Disk, id: string): Promise<void> {
  return discard(disk, journalOf(disk, id));
}

/** True if a commit has a journal. */
export async function hasJournal(disk: Disk, id: string): Promise<boolean> {
  return (await statsAt(disk, journalOf(disk, id))) !== undefined;
}

/** A step as journaled. */
export interface JournaledStep {
  readonly index: number;
  readonly step: Step;
  readonly brings: string | undefined;
}

/** Readable steps of a journal, in order; each line has its own checksum. */
export async function readJournal(disk: Disk, id: string): Promise<readonly JournaledStep[]> {
  const text = (await unless(() => disk.fs.readFile(journalOf(disk, id), 'utf8'), 'ENOENT', 'EISDIR')) ?? '';
  return text
    .split('\n')
    .map(fromLine)
    .filter((line) => line !== undefined)
    .sort((left, right) => left.index - right.index);
}

function toLines({ steps, brings = [] }: Batch): string {
  return steps
    .map((step, index) => {
      const line = JSON.stringify([index, step, brings[index]]);
      return `${checksumOf(line)} ${line}\n`;
    })
    .join('');
}

function fromLine(line: string): JournaledStep | undefined {
  const [checksum, json] = [line.slice(0, checksumLength), line.slice(checksumLength + 1)];
  if (json === '' || checksum !== checksumOf(json)) return undefined;
  const parsed: unknown = JSON.parse(json);
  const [index, step, brings]: readonly unknown[] = Array.isArray(parsed) ? parsed : [];
  if (!Number.isSafeInteger(index) || Number(index) < 0 || !isStep(step)) return undefined;
  return { index: Number(index), step, brings: typeof brings === 'string' ? brings : undefined };
}

const checksumLength = 8;

function checksumOf(line: string): string {
  return hash('sha256', line, 'hex').slice(0, checksumLength);
}

/** True for a step on paths of this storage; anyone could have written the journal. */
function isStep(value: unknown): value is Step {
  if (!isKey(value)) return false;
  const { type, to } = value;
  if (type === 'move' || type === 'replace') return isKey(to);
  return type === 'write' || type === 'make-directory' || type === 'remove';
}

function isKey(value: unknown): value is EntryKey & Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const { tree, path } = value;
  const isTree = tree === 'files' || tree === 'records';
  return isTree && typeof path === 'string' && path.startsWith('/') && !isForbidden({ tree, path });
}

function journalOf(disk: Disk, id: string): string {
  return join(disk.places.staging, `${id}.json`);
}

async function setState(disk: Disk, text: string): Promise<void> {
  const { home, state, staging } = disk.places;
  const spare = join(staging, `${await disk.owner()}-${uniqueEnd()}`);
  try {
    await replaceNote(disk.fs, state, { text, spare });
  } catch (error) {
    if (!['EISDIR', 'EEXIST', 'ENOTEMPTY', 'EPERM'].includes(codeOf(error) ?? '')) throw error;
    await setAsideForeign(disk, state);
    await replaceNote(disk.fs, state, { text, spare });
  }
  if (!disk.syncs) return;
  await syncPath(disk, home);
  disk.durableState.state = text;
}

/** Syncs the directories whose names the steps changed. */
export async function syncChanged(disk: Disk, steps: readonly Step[]): Promise<void> {
  await together(changedDirectories(steps).map((key) => syncPath(disk, hostPath(disk.root, key))));
}
