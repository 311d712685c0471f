import type { UtensilError } from '../base/errors.ts';
import { toJson } from '../base/json.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { RecordChange, RecordExpectation } from '../records/commit.ts';
import type { StoredRecord } from '../records/content.ts';
import type { RecordStore } from '../records/records.ts';
import { released, replaced, silent } from './thread-errors.ts';
import { leaseKey, ownerKey } from './claim-records.ts';
import type { Lease, Owner } from './claim-records.ts';
import type { Clock } from './clock.ts';
import type { Claim } from './thread.ts';

/** A claim with the members that its thread needs. */
export interface HeldClaim {
  readonly claim: Claim;
  /** Condition of the claim's appends. */
  readonly condition: RecordExpectation;
  /** Change that releases the thread. */
  readonly freeing: RecordChange;
  /** Marks the claim as lost because its condition failed on this record, and returns the reason. */
  lose(owner: StoredRecord | undefined): UtensilError;
  /** Marks the claim as released. */
  freed(): void;
}

/** Location of a claim. */
export interface ClaimPlace {
  readonly records: RecordStore;
  /** Key of the thread. */
  readonly thread: RecordKey;
  readonly clock: Clock;
}

/** Change that stores a heartbeat. */
export function beatOf({ thread, clock }: ClaimPlace, fence: number, beat: number): RecordChange {
  const lease: Lease = { fence, beat, time: clock.now() };
  return { type: 'put', key: leaseKey(thread), value: toJson(lease) };
}

/** Holds a stored claim: renews it in the background until it is released or lost. */
export function holdClaim(place: ClaimPlace, owner: Owner, etag: string): HeldClaim {
  const { records, thread, clock } = place;
  const { fence, ttlMs, runId = '', lapsed } = owner;
  const condition = { key: ownerKey(thread), etag };
  const lost = new AbortController();
  let beat = 0;
  let renewed = clock.elapsed();
  let isOver = false;
  let cancel: () => void = () => undefined;

  function end(reason?: UtensilError): void {
    isOver = true;
    cancel();
    if (reason !== undefined) lost.abort(reason);
  }

  function lose(found: StoredRecord | undefined): UtensilError {
    const reason = replaced(thread, found);
    if (!isOver) end(reason);
    return reason;
  }

  async function renew(): Promise<void> {
    if (isOver) throw lost.signal.reason ?? released(thread);
    const result = await records.commit([beatOf(place, fence, ++beat)], { expect: [condition] });
    if (!result.ok) throw lose(result.record);
    renewed = clock.elapsed();
  }

  /** A storage failure shorter than the lease does no harm; a longer one loses the claim. */
  function renewSoon(): void {
    cancel = clock.after(ttlMs / 3, renewNow, { background: true });
  }

  async function renewNow(): Promise<void> {
    try {
      await renew();
    } catch {
      if (!isOver && clock.elapsed() - renewed > ttlMs) end(silent(thread));
    }
    if (!isOver) renewSoon();
  }

  const free: Owner = { fence, ttlMs, ...(lapsed !== undefined && { lapsed }) };
  const freeing = { type: 'put', key: ownerKey(thread), value: toJson(free) } as const;

  renewSoon();
  return {
    condition,
    freeing,
    lose,
    freed: () => end(),
    claim: {
      runId,
      fence,
      lapsed: lapsed ?? 0,
      lost: lost.signal,
      renew,
      async release() {
        if (isOver) return;
        end();
        await records.commit([freeing], { expect: [condition] });
      },
    },
  };
}
