import { isWithin } from '@utensil/core/files';
import type { StorageChange, StorageEntry, StorageDriver } from '@utensil/core/storage';
import { listVersions, record, versionsOf } from './layout.ts';
import type { StoredVersion } from './layout.ts';
import { thinOut } from './retention.ts';
import type { Retention } from './retention.ts';
import type { VersionCounts, VersionCount } from './version-counts.ts';

// Listing the versions of a file on each change would make changes of old files slow. So they are listed on the first
// change by this storage, after a change by anybody else, and then on every sixteenth change.

/** Counts the versions that one commit adds, and drops those beyond the retention. */
export interface Thinning {
  /** State of a file's versions before one is added; `before` is the current entry of the file. */
  look(path: string, before: StorageEntry | undefined): Promise<Look>;
  /** Registers an added version. Returns changes that drop others. */
  add(path: string, added: StoredVersion, look: Look): readonly StorageChange[];
  /** Forgets counts at and below a path whose entry was replaced. */
  forget(path: string): void;
  /** New counts, valid if the commit succeeds. */
  readonly counts: ReadonlyMap<string, VersionCount>;
}

/** State of a file's versions before one is added. */
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
  /** Counts from earlier commits. */
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

/** Versions allowed beyond the retention: at least this many, or a quarter more, so that long lists are rarely read. */
const leastSlack = 16;
