import type { StorageDriver } from '@utensil/core/storage';
import type { NewId } from './ids.ts';
import type { BoundedMap } from './bounded-map.ts';
import type { Retention } from './retention.ts';
import type { VersionCounts } from './version-counts.ts';

/** What storages of several authors share. */
export interface Shared {
  readonly driver: StorageDriver;
  readonly retention: Retention;
  readonly now: () => number;
  readonly newId: NewId;
  readonly counts: VersionCounts;
  /** The id of the last note of each turn that this storage made, or is about to make. */
  readonly lastNotes: BoundedMap<string>;
  /** Drops what is not to be kept any longer, because the storage is full; gives whether that made room. */
  reclaim(): Promise<boolean>;
}

/** What a history works with. */
export interface Past extends Shared {
  /** Another storage, whose changes are kept and signed like those of this one, under ids of these. */
  over(driver: StorageDriver, newId?: NewId): StorageDriver;
}
