import { join } from 'node:path';
import { reservedName } from '@utensil/core/storage';
import type { UtensilError } from '@utensil/core';
import type { Anchors } from './anchor.ts';
import type { Children } from './children.ts';
import type { Versions } from './content.ts';
import type { NameIndex } from './names.ts';
import type { Answer, Root } from './file-system.ts';
import type { PendingSync } from './pending-sync.ts';

/** State known to survive power loss. */
export interface DurableState {
  /** Directories whose names are synced, each with its identity. */
  readonly directories: Map<string, string>;
  /** Directories that contain durable entries, oldest first. */
  readonly durableDirectories: Set<string>;
  /** Lower bound of the synced note `state`. */
  state: string | undefined;
  /** True if the names of the root and of the storage's own folder are synced. */
  hasHome: boolean;
  /** The outermost directory created for the root. */
  outermost: string | undefined;
}

/** A lock held by this storage. */
export interface Lease {
  /** True if nobody else has held the lock since the last commit of this owner. */
  readonly isAlone: boolean;
  /** True if another program has taken over. */
  isLost(): boolean;
  /** Renews the holder's note between steps. Throws `EBUSY` if another program has taken over. */
  renew(): Answer<void>;
}

/** The directory of a storage, and access to it. */
export interface Disk extends Root {
  readonly places: ReturnType<typeof placesIn>;
  readonly versions: Versions;
  readonly names: NameIndex;
  readonly children: Children;
  /** Name of this process, by which others can tell whether it is alive. */
  owner(): Promise<string>;
  readonly anchors: Anchors;
  /** The lock, if it is held. */
  readonly lease?: Lease;
  /** Reports changes that could not be undone. */
  warn(problem: UtensilError): void;
  /** Yields occasionally, so that other work gets its turn. */
  pause(): Promise<void> | undefined;
  /** State of the storage's own folder: `state` is true once that note has been seen. */
  readonly seen: { state: boolean };
  /** True if acknowledged changes must survive power loss. */
  readonly syncs: boolean;
  /** True if all changes of this storage must survive it. */
  readonly syncsAll: boolean;
  /** State known to survive power loss. */
  readonly durableState: DurableState;
  /** Directories to sync before pending commits are acknowledged. */
  readonly pendingSync: PendingSync;
}

/** Paths in the storage's own folder. */
export function placesIn(root: string) {
  const home = join(root, reservedName);
  return {
    home,
    /** Notes of lock holders. */
    lock: join(home, 'lock'),
    /** Note of the last lock holder. */
    last: join(home, 'last'),
    /** Exists while a process waits for the lock. */
    knock: join(home, 'knock'),
    /** Names the last commit, and whether it is in progress. */
    state: join(home, 'state'),
    /** Staging area for content on its way into or out of a tree. */
    staging: join(home, 'tmp'),
    ignore: join(home, '.gitignore'),
    records: join(home, 'records'),
    /** Content that could not be restored when an interrupted commit was undone. */
    setAside: join(home, 'set-aside'),
  };
}
