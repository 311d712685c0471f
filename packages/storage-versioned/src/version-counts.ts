import { isWithin } from '@utensil/core/files';
import type { StorageEntry } from '@utensil/core/storage';
import { createBoundedMap } from './bounded-map.ts';

/** Facts about the versions of a file that save listing them. */
export interface VersionCount {
  /** The id of the newest version; the next one must follow it. */
  readonly lastId?: string;
  /** Number of versions that may be added before the next listing. */
  readonly left: number;
}

/** Counts for the files that a storage wrote last. */
export interface VersionCounts {
  /**
   * The count of a file; undefined if the entry differs from the one this storage left, because others may have added
   * versions.
   */
  of(entry: StorageEntry): VersionCount | undefined;
  keep(entry: StorageEntry, count: VersionCount): void;
  /** Forgets a file, or all files in a directory. */
  forget(path: string): void;
}

export function createVersionCounts(): VersionCounts {
  const known = createBoundedMap<{ readonly count: VersionCount; readonly signature: string }>();
  return {
    of(entry) {
      const found = known.get(entry.path);
      return found?.signature === signatureOf(entry) ? found.count : undefined;
    },
    keep: (entry, count) => known.set(entry.path, { count, signature: signatureOf(entry) }),
    forget(path) {
      for (const each of known.keys()) if (isWithin(path, each)) known.delete(each);
    },
  };
}

/** Includes the time, because in some storages equal contents have equal etags. */
function signatureOf({ etag, modifiedAt }: StorageEntry): string {
  return `${modifiedAt} ${etag}`;
}
