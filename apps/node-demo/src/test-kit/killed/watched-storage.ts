import type { StorageDriver } from '@utensil/core/storage';
import { between, type Reached } from './boundaries.ts';

/** A storage with a boundary on either side of each commit. */
export function watchedStorage(storage: StorageDriver, at: Reached): StorageDriver {
  return {
    ...storage,
    commit(commit) {
      const path = commit.changes.at(-1)?.path ?? '';
      return between(at, `storage.commit(${inEveryProcess(path)})`, () => storage.commit(commit));
    },
  };
}

/** A path as in every process: without the number of a record and the id of an inner run. */
function inEveryProcess(path: string): string {
  return path.replace(/\/\d+\.json$/, '').replace(/\/runs\/[^/]+/, '/runs/inner');
}
