import { join } from 'node:path';
import { reservedName } from '@utensil/core/storage';
import type { UtensilError } from '@utensil/core';
import type { Anchors } from './anchor.ts';
import type { Children } from './children.ts';
import type { Versions } from './content.ts';
import type { NameIndex } from './names.ts';
import type { Answer, Root } from './file-system.ts';
import type { Unkept } from './unkept.ts';

/** What is known to survive a loss of power. */
export interface Kept {
  /** Directories that are found again by their names, each with what identifies it. */
  readonly directories: Map<string, string>;
  /** Directories in which durable commits have put something, those of long ago first. */
  readonly holding: Set<string>;
  /** What the note `state` says at least. */
  state: string | undefined;
  /** True if the root and the storage's own folder are found again. */
  hasHome: boolean;
  /** The outermost directory that was made for the root. */
  outermost: string | undefined;
}

/** A lock that is held. */
export interface Hold {
  /** True if nobody else has held the lock since this owner's last commit. */
  readonly isAlone: boolean;
  /** True if another program has taken over. */
  isLost(): boolean;
  /** Renews the note of the holder, between steps. Throws `EBUSY` if another program has taken over. */
  renew(): Answer<void>;
}

/** The directory that everything is in, and how it is reached. */
export interface Disk extends Root {
  readonly places: ReturnType<typeof placesIn>;
  readonly versions: Versions;
  readonly names: NameIndex;
  readonly children: Children;
  /** The name of this process, by which others can tell whether it still runs. */
  owner(): Promise<string>;
  readonly anchors: Anchors;
  /** The lock, if it is held. */
  readonly hold?: Hold;
  /** Told of what could not be undone. */
  warn(problem: UtensilError): void;
  /** To be waited for now and then, so that others have their turn. */
  pause(): Promise<void> | undefined;
  /** What was seen of the storage's own folder: `state` is its note of that name. */
  readonly seen: { state: boolean };
  /** True if what is acknowledged must survive a loss of power. */
  readonly syncs: boolean;
  /** True if that holds for all that this storage does. */
  readonly keepsAll: boolean;
  /** What is known to survive it. */
  readonly kept: Kept;
  /** What it has yet to survive, of what is not acknowledged yet. */
  readonly unkept: Unkept;
}

/** The places in the folder of the root that holds the storage's own data. */
export function placesIn(root: string) {
  const home = join(root, reservedName);
  return {
    home,
    /** Holds the note of whoever may commit. */
    lock: join(home, 'lock'),
    /** The note of who held the lock last. */
    last: join(home, 'last'),
    /** There while somebody waits for the lock. */
    knock: join(home, 'knock'),
    /** Says which commit was the last, and whether it is still going on. */
    state: join(home, 'state'),
    /** What is on its way into a tree, or out of it. */
    staging: join(home, 'tmp'),
    ignore: join(home, '.gitignore'),
    records: join(home, 'records'),
    /** Content that could not be put back when an interrupted commit was undone. */
    setAside: join(home, 'set-aside'),
  };
}
