import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileError } from '@utensil/core';
import type { Answer, Disk } from './disk.ts';
import { readNotes } from './lock-notes.ts';
import { readNote, replaceNote } from './note.ts';
import { uniqueEnd } from './owner.ts';

// An owner of the lock that nobody here can ask, on another machine or in another container, counts as dead if the notes
// stay the same for long. So a holder changes its note from time to time, between two steps. If it was stopped for too
// long and somebody else has taken over, it finds that out then, and leaves everything to them.

/** A lock that is held. */
export interface Hold {
  /** Whether nobody else has had the lock since this one did its work before. */
  readonly isAlone: boolean;
  /** Whether somebody else has taken over. */
  isLost(): boolean;
  /** Shows that the holder is still at work. To be called between steps; throws `EBUSY` if somebody else has taken over. */
  renew(): Answer<void>;
}

/** The note of a holder. */
export interface OwnNote extends Omit<Hold, 'isAlone'> {
  /** Its text by now. */
  text(): string;
}

/** What a holder has left. */
export interface Owning {
  /** The notes to take away at the end; the last one is its own. */
  readonly notes: readonly string[];
  readonly owner: string;
  /** How old the note becomes before it is changed. */
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

  /** Whoever takes over leaves a later note first. If that was before this change, it is there now, and stays. */
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

/** Who finds that he cannot take over takes his note away sooner than this. */
const longestClaimMs = 250;

async function hasLaterNote(disk: Disk, own: string): Promise<boolean> {
  const notes = await readNotes(disk, disk.places.lock);
  return notes.some(({ number }) => number > Number(basename(own)));
}
