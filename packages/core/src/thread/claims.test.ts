// Claims under conditions that no program asks for: clocks, sleep, damage, and storage that is full.

import { memoryState, memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import { UtensilError } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import { createRecords } from '../records/records.ts';
import type { RecordStore } from '../records/records.ts';
import { gate } from '../test-kit/runs.ts';
import { codeOf, entriesOf, testClock } from '../testing/thread-kit.ts';
import type { TestClock } from '../testing/thread-kit.ts';
import type { Clock } from './clock.ts';
import { messagesOf } from './messages.ts';
import { openThread } from './open-thread.ts';
import type { ThreadOptions } from './open-thread.ts';
import type { Claim, Thread } from './thread.ts';

const ttlMs = 30_000;
const of = (runId: string) => ({ runId, ttlMs });
const ownerKey = ['threads', 't', 'owner'];
const leaseKey = ['threads', 't', 'lease'];

/** Opens one thread as often as it is called, each time as another program has it. */
function programs() {
  const state = memoryState();
  const driver = memoryStorage({ state, namespace: 'main' });
  const records = (): RecordStore => createRecords(memoryStorage({ state, namespace: 'main' }));
  return {
    records,
    open: (options?: ThreadOptions, over = records()): Thread => openThread(over, 't', options),
    async damage(key: readonly string[], content = '{"half'): Promise<void> {
      const path = `/${key.join('/')}.json`;
      const [found] = await driver.stat([{ tree: 'records', path }]);
      const write = { type: 'write', tree: 'records', path, content: new TextEncoder().encode(content) } as const;
      const expected = [{ tree: 'records', path, etag: found?.etag ?? null }] as const;
      expect(await driver.commit({ expect: expected, changes: [write], time: 2 })).toMatchObject({ ok: true });
    },
  };
}

/** Claims the thread, and lets time pass until that is decided. */
async function claimInTime(thread: Thread, clock: TestClock, beside = async () => {}): Promise<Claim | string> {
  const outcome = thread.claim(of('next')).catch((error: { readonly code: string }) => error.code);
  const isDecided = outcome.then(() => true);
  for (let turns = 0; turns < 200; turns++) {
    if (await Promise.race([isDecided, clock.pass(ttlMs / 4).then(() => false)])) return outcome;
    await beside();
  }
  throw new Error('The claim was never decided.');
}

/** The clock of a machine that can sleep: its time goes on, and its timers are late. */
function sleepingClock(clock: TestClock): Clock & { sleep(ms: number): void; readonly isWaitedFor: Promise<void> } {
  const isWaitedFor = gate();
  let slept = 0;
  return {
    ...clock,
    isWaitedFor,
    after: (...given) => (isWaitedFor.open(), clock.after(...given)),
    now: () => clock.now() + slept,
    elapsed: () => clock.elapsed() + slept,
    sleep: (ms) => void (slept += ms),
  };
}

it('a thread was held for good by an owner that was silent in a process that lives', async () => {
  const { open } = programs();
  const holder = { id: () => 'process 1', isAlive: () => true };
  const gone = await open({ holder, clock: testClock() }).claim(of('gone')); // a worker that was terminated
  const clock = testClock();
  const next = open({ holder, clock });
  expect(await codeOf(next.claim(of('too early')))).toBe('thread_busy');
  clock.set(clock.now() + 2 * ttlMs);
  const claim = await claimInTime(next, clock);
  expect(claim).toMatchObject({ runId: 'next', fence: gone.fence + 1 });
});

it('a thread that could not be released was held for as long as its process lived', async () => {
  const { open, records } = programs();
  const holder = { id: () => 'process 1', isAlive: () => true };
  let isFull = false;
  const real = records();
  const commit: typeof real.commit = (...given) =>
    isFull ? Promise.reject(new UtensilError('ENOSPC', 'ENOSPC: the disk is full.')) : real.commit(...given);
  const clock = testClock();
  const thread = open({ holder, clock }, { ...real, commit });
  const claim = await thread.claim(of('first'));
  isFull = true;
  expect(await codeOf(thread.append(entriesOf('a'), { claim }))).toBe('ENOSPC');
  expect(await codeOf(claim.release())).toBe('ENOSPC');
  isFull = false;
  expect(await messagesOf(thread)).toEqual([]);
  await clock.pass(2 * ttlMs);
  expect(await claimInTime(thread, clock)).toMatchObject({ runId: 'next', fence: claim.fence + 1 });
});

it.each([
  ['in the middle of its watch', 1],
  ['with its last look to come', 3],
])('a machine that slept %s took a claim over whose owner had slept as well', async (_, looks) => {
  const { open } = programs();
  const [mine, theirs] = [testClock(), testClock()];
  const [asleep, alsoAsleep] = [sleepingClock(mine), sleepingClock(theirs)];
  const claim = await open({ clock: alsoAsleep }).claim(of('owner'));
  mine.set(theirs.now() + 10 * ttlMs); // so that it has to be watched
  const attempt = codeOf(open({ clock: asleep }).claim(of('next')));
  await asleep.isWaitedFor;
  await mine.pass((looks * ttlMs) / 4 - 1);
  for (const each of [asleep, alsoAsleep]) each.sleep(8 * 3_600_000);
  await mine.pass(1);
  await theirs.pass(ttlMs); // it wakes up, too, and renews its claim
  await mine.pass(2 * ttlMs);
  expect(await attempt).toBe('thread_busy');
  expect(claim.lost.aborted).toBe(false);
});

it.each<readonly [string, Json]>([
  ['with other fields', { version: 2, runs: ['a'] }],
  ['with a fence of another kind', { fence: 'f-1', runId: 'a', ttlMs }],
  ['that names its run in another way', { fence: 7, runId: { id: 'a' }, ttlMs }],
])('a claim of a newer version %s was taken for none', async (_, owner) => {
  const { open, records } = programs();
  const first = await open({ clock: testClock() }).claim(of('old')); // its lease is of now
  const newer = records();
  await newer.put(ownerKey, owner);
  const clock = testClock();
  const thread = open({ clock });
  let beat = 0;
  const renew = async (): Promise<void> => void (await newer.put(leaseKey, { newer: ++beat }));
  await renew();
  expect(await claimInTime(thread, clock, renew)).toBe('thread_busy');
  expect((await newer.get(ownerKey))?.value).toEqual(owner);
  expect(await claimInTime(thread, clock)).toMatchObject({ runId: 'next' }); // it has ended
  expect(await codeOf(thread.append(entriesOf('late'), { claim: first }))).toBe('thread_taken');
});

it.each([
  ['owner', ownerKey],
  ['lease', leaseKey],
])('a damaged record of the %s: nothing is stored twice, and the thread is not held up', async (_, key) => {
  const { open, damage } = programs();
  const clock = testClock();
  const [one, other] = [open({ clock: testClock() }), open({ clock })];
  const first = await one.claim(of('first'));
  await one.append(entriesOf('a'), { claim: first });
  await damage(key);
  clock.set(clock.now() + 10 * ttlMs); // nothing is renewed meanwhile
  const outcome = await claimInTime(other, clock);
  if (typeof outcome === 'string') throw new Error(outcome);
  expect(outcome.fence).toBeGreaterThan(first.fence);
  await other.append(entriesOf('b'), { claim: outcome });
  expect(await codeOf(one.append(entriesOf('c'), { claim: first }))).toBe('thread_taken');
  expect(first.lost.aborted).toBe(true);
  expect((await messagesOf(other)).map(({ id }) => id)).toEqual(['a', 'b']);
});

it('an append that finds the storage full is stored neither in part nor later, and its claim goes on', async () => {
  const { open, records } = programs();
  const real = records();
  let room = 2;
  const commit: typeof real.commit = (...given) =>
    room-- > 0 ? real.commit(...given) : Promise.reject(new UtensilError('ENOSPC', 'ENOSPC: the disk is full.'));
  const clock = testClock();
  const thread = open({ clock }, { ...real, commit });
  const claim = await thread.claim(of('first'));
  await thread.append(entriesOf('a'), { claim });
  expect(await codeOf(thread.append(entriesOf('b', 'c'), { claim }))).toBe('ENOSPC');
  await clock.pass(ttlMs / 2); // nor could it be renewed meanwhile
  expect(claim.lost.aborted).toBe(false);
  room = Infinity;
  await thread.append(entriesOf('b', 'c'), { claim });
  expect((await messagesOf(thread)).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

it('a clock of the wall that is set while its owner works, forward or back, costs nobody the thread', async () => {
  const { open } = programs();
  const [clock, theirs] = [testClock(), testClock()];
  const thread = open({ clock });
  const claim = await thread.claim(of('first'));
  for (const jump of [86_400_000, -7 * 86_400_000, 0]) {
    clock.set(theirs.now() + jump);
    const attempt = claimInTime(open({ clock: theirs }), theirs, () => clock.pass(ttlMs / 2));
    expect(await attempt).toBe('thread_busy');
    await thread.append(entriesOf(`${jump}`), { claim });
  }
  expect(claim.lost.aborted).toBe(false);
});

it('nobody could tell who had a thread without taking it', async () => {
  const { open } = programs();
  let isAlive = true;
  const watching = open({ holder: { id: () => 'other', isAlive: () => isAlive } });
  expect(await watching.owner?.()).toBeUndefined();
  const claim = await open({ clock: testClock(), holder: { id: () => 'it', isAlive: () => true } }).claim(of('first'));
  expect(await watching.owner?.()).toMatchObject({
    runId: 'first',
    holder: 'it',
    seenAt: expect.any(Number) as number,
  });
  isAlive = false;
  expect(await watching.owner?.()).toBeUndefined();
  isAlive = true;
  await claim.release();
  expect(await watching.owner?.()).toBeUndefined();
});

it('an owner looked at work for as long as nobody took the thread: it tells since when it has it, and whether it is silent', async () => {
  const { open } = programs();
  const clock = testClock();
  await clock.pass(5_000);
  const before = clock.now();
  const theirs = testClock(); // passes by itself: nothing is renewed while the test waits
  await theirs.pass(5_000);
  await open({ clock: theirs }).claim(of('first'));
  const watching = open({ clock });
  expect(await watching.owner?.()).toEqual({ runId: 'first', since: before, seenAt: before });
  await clock.pass(ttlMs);
  expect(await watching.owner?.()).not.toHaveProperty('isSilent');
  await clock.pass(1);
  expect(await watching.owner?.()).toMatchObject({ runId: 'first', isSilent: true });
});

it.each([{ since: 'noon' }, {}])('an owner that says %j of when it began has the thread all the same', async (more) => {
  const { open, records } = programs();
  const clock = testClock();
  const claim = await open({ clock }).claim(of('first'));
  const { value } = (await records().get(ownerKey)) ?? {};
  const { since: _, ...earlier } = value as Record<string, Json>;
  await records().put(ownerKey, { ...earlier, ...more });
  const owner = await open({ clock }).owner?.();
  expect([typeof owner?.runId, owner?.since]).toEqual(['string', undefined]);
  expect(claim.runId).toBe('first');
});
