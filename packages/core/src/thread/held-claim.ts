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

/** A claim with what its thread needs of it. */
export interface HeldClaim {
  readonly claim: Claim;
  /** The condition under which appends of the claim are stored. */
  readonly condition: RecordExpectation;
  /** The change that leaves the thread to others. */
  readonly freeing: RecordChange;
  /** Ends the claim, whose condition failed on this record, and returns the reason. */
  lose(owner: StoredRecord | undefined): UtensilError;
  /** Ends the claim: the thread is left to others. */
  freed(): void;
}

/** Where a claim is kept. */
export interface ClaimPlace {
  readonly records: RecordStore;
  /** Key of the thread. */
  readonly thread: RecordKey;
  readonly clock: Clock;
}

/** The change that stores a sign of life. */
export function beatOf({ thread, clock }: ClaimPlace, fence: number, beat: number): RecordChange {
  const lease: Lease = { fence, beat, time: clock.now() };
  return { type: 'put', key: leaseKey(thread), value: toJson(lease) };
}

/** Holds a claim whose records are stored: renews it in the background until it is released or lost. */
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

  /** A storage that fails for a moment loses nothing; one that fails for longer than others wait does. */
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
