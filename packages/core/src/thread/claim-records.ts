import type { UtensilError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { RecordStore } from '../records/records.ts';
import { usableRecord } from '../records/usable.ts';

/** Who has a thread. It is rewritten only if that changes: every append of the owner expects it. */
export type Owner = {
  readonly fence: number;
  /** Absent: nobody has the thread. */
  readonly runId?: string;
  readonly holder?: string;
  readonly ttlMs: number;
  /** As in `Claim`; absent: 0. */
  readonly lapsed?: number;
  /** Milliseconds since 1970 at which it took the thread. */
  readonly since?: number;
};

/** The owner's sign of life, apart from {@link Owner}, so that a renewal never fails the owner's appends. */
export type Lease = {
  readonly fence: number;
  readonly beat: number;
  /** Milliseconds since 1970. */
  readonly time: number;
};

/** The two records of claims on a thread, as they are stored. */
export interface ClaimRecords {
  readonly owner: Owner | undefined;
  readonly lease: Lease | undefined;
  /** Null: there is no such record. */
  readonly etags: { readonly owner: string | null; readonly lease: string | null };
}

/** Default of `ClaimOptions.ttlMs`: a hidden tab has one timer a minute. */
export const defaultTtlMs = 90_000;

/** The keys of the two records below the key of a thread. */
export const ownerKey = (thread: RecordKey): RecordKey => [...thread, 'owner'];
export const leaseKey = (thread: RecordKey): RecordKey => [...thread, 'lease'];

/** Reads both records. One that cannot be read names no owner; it is put aside, so that it blocks nobody. */
export async function readClaimRecords(
  records: RecordStore,
  thread: RecordKey,
  warn?: (problem: UtensilError) => void,
): Promise<ClaimRecords> {
  const [owner, lease] = await Promise.all(
    [ownerKey, leaseKey].map((keyOf) => usableRecord(records, keyOf(thread), warn)),
  );
  return {
    owner: owner && ownerIn(owner.value),
    lease: isLease(lease?.value) ? lease.value : undefined,
    etags: { owner: owner?.etag ?? null, lease: lease?.etag ?? null },
  };
}

/** An owner of a newer version has the thread as long as its lease does not stand still. */
function ownerIn(value: Json): Owner {
  if (isOwner(value)) return value;
  const fence = isObject(value) && isCount(value['fence']) ? value['fence'] : 0;
  return { fence, runId: '', ttlMs: defaultTtlMs };
}

function isOwner(value: unknown): value is Owner {
  if (!isObject(value) || !isCount(value['fence']) || !isCount(value['ttlMs'])) return false;
  if (value['lapsed'] !== undefined && !isCount(value['lapsed'])) return false;
  if (value['since'] !== undefined && typeof value['since'] !== 'number') return false;
  return [value['runId'], value['holder']].every((each) => each === undefined || typeof each === 'string');
}

function isLease(value: unknown): value is Lease {
  return isObject(value) && isCount(value['fence']) && typeof value['time'] === 'number';
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
