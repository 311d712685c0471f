import { join } from 'node:path';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { fileError } from '@utensil/core/files';
import type { Disk, Lease } from './disk.ts';
import { createOwnNote } from './lease.ts';
import { readNotes } from './lock-notes.ts';
import type { Note } from './lock-notes.ts';
import { statsAt } from './stats.ts';
import { leaveNote, readNote } from './note.ts';
import { hasEnded, uniqueEnd } from './owner.ts';
import { unless } from './refusal.ts';
import { setAsideForeign } from './set-aside.ts';

// The lock is a directory of numbered notes, each with the name of its owner. The creator of note 1 holds the lock.
// When the owners of all notes are dead, the creator of the next number takes over, provided that the notes have not
// changed. Two processes that see the same dead owner cannot both succeed, because they compete for the same number,
// and a late one finds other notes. A holder removes the notes of the dead first and its own last: its own becomes the
// note `last`, by which the next holder can tell whether anybody held the lock in between.

/** Runs work under the lock of the root, which excludes other work in this process and others. */
export type Lock = <Result>(work: (lease: Lease) => Promise<Result>) => Promise<Result>;

/** Maximum time to run queued work under one lock before others get their turn. */
const longestHoldMs = 10;

/** Minimum polling interval of a waiter; a holder that releases the lock to a waiter stays away for longer. */
const longestWaitMs = 4;
const restMs = 6;

/** Completed work that is not yet reported. */
interface Done {
  tell(): void;
  refuse(error: unknown): void;
}

/** Queued work; returns a function that reports its result. */
interface Waiting {
  readonly since: number;
  run(lease: Lease): Promise<Done>;
  refuse(error: unknown): void;
}

/** Creates the lock of a root. Rejects waiters after `timeoutMs`. */
export function createLock(disk: Disk, timeoutMs: number): Lock {
  const { fs } = disk;
  const { last, knock } = disk.places;
  const queue: Waiting[] = [];
  const id = uniqueEnd();
  let count = 0;
  let before: string | undefined;
  let restUntil = 0;
  let isServing = false;

  return (work) =>
    new Promise((resolve, reject) => {
      queue.push({
        since: performance.now(),
        run: (lease) => outcomeOf(work(lease), resolve, reject),
        refuse: reject,
      });
      if (!isServing) void serve();
    });

  async function serve(): Promise<void> {
    isServing = true;
    while (queue.length > 0) {
      try {
        await rest();
        await serveQueue(`${await disk.owner()}-${id}.${++count}`);
      } catch (error) {
        refuse(error);
      }
      if (queue.length > 0) await turn();
    }
    isServing = false;
  }

  /** Rejects everything that has waited as long as the first waiter. */
  function refuse(error: unknown): void {
    const now = performance.now();
    const late = queue.filter(({ since }, index) => index === 0 || now - since >= timeoutMs);
    queue.splice(0, queue.length, ...queue.filter((each) => !late.includes(each)));
    for (const each of late) each.refuse(error);
  }

  async function serveQueue(owner: string): Promise<void> {
    const notes = await acquire(disk, { owner, timeoutMs });
    const own = createOwnNote(disk, { notes, owner, renewMs: timeoutMs / 8 });
    let isAlone = notes.length === 1 && before !== undefined && (await lastOwner()) === before;
    before = undefined;
    const until = performance.now() + longestHoldMs;
    const done: Done[] = [];
    for (let next = queue.shift(); next !== undefined; next = performance.now() < until ? queue.shift() : undefined) {
      done.push(await next.run({ ...own, isAlone }));
      isAlone = true;
    }
    const failure = await failureOf(disk.pendingSync.end());
    try {
      if (!own.isLost()) await release(notes);
      before = own.text();
      if (await isKnocked()) restUntil = performance.now() + restMs;
    } catch {
      // The work is done; the next caller receives the error.
    }
    for (const { tell, refuse: fail } of done) {
      if (failure === undefined) tell();
      else fail(failure.error);
    }
  }

  async function lastOwner(): Promise<string | undefined> {
    return readNote(fs, last).catch(() => undefined);
  }

  async function release(notes: readonly string[]): Promise<void> {
    const own = notes.at(-1) ?? '';
    for (const note of notes.slice(0, -1)) {
      const stats = await statsAt({ fs }, note);
      if (stats?.isDirectory() === true) await setAsideForeign(disk, note);
      else if (stats !== undefined) await unless(() => fs.unlink(note), 'ENOENT');
    }
    try {
      await fs.rename(own, last);
    } catch (error) {
      await unless(() => fs.unlink(own), 'ENOENT');
      throw error;
    }
  }

  async function isKnocked(): Promise<boolean> {
    if ((await statsAt({ fs }, knock)) === undefined) return false;
    await unless(() => fs.unlink(knock), 'ENOENT');
    return true;
  }

  async function rest(): Promise<void> {
    const left = restUntil - performance.now();
    if (left > 0) await pause(left);
  }
}

async function outcomeOf<Result>(
  work: Promise<Result>,
  resolve: (result: Result) => void,
  reject: (error: unknown) => void,
): Promise<Done> {
  try {
    const result = await work;
    return { tell: () => resolve(result), refuse: reject };
  } catch (error) {
    return { tell: () => reject(error), refuse: reject };
  }
}

async function failureOf(work: Promise<void>): Promise<{ readonly error: unknown } | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return { error };
  }
}

/** Waits for the lock. Returns the notes to remove at the end, in order. */
async function acquire(
  disk: Disk,
  { owner, timeoutMs }: { readonly owner: string; readonly timeoutMs: number },
): Promise<readonly string[]> {
  const { lock, knock } = disk.places;
  const first = join(lock, '1');
  const deadline = performance.now() + timeoutMs;
  let seen = '';
  let seenAt = performance.now();
  for (let wait = 1; ; wait = Math.min(wait * 2, longestWaitMs)) {
    if (await leaveNote(disk.fs, first, owner)) return [first];
    await leaveNote(disk.fs, knock, owner);
    const notes = await readNotes(disk, lock);
    if (JSON.stringify(notes) !== seen) [seen, seenAt] = [JSON.stringify(notes), performance.now()];
    if (await areDead(notes, performance.now() - seenAt >= timeoutMs / 2)) {
      const taken = await takeOver(disk, { directory: lock, owner, notes });
      if (taken !== undefined) return taken;
    }
    if (performance.now() >= deadline) {
      throw fileError('EBUSY', '/', { hint: 'Another program is changing these files: try again.', retryable: true });
    }
    await pause(wait);
  }
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
  await unless(() => disk.fs.unlink(next), 'ENOENT');
  return undefined;
}

/**
 * `isStale`: the notes have not changed for so long that an owner elsewhere, which cannot be checked, counts as dead.
 */
async function areDead(notes: readonly Note[], isStale: boolean): Promise<boolean> {
  const dead = notes.map(async ({ owner }) => (await hasEnded(owner)) ?? isStale);
  return notes.length > 0 && (await Promise.all(dead)).every(Boolean);
}
