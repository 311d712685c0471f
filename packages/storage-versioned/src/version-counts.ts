import { isWithin } from '@utensil/core/files';
import type { StorageEntry } from '@utensil/core/storage';
import { createBoundedMap } from './bounded-map.ts';

/** What is known of the versions of a file without listing them. */
export interface VersionCount {
  /** The id of the newest one; the next has to follow it. */
  readonly lastId?: string;
  /** So many may be added before they are listed again. */
  readonly left: number;
}

/** The counts of the files that a storage wrote last. */
export interface VersionCounts {
  /** The count of a file; undefined if it is not as this storage left it, because then others may have added versions. */
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

/** With the time, because in some storages equal contents have equal etags. */
function signatureOf({ etag, modifiedAt }: StorageEntry): string {
  return `${modifiedAt} ${etag}`;
}
