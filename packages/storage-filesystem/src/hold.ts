import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileError } from '@utensil/core/files';
import type { Disk, Hold } from './disk.ts';
import { readNotes } from './lock-notes.ts';
import { readNote, replaceNote } from './note.ts';
import { uniqueEnd } from './owner.ts';

// The owner of a lock may be on another machine or in another container, where nobody here can see if it is alive. It counts
// as dead if its notes stay the same for long, so a holder renews its note between steps, like a lease. If it was stopped for
// too long and another program has taken over, it notices then, and leaves everything to that program.

/** The note of a holder. */
export interface OwnNote extends Omit<Hold, 'isAlone'> {
  /** Its present text. */
  text(): string;
}

/** The notes of a holder. */
export interface Owning {
  /** The notes to remove at the end; the last one is the holder's own. */
  readonly notes: readonly string[];
  readonly owner: string;
  /** Age of the note, in milliseconds, at which it is renewed. */
  readonly renewMs: number;
}

/** The note of a holder that has just left it. */
export function createOwnNote(disk: Disk, { notes, owner, renewMs }: Owning): OwnNote {
  const path = notes.at(-1) ?? '';
  let text = owner;
  let count = 0;
  let renewedAt = performance.now();
  let isLost = false;

  async function renew(): Promise<void> {
    if (!isLost) isLost = !(await isOwn()) || !(await replace());
    if (!isLost) return;
    const hint =
      'This program was stopped for so long that another one has taken over: look at what is there, then try again.';
    throw fileError('EBUSY', '/', { hint, retryable: true });
  }

  async function isOwn(): Promise<boolean> {
    return (await readNote(disk.fs, path)) === text;
  }

  /** A program that takes over leaves a later note first: if it did so before this renewal, that note is there now, and stays. */
  async function replace(): Promise<boolean> {
    text = `${owner}~${++count}`;
    await replaceNote(disk.fs, path, { text, spare: join(disk.places.staging, `${owner}~${uniqueEnd()}`) });
    renewedAt = performance.now();
    for (let wait = 1; await hasLaterNote(disk, path); wait *= 2) {
      if (wait > longestClaimMs) return false;
      await pause(wait);
    }
    return isOwn(); // not if they had the lock and have given it back
  }

  return {
    text: () => text,
    isLost: () => isLost,
    renew: () => (isLost || performance.now() - renewedAt > renewMs ? renew() : undefined),
  };
}

/** In milliseconds: a program that fails to take over removes its note sooner. */
const longestClaimMs = 250;

async function hasLaterNote(disk: Disk, own: string): Promise<boolean> {
  const notes = await readNotes(disk, disk.places.lock);
  return notes.some(({ number }) => number > Number(basename(own)));
}
