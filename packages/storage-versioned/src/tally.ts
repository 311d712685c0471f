import { isWithin } from '@utensil/core';
import type { Entry } from '@utensil/core';
import { createRecent } from './recent.ts';

/** What is known of the versions of a file without listing them. */
export interface Tally {
  /** The id of the newest one; the next has to follow it. */
  readonly lastId?: string;
  /** So many may be added before they are listed again. */
  readonly left: number;
}

/** The tallies of the files that a storage wrote last. */
export interface Tallies {
  /** The tally of a file; undefined if it is not as this storage left it, because then others may have added versions. */
  of(entry: Entry): Tally | undefined;
  keep(entry: Entry, tally: Tally): void;
  /** Forgets a file, or all files in a directory. */
  forget(path: string): void;
}

export function createTallies(): Tallies {
  const known = createRecent<{ readonly tally: Tally; readonly signature: string }>();
  return {
    of(entry) {
      const found = known.get(entry.path);
      return found?.signature === signatureOf(entry) ? found.tally : undefined;
    },
    keep: (entry, tally) => known.set(entry.path, { tally, signature: signatureOf(entry) }),
    forget(path) {
      for (const each of known.keys()) if (isWithin(path, each)) known.delete(each);
    },
  };
}

/** With the time, because in some storages equal contents have equal etags. */
function signatureOf({ etag, modifiedAt }: Entry): string {
  return `${modifiedAt} ${etag}`;
}
