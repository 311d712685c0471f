import type { StorageDriver } from '@utensil/core';
import type { Retention } from './retention.ts';

/** What storages of several authors share. */
export interface Shared {
  readonly driver: StorageDriver;
  readonly retention: Retention;
  readonly now: () => number;
  readonly newId: (time: number) => string;
}

/** What a history works with. */
export interface Past extends Shared {
  /** Another storage, whose changes are kept and signed like those of this one, under ids of these. */
  over(driver: StorageDriver, newId?: Shared['newId']): StorageDriver;
}
