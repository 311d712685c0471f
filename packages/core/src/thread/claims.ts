import { toJson } from '../base/json.ts';
import type { RecordExpectation } from '../records/commit.ts';
import { busy, foreign } from './thread-errors.ts';
import { defaultTtlMs, leaseKey, ownerKey, readClaimRecords } from './claim-records.ts';
import type { ClaimRecords, Lease, Owner } from './claim-records.ts';
import { beatOf, holdClaim } from './held-claim.ts';
import type { ClaimPlace, HeldClaim } from './held-claim.ts';
import type { Claim, ClaimOptions, Holder, ThreadOwner } from './thread.ts';

/** Maximum time to watch a claim before a takeover, whatever its record says. */
const maxWatchMs = 600_000;

/** Number of observations after which a claim counts as abandoned. */
const looks = 4;

/** Context of claims: their storage and their owner. */
export interface ClaimsSetup extends ClaimPlace {
  readonly holder?: Holder;
  /** The largest fence under which a call has begun, as far as the log is known. */
  latestFence(): number;
  /** Reads the log to its end. Returns the condition that the thread is the same. */
  readToEnd(): Promise<RecordExpectation>;
}

/** The members of a claim that its thread needs, from any instance of that thread. */
const held = /* @__PURE__ */ new WeakMap<Claim, HeldClaim>();

/** The internal claim behind a caller's value. Throws `thread_taken` if it is lost or belongs to another thread. */
export function heldClaim({ thread }: ClaimsSetup, claim: Claim): HeldClaim {
  if (claim.lost.aborted) throw claim.lost.reason;
  const known = held.get(claim);
  const isOurs = known !== undefined && known.conditions[0].key.join('\0') === ownerKey(thread).join('\0');
  if (!isOurs) throw foreign(thread);
  return known;
}

/** Claims a thread for a run. Throws `thread_busy` if another run has it. */
export async function takeClaim(setup: ClaimsSetup, options: ClaimOptions): Promise<Claim> {
  for (;;) {
    const found = await read(setup);
    const state = await stateOf(setup, found);
    if (state === 'held') throw busy(setup.thread, found.owner?.runId);
    const claim = await replace(setup, found, { ...options, isSilent: state === 'silent' });
    if (claim !== undefined) return claim; // lost the race
  }
}

/** Owner of a thread, unless the holder is known to have ended. */
export async function ownerOf(setup: ClaimsSetup): Promise<ThreadOwner | undefined> {
  const { owner, lease } = await read(setup);
  if (owner?.runId === undefined) return undefined;
  if (await hasEnded(setup, owner)) return undefined;
  const { runId, holder, since } = owner;
  return {
    runId,
    ...(holder !== undefined && { holder }),
    ...(since !== undefined && { since }),
    ...(lease && { seenAt: lease.time }),
    ...(!isFresh(setup, owner, lease) && { isSilent: true }),
  };
}

const read = ({ records, thread, warn }: ClaimsSetup): Promise<ClaimRecords> => readClaimRecords(records, thread, warn);

/** State of a thread: `free` also if its owner is known to be dead, `silent` if that is unknown. */
async function stateOf(setup: ClaimsSetup, found: ClaimRecords): Promise<'free' | 'held' | 'silent'> {
  const { owner, lease } = found;
  if (owner?.runId === undefined || (await hasEnded(setup, owner))) return 'free';
  if (isFresh(setup, owner, lease)) return 'held';
  return (await isAbandoned(setup, found, watchMsOf(owner))) ? 'silent' : 'held';
}

/** True if the holder is known to be dead. A live process may have lost its run: only the lease tells. */
async function hasEnded({ holder }: ClaimsSetup, owner: Owner): Promise<boolean> {
  return owner.holder !== undefined && (await holder?.isAlive(owner.holder)) === false;
}

const watchMsOf = ({ ttlMs }: Owner): number => Math.min(ttlMs, maxWatchMs);

/** True if the last heartbeat is recent according to wall clocks. */
function isFresh({ clock }: ClaimsSetup, owner: Owner, lease: Lease | undefined): boolean {
  return lease !== undefined && Math.abs(clock.now() - lease.time) <= watchMsOf(owner);
}

/** Watches whether a lease stands still on our monotonic clock: wall clocks may differ. */
async function isAbandoned(setup: ClaimsSetup, { etags }: ClaimRecords, watchMs: number): Promise<boolean> {
  const { clock } = setup;
  for (let quiet = 0; quiet < looks;) {
    const start = clock.elapsed();
    await new Promise<void>((resolve) => clock.after(Math.ceil(watchMs / looks), resolve));
    const now = await read(setup);
    if (now.etags.owner !== etags.owner || now.etags.lease !== etags.lease) return false;
    quiet += clock.elapsed() - start > watchMs ? 0.5 : 1; // this machine slept, and perhaps the owner's did
  }
  return true;
}

/** Undefined if the records have changed. */
async function replace(
  setup: ClaimsSetup,
  found: ClaimRecords,
  { runId, ttlMs = defaultTtlMs, isSilent }: ClaimOptions & { readonly isSilent: boolean },
): Promise<Claim | undefined> {
  const { records, thread } = setup;
  const holder = await setup.holder?.id();
  const { fence: stored = 0, lapsed: earlierLapse = 0 } = found.owner ?? {};
  const isSame = stored === 0 ? [await setup.readToEnd()] : []; // otherwise the owner's record says so
  const latest = Math.max(stored, setup.latestFence());
  const fence = Math.min(latest + 1, Number.MAX_SAFE_INTEGER);
  const lapsed = isSilent || latest > stored ? latest : earlierLapse; // the last owner may be alive, or its records were lost
  const owner: Owner = {
    fence,
    runId,
    holder,
    ttlMs,
    lapsed: lapsed > 0 ? lapsed : undefined,
    since: setup.clock.now(),
  };
  const changes = [{ type: 'put', key: ownerKey(thread), value: toJson(owner) }, beatOf(setup, fence, 0)] as const;
  const expect = [
    { key: ownerKey(thread), etag: found.etags.owner },
    { key: leaseKey(thread), etag: found.etags.lease },
    ...isSame,
  ];
  const result = await records.commit(changes, { expect });
  const etag = result.ok ? result.records[0]?.etag : undefined;
  if (etag === undefined) return undefined;
  const holding = holdClaim(setup, owner, etag);
  held.set(holding.claim, holding);
  return holding.claim;
}
