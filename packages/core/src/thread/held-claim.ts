import { isUtensilError } from '../base/errors.ts';
import type { UtensilError } from '../base/errors.ts';
import { toJson } from '../base/json.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { RecordChange, RecordExpectation } from '../records/commit.ts';
import type { StoredRecord } from '../records/content.ts';
import type { RecordStore } from '../records/records.ts';
import { released, replaced, silent, unsettled } from './thread-errors.ts';
import { logOf } from './append-plan.ts';
import { leaseKey, ownerKey, readClaimRecords } from './claim-records.ts';
import type { Lease, Owner } from './claim-records.ts';
import type { Clock } from './clock.ts';
import type { Claim } from './thread.ts';

/** A claim with the members that its thread needs. */
export interface HeldClaim {
  readonly claim: Claim;
  /** Conditions of the claim's appends: the first is about its own record. */
  readonly conditions: readonly [RecordExpectation, ...RecordExpectation[]];
  /** Changes that belong to an append: releases the thread, or stores the claim's record again if it was damaged. */
  changes(release: boolean): readonly RecordChange[];
  /**
   * Looks at the claim's records if a condition failed, or a record is unreadable. Throws if the claim is lost;
   * `conditions` change if its record was damaged.
   */
  verify(): Promise<void>;
  /** The same if no renewal was in time, as after a sleep: its record may be a copy that somebody restored. */
  verifyIfLate(): Promise<void>;
  /** Marks the claim as lost. Returns the reason. */
  lose(reason: UtensilError): UtensilError;
  /** Notes what an append has stored. */
  stored(records: readonly StoredRecord[], release: boolean): void;
}

/** Maximum number of commits for one renewal or release: another program may damage the records each time. */
const mostRounds = 5;

/** Location of a claim. */
export interface ClaimPlace {
  readonly records: RecordStore;
  /** Key of the thread. */
  readonly thread: RecordKey;
  readonly clock: Clock;
  warn?(problem: UtensilError): void;
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
  const key = ownerKey(thread);
  let conditions: HeldClaim['conditions'] = [{ key, etag }];
  let restoring: readonly RecordChange[] = [];
  const lost = new AbortController();
  let beat = 0;
  let renewed = { elapsed: clock.elapsed(), now: clock.now() };
  let isOver = false;
  let cancel: () => void = () => undefined;

  function end(reason?: UtensilError): void {
    isOver = true;
    cancel();
    if (reason !== undefined) lost.abort(reason);
  }

  /** Looks at the records: the reason why the claim is lost, or undefined if its record is there or was damaged. */
  async function lossOf(): Promise<UtensilError | undefined> {
    let seen = await readClaimRecords(records, thread, place.warn);
    // Read twice before a loss is reported: one record may have been missed while it was restored, the other is damaged.
    if (seen.owner === undefined) seen = await readClaimRecords(records, thread, place.warn);
    const { owner: found, lease, etags } = seen;
    const isStored = JSON.stringify(found) === JSON.stringify(owner);
    const isNamed = found?.runId === '' && found.fence === fence && lease?.fence === fence; // a takeover writes both
    if (found?.fence === fence && found.runId === undefined) {
      end(); // by our own append, whose answer is still on its way
      return released(thread);
    }
    if (!isStored && !isNamed) {
      const isLeft = found === undefined && (await records.last(logOf(thread))) > 0;
      return replaced(thread, isLeft ? {} : found);
    }
    const [{ etag }] = conditions;
    const own = etags.owner === etag ? conditions[0] : { key, etag: etags.owner };
    conditions = isStored ? [own] : [own, { key: leaseKey(thread), etag: etags.lease }];
    restoring = isStored ? [] : [{ type: 'put', key, value: toJson(owner) }];
    return undefined;
  }

  async function verify(): Promise<void> {
    if (isOver) throw lost.signal.reason ?? released(thread);
    const reason = await lossOf();
    if (reason !== undefined) throw lose(reason);
  }

  function lose(reason: UtensilError): UtensilError {
    if (!isOver) end(reason);
    return reason;
  }

  async function verifyIfLate(): Promise<void> {
    const isLate = clock.elapsed() - renewed.elapsed > ttlMs || Math.abs(clock.now() - renewed.now) > ttlMs;
    if (isLate) await verify();
  }

  function stored(written: readonly StoredRecord[], release: boolean): void {
    if (release) return end();
    const own = written.find((record) => record.key === key);
    if (own === undefined) return;
    conditions = [own];
    restoring = [];
  }

  async function renew(): Promise<void> {
    if (isOver) throw lost.signal.reason ?? released(thread);
    await verifyIfLate();
    stored(await committed(() => [beatOf(place, fence, ++beat), ...restoring], verify), false);
    renewed = { elapsed: clock.elapsed(), now: clock.now() };
  }

  /** Commits changes, again after `look` if another program has changed or damaged the claim's records. */
  async function committed(
    changes: () => readonly RecordChange[],
    look: () => Promise<unknown>,
  ): Promise<readonly StoredRecord[]> {
    for (let left = mostRounds; left > 0; left--) {
      const result = await records.commit(changes(), { expect: conditions }).catch(unlessDamaged);
      if (result?.ok === true) return result.records;
      if ((await look()) !== undefined) return [];
    }
    throw unsettled(thread);
  }

  /** A storage failure shorter than the lease does no harm; a longer one loses the claim. */
  function renewSoon(): void {
    cancel = clock.after(ttlMs / 3, renewNow, { background: true });
  }

  async function renewNow(): Promise<void> {
    try {
      await renew();
    } catch {
      if (!isOver && clock.elapsed() - renewed.elapsed > ttlMs) end(silent(thread));
    }
    if (!isOver) renewSoon();
  }

  const free: Owner = { fence, ttlMs, lapsed };
  const freeing = { type: 'put', key, value: toJson(free) } as const;

  renewSoon();
  return {
    get conditions() {
      return conditions;
    },
    changes: (release) => (release ? [freeing] : restoring),
    verify,
    verifyIfLate,
    lose,
    stored,
    claim: {
      runId,
      fence,
      lapsed: lapsed ?? 0,
      lost: lost.signal,
      renew,
      async release() {
        if (isOver) return;
        end();
        await committed(() => [freeing], lossOf);
      },
    },
  };
}

function unlessDamaged(error: unknown): undefined {
  if (!isUtensilError(error, 'record_corrupt')) throw error;
}
