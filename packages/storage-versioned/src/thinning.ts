import { isWithin } from '@utensil/core/files';
import type { StorageChange, StorageEntry, StorageDriver } from '@utensil/core/storage';
import { listVersions, record, versionsOf } from './layout.ts';
import type { StoredVersion } from './layout.ts';
import { thinOut } from './retention.ts';
import type { Retention } from './retention.ts';
import type { VersionCounts, VersionCount } from './version-counts.ts';

// Listing the versions of a file at each of its changes would make old files slow. So they are listed at the first change
// by this storage, after a change by anybody else, and then once in sixteen changes.

/** Counts the versions that one commit adds, and drops what is not to be kept any longer. */
export interface Thinning {
  /** What is known of the versions of a file before one is added; `before` is the file as it is by then. */
  look(path: string, before: StorageEntry | undefined): Promise<Look>;
  /** One was added: gives the changes that drop others. */
  add(path: string, added: StoredVersion, look: Look): readonly StorageChange[];
  /** What is at this path or below it is something else now. */
  forget(path: string): void;
  /** What came of it, if the commit is made. */
  readonly counts: ReadonlyMap<string, VersionCount>;
}

/** What is known before a version is added. */
export interface Look {
  readonly count: VersionCount;
  /** All versions, if they were listed. */
  readonly listed?: readonly StoredVersion[];
}

/** Options of {@link createThinning}. */
export interface ThinningOptions {
  readonly driver: StorageDriver;
  readonly retention: Retention;
  readonly time: number;
  /** What is known from earlier commits. */
  readonly known: VersionCounts;
}

export function createThinning({ driver, retention, time, known }: ThinningOptions): Thinning {
  const counts = new Map<string, VersionCount>();

  async function list(path: string): Promise<readonly StoredVersion[]> {
    const [directory] = await driver.stat([record(versionsOf(path))]);
    return directory === undefined ? [] : listVersions(driver, path);
  }

  return {
    counts,
    async look(path, before) {
      const count = counts.get(path) ?? (before && known.of(before));
      if (count !== undefined && count.left > 0) return { count };
      const listed = await list(path);
      const lastId = listed.at(-1)?.id;
      return { count: { ...(lastId !== undefined && { lastId }), left: 0 }, listed };
    },
    add(path, added, { count, listed }) {
      if (listed === undefined) {
        counts.set(path, { lastId: added.id, left: count.left - 1 });
        return [];
      }
      const stored = [...listed, added];
      const dropped = thinOut(path, stored, { retention, now: time });
      const kept = stored.length - dropped.filter(({ type }) => type === 'remove').length;
      counts.set(path, { lastId: added.id, left: Math.max(leastSlack, Math.floor(kept / 4)) });
      return dropped;
    },
    forget(path) {
      for (const each of counts.keys()) if (isWithin(path, each)) counts.delete(each);
    },
  };
}

/** A file may have so many versions more than it is to have; or a quarter more, so that long lists are not read often. */
const leastSlack = 16;
