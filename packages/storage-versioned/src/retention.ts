import type { StorageChange } from '@utensil/core/storage';
import type { Author } from './author.ts';
import { versionKey, versionName } from './layout.ts';
import type { StoredVersion } from './layout.ts';

/**
 * Limits for the versions of a file: a maximum number and a maximum age in days since their replacement. `tiered`: all
 * of one day, then the last of each hour for three days, of each day for 30 days, of each week for a year. The newest
 * old version always stays.
 */
export type Retention = 'tiered' | { readonly versions?: number; readonly days?: number };

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** Maximum age of trash entries, in milliseconds. */
export function trashAge(retention: Retention): number {
  return retention === 'tiered' ? 7 * day : (retention.days ?? 30) * day;
}

/** Contents beyond the retention, from a list sorted oldest first. */
function surplusOf<Version extends { readonly modifiedAt: number }>(
  versions: readonly Version[],
  { retention, now }: { readonly retention: Retention; readonly now: number },
): readonly Version[] {
  const candidates = versions.slice(0, -1);
  if (retention !== 'tiered') {
    const { versions: most = 50, days = 30 } = retention;
    const first = versions.length - Math.max(most, 1);
    return candidates.filter(({ modifiedAt }, index) => index < first || modifiedAt < now - days * day);
  }
  const newest = new Map<string | Version, Version>();
  for (const version of versions) newest.set(bucketOf(version.modifiedAt, now) ?? version, version);
  const kept = new Set(newest.values());
  return candidates.filter((version) => now - version.modifiedAt > 365 * day || !kept.has(version));
}

const tiers = [
  { until: 3 * day, width: hour },
  { until: 30 * day, width: day },
  { until: Infinity, width: 7 * day },
];

/** The bucket that retains one version; undefined if all versions are retained. */
function bucketOf(time: number, now: number): string | undefined {
  const age = now - time;
  const tier = age < day ? undefined : tiers.find(({ until }) => age < until);
  return tier && `${tier.width} ${Math.floor(time / tier.width)}`;
}

/** Changes that drop surplus versions of a file. The authors of retained contents are preserved. */
export function thinOut(
  path: string,
  stored: readonly StoredVersion[],
  policy: { readonly retention: Retention; readonly now: number; readonly isGone?: boolean },
): readonly StorageChange[] {
  const contents = stored.filter(({ kind }) => kind !== 'c');
  const surplus = new Set<StoredVersion>(surplusOf(contents, policy));
  if (policy.isGone === true && contents.every((each) => each.modifiedAt < policy.now - trashAge(policy.retention))) {
    for (const each of stored) surplus.add(each);
  }
  for (const [index, each] of stored.entries()) {
    const next = stored[index + 1];
    const isIdle = next !== undefined && (next.kind === 'c' || surplus.has(next));
    if (each.kind === 'c' && isIdle) surplus.add(each);
  }
  const moves = stored.flatMap((each, index): readonly StorageChange[] => {
    const before = stored[index - 1];
    const isOrphan = before !== undefined && surplus.has(before) && each.writtenBy === undefined && each.kind !== 'c';
    if (!isOrphan || surplus.has(each)) return [];
    const name = versionName({ ...each, writtenBy: before.by });
    return [{ type: 'move', ...versionKey(path, each.name), to: versionKey(path, name) }];
  });
  return [...moves, ...[...surplus].map(({ name }): StorageChange => ({ type: 'remove', ...versionKey(path, name) }))];
}

/** Author of the content at this position, if known. */
export function writerOf(stored: readonly StoredVersion[], index: number): Author | undefined {
  const author = stored[index]?.writtenBy ?? stored[index - 1]?.by;
  return author === undefined || Object.keys(author).length === 0 ? undefined : author;
}
