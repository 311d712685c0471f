import type { UtensilError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { hasShape, isCount, isNumber, isNumberOrAbsent, isTextOrAbsent, orAbsent } from '../base/shape.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { RecordStore } from '../records/records.ts';
import { usableRecord } from '../records/usable.ts';

/** Owner of a thread. Rewritten only when the owner changes; every append by the owner expects it. */
export type Owner = {
  readonly fence: number;
  /** Absent: the thread is free. */
  readonly runId?: string;
  readonly holder?: string | undefined;
  readonly ttlMs: number;
  /** As in `Claim`; absent: 0. */
  readonly lapsed?: number | undefined;
  /** When it took the thread, in milliseconds since 1970. */
  readonly since?: number;
};

/** Heartbeat of the owner. Separate from {@link Owner}, so that a renewal never conflicts with the owner's appends. */
export type Lease = {
  readonly fence: number;
  readonly beat: number;
  /** Milliseconds since 1970. */
  readonly time: number;
};

/** The two stored records of a thread's claims. */
export interface ClaimRecords {
  readonly owner: Owner | undefined;
  readonly lease: Lease | undefined;
  /** Null: no record. */
  readonly etags: { readonly owner: string | null; readonly lease: string | null };
}

/** Default of `ClaimOptions.ttlMs`. A hidden tab gets one timer per minute. */
export const defaultTtlMs = 90_000;

/** Keys of the two records, below the key of their thread. */
export const ownerKey = (thread: RecordKey): RecordKey => [...thread, 'owner'];
export const leaseKey = (thread: RecordKey): RecordKey => [...thread, 'lease'];

/** Reads both records. An unreadable one is set aside, so that it can be written again. */
export async function readClaimRecords(
  records: RecordStore,
  thread: RecordKey,
  warn?: (problem: UtensilError) => void,
): Promise<ClaimRecords> {
  const [before, found] = await Promise.all(
    [ownerKey, leaseKey].map((keyOf) => usableRecord(records, keyOf(thread), warn)),
  );
  const lease = isLease(found?.value) ? found.value : undefined;
  const isEarlier = fenceIn(before?.value) < (lease?.fence ?? 0); // it was read before a takeover, and the lease after it
  const owner = isEarlier ? await usableRecord(records, ownerKey(thread), warn) : before;
  return {
    owner: ownerIn(owner?.value, lease?.fence),
    lease,
    etags: { owner: owner?.etag ?? null, lease: found?.etag ?? null },
  };
}

/**
 * A record of a newer version, and any owner of whom only the lease is left, is respected until its lease stands still.
 * An owner with an earlier fence than the lease is a copy that somebody restored.
 */
function ownerIn(value: Json | undefined, leased = 0): Owner | undefined {
  if (isOwner(value) && value.fence >= leased) return value;
  if (value === undefined && leased === 0) return undefined;
  return { fence: Math.max(fenceIn(value), leased), runId: '', ttlMs: defaultTtlMs };
}

function fenceIn(value: Json | undefined): number {
  return isObject(value) && isCount(value['fence']) ? value['fence'] : 0;
}

const ownerShape = {
  fence: isCount,
  ttlMs: isCount,
  lapsed: /* @__PURE__ */ orAbsent(isCount),
  since: isNumberOrAbsent,
  runId: isTextOrAbsent,
  holder: isTextOrAbsent,
};

function isOwner(value: unknown): value is Owner {
  return hasShape(value, ownerShape);
}

function isLease(value: unknown): value is Lease {
  return hasShape(value, { fence: isCount, time: isNumber });
}
