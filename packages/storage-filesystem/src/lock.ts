import { randomUUID } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileError } from '@utensil/core';
import { homeOf } from './disk.ts';
import type { Disk } from './disk.ts';
import { leaveNote, readNote } from './note.ts';
import { unless } from './refusal.ts';

// The lock is a directory of numbered notes, each with the name of its owner. Who leaves note 1 holds the lock. When
// the owners of all notes have died, who leaves the next number takes over, if all of them are still the same then:
// two who see the same dead owner cannot both succeed, because they want the same number, and a late one finds other
// notes. A holder takes away the notes of the dead first, and its own last.

/** Does some work while nobody else, in this process or another, has the lock of the same root. */
export type Lock = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** The lock of a root. Who waits for longer than `timeoutMs` is told so. */
export function createLock(disk: Disk, timeoutMs: number): Lock {
  let place: Promise<string> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let count = 0;
  const id = randomUUID();
  return async (work) => {
    const turn = last.then(() => hold(work));
    last = turn.catch(() => {});
    return turn;
  };

  async function hold<Result>(work: () => Promise<Result>): Promise<Result> {
    place ??= describePlace();
    const notes = await acquire(disk, { owner: `${await place}:${id}.${++count}`, timeoutMs });
    try {
      return await work();
    } finally {
      for (const note of notes) await unless(disk.fs.unlink(note), 'ENOENT');
    }
  }
}

/** Waits for the lock; gives the notes to take away at the end, in this order. */
async function acquire(
  disk: Disk,
  { owner, timeoutMs }: { readonly owner: string; readonly timeoutMs: number },
): Promise<readonly string[]> {
  const directory = homeOf(disk).lock;
  const first = join(directory, '1');
  const deadline = performance.now() + timeoutMs;
  let seen = '';
  let seenAt = performance.now();
  for (let wait = 1; ; wait = Math.min(wait * 2, 16)) {
    if (await leaveNote(disk.fs, first, owner)) return [first];
    const notes = await readNotes(disk, directory);
    if (JSON.stringify(notes) !== seen) [seen, seenAt] = [JSON.stringify(notes), performance.now()];
    if (await areDead(notes, performance.now() - seenAt >= timeoutMs / 2)) {
      const taken = await takeOver(disk, { directory, owner, notes });
      if (taken !== undefined) return taken;
    }
    if (performance.now() >= deadline) {
      throw fileError('EBUSY', '/', { hint: 'Another program is changing these files: try again.', retryable: true });
    }
    await pause(wait);
  }
}

interface Note {
  readonly number: number;
  readonly owner: string;
}

async function readNotes({ fs }: Disk, directory: string): Promise<readonly Note[]> {
  const names = (await fs.readdir(directory)).filter((name) => /^\d+$/.test(name));
  const notes = names.map(async (name) => ({ number: Number(name), owner: await readNote(fs, join(directory, name)) }));
  return (await Promise.all(notes))
    .flatMap(({ number, owner }) => (owner === undefined ? [] : [{ number, owner }]))
    .sort((left, right) => left.number - right.number);
}

interface Claim {
  readonly directory: string;
  readonly owner: string;
  readonly notes: readonly Note[];
}

async function takeOver(disk: Disk, { directory, owner, notes }: Claim): Promise<readonly string[] | undefined> {
  const next = join(directory, `${(notes.at(-1)?.number ?? 0) + 1}`);
  if (!(await leaveNote(disk.fs, next, owner))) return undefined;
  const now = (await readNotes(disk, directory)).filter((note) => note.owner !== owner);
  if (JSON.stringify(now) === JSON.stringify(notes))
    return [...notes.map(({ number }) => join(directory, `${number}`)), next];
  await unless(disk.fs.unlink(next), 'ENOENT');
  return undefined;
}

/** `isStale`: they have not changed for so long that an owner elsewhere, whom nobody can ask, counts as dead. */
async function areDead(notes: readonly Note[], isStale: boolean): Promise<boolean> {
  const here = (await describePlace()).split(':')[0];
  const dead = notes.map(async ({ owner }) => {
    const [host, pid, start] = owner.split(':');
    if (host !== here || start === undefined) return isStale;
    return !isRunning(Number(pid)) || (start !== '' && start !== (await startOf(Number(pid))));
  });
  return notes.length > 0 && (await Promise.all(dead)).every(Boolean);
}

/** Where this process runs, so that others can tell whether it still does: `host:pid:start`. */
async function describePlace(): Promise<string> {
  const processes = (await unless(readlink('/proc/self/ns/pid'), 'ENOENT', 'EACCES')) ?? '';
  return `${encodeURIComponent(`${hostname()} ${processes}`)}:${process.pid}:${await startOf(process.pid)}`;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** When a process started, where the system tells: a number is given again to another process, even to this one. */
async function startOf(pid: number): Promise<string> {
  const stat = await unless(readFile(`/proc/${pid}/stat`, 'utf8'), 'ENOENT', 'EACCES', 'ESRCH');
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
