import type { StorageDriver } from '@utensil/core/storage';
import type { NewId } from './ids.ts';
import type { BoundedMap } from './bounded-map.ts';
import type { Retention } from './retention.ts';
import type { VersionCounts } from './version-counts.ts';

/** State shared by the storages of several authors. */
export interface Shared {
  readonly driver: StorageDriver;
  readonly retention: Retention;
  readonly now: () => number;
  readonly newId: NewId;
  readonly counts: VersionCounts;
  /** The id of the last note of each turn that this storage has made or is about to make. */
  readonly lastNotes: BoundedMap<string>;
  /** Applies the retention because the storage is full. Resolves to true if that freed space. */
  reclaim(): Promise<boolean>;
}

/** Dependencies of a history. */
export interface Past extends Shared {
  /** A versioned storage over another driver, with the author of this one and ids from `newId`. */
  over(driver: StorageDriver, newId?: NewId): StorageDriver;
}
