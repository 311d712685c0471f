import type { StorageDriver } from '@utensil/core/storage';
import { between, type Reached } from './boundaries.ts';

/** A storage with a boundary on either side of each commit. */
export function watchedStorage(storage: StorageDriver, at: Reached): StorageDriver {
  return {
    ...storage,
    commit(commit) {
      const path = commit.changes.map((change) => change.path.replace(/\/\d+\.json$/, '')).at(-1) ?? '';
      return between(at, `storage.commit(${path})`, () => storage.commit(commit));
    },
  };
}
