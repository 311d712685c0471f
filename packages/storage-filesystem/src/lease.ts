import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileError } from '@utensil/core/files';
import type { Disk, Lease } from './disk.ts';
import { readNotes } from './lock-notes.ts';
import { readNote, replaceNote } from './note.ts';
import { uniqueEnd } from './owner.ts';

// The owner of a lock may be on another machine or in another container, where its process cannot be checked. It counts
// as dead if its notes stay unchanged for a long time, so a holder renews its note between steps, like a lease. After a
// long pause, a holder checks whether another program has taken over, and if so, leaves everything to it.

/** The note of a lock holder. */
export interface OwnNote extends Omit<Lease, 'isAlone'> {
  /** Its current text. */
  text(): string;
}

/** Notes of a lock holder. */
export interface Owning {
  /** Notes to remove at the end; the last one is the holder's own. */
  readonly notes: readonly string[];
  readonly owner: string;
  /** Age at which the note is renewed, in milliseconds. */
  readonly renewMs: number;
}

/** Creates the handle of a note that was just left. */
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
      'This program was paused for so long that another one took over the lock: check the current state, then try again.';
    throw fileError('EBUSY', '/', { hint, retryable: true });
  }

  async function isOwn(): Promise<boolean> {
    return (await readNote(disk.fs, path)) === text;
  }

  /**
   * A program that takes over leaves a later note first. If it did so before this renewal, that note exists now and
   * wins.
   */
  async function replace(): Promise<boolean> {
    text = `${owner}~${++count}`;
    await replaceNote(disk.fs, path, { text, spare: join(disk.places.staging, `${owner}~${uniqueEnd()}`) });
    renewedAt = performance.now();
    for (let wait = 1; await hasLaterNote(disk, path); wait *= 2) {
      if (wait > longestClaimMs) return false;
      await pause(wait);
    }
    return isOwn(); // unless they had the lock and have released it
  }

  return {
    text: () => text,
    isLost: () => isLost,
    renew: () => (isLost || performance.now() - renewedAt > renewMs ? renew() : undefined),
  };
}

/** In milliseconds; a failed takeover removes its note sooner. */
const longestClaimMs = 250;

async function hasLaterNote(disk: Disk, own: string): Promise<boolean> {
  const notes = await readNotes(disk, disk.places.lock);
  return notes.some(({ number }) => number > Number(basename(own)));
}
