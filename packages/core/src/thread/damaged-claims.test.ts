// The records of a claim, damaged or restored by another program while the claim is held.

import { memoryState, memoryStorage } from '@utensil/storage-memory';
import { expect, it } from 'vitest';
import type { Json } from '../base/json.ts';
import type { StorageDriver } from '../files/storage/driver.ts';
import { createRecords } from '../records/records.ts';
import type { RecordStore } from '../records/records.ts';
import { codeOf, entriesOf, testClock } from '../testing/thread-kit.ts';
import type { TestClock } from '../testing/thread-kit.ts';
import { messagesOf } from './messages.ts';
import { openThread } from './open-thread.ts';
import { deleteThread } from './summary.ts';
import type { Claim, Thread } from './thread.ts';

const ttlMs = 30_000;
const of = (runId: string) => ({ runId, ttlMs });
const keys = { owner: ['threads', 't', 'owner'], lease: ['threads', 't', 'lease'] };
type Name = keyof typeof keys;

/** Damage by another program to a record: a value, a text that is not JSON, its removal, or an earlier value of it. */
type Damage = { readonly value: Json } | 'broken' | 'removed' | 'older';

const call = { type: 'call-begun', callId: 'c', runId: 'first', time: 1 } as const;

const damages: readonly [string, Damage][] = [
  ['null', { value: null }],
  ['an empty object', { value: {} }],
  ['half of one', 'broken'],
  ['none', 'removed'],
  ['an older one', 'older'],
];

/** A thread whose second claim is held, and the means to damage its records. */
async function held(entries = entriesOf('a'), wrapped = (driver: StorageDriver): StorageDriver => driver) {
  const state = memoryState();
  const driver = memoryStorage({ state, namespace: 'main' });
  const store = (): RecordStore => createRecords(wrapped(memoryStorage({ state, namespace: 'main' })));
  const records = store();
  const open = (clock: TestClock): Thread => openThread(store(), 't', { clock });
  const clock = testClock();
  const thread = open(clock);
  const older: Record<string, Json> = {};
  await (await thread.claim(of('earlier'))).release();
  for (const [name, key] of Object.entries(keys)) older[name] = (await records.get(key))?.value ?? null;
  for (let more = 0; more < 3; more++) await (await thread.claim(of('between'))).release();
  const claim = await thread.claim(of('first'));
  if (entries.length > 0) await thread.append(entries, { claim });
  return {
    ...{ records, open, clock, thread, claim, driver },
    async damage(name: Name, damage: Damage): Promise<void> {
      const path = `/${keys[name].join('/')}.json`;
      const content = new TextEncoder().encode('{"half');
      if (damage === 'removed') await records.remove(keys[name]);
      else if (damage === 'older') await records.put(keys[name], older[name] ?? null);
      else if (damage !== 'broken') await records.put(keys[name], damage.value);
      else await driver.commit({ expect: [], changes: [{ type: 'write', tree: 'records', path, content }], time: 2 });
    },
  };
}

/** Damages the summary. */
async function spoil(driver: StorageDriver): Promise<void> {
  const content = new TextEncoder().encode('{"half');
  const change = { type: 'write', tree: 'records', path: '/threads/t.json', content } as const;
  await driver.commit({ expect: [], changes: [change], time: 2 });
}

/** Claims the thread, and lets time pass until that is decided. */
async function claimInTime(thread: Thread, clock: TestClock): Promise<Claim> {
  const outcome = thread.claim(of('next'));
  const isDecided = outcome.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([isDecided, clock.pass(ttlMs).then(() => false)])));
  return outcome;
}

const idsIn = async (thread: Thread) => (await messagesOf(thread)).map(({ id }) => id);

it.each(damages)('an owner that became %s ended its run', async (_, damage) => {
  const { records, thread, claim, open, damage: apply } = await held();
  await apply('owner', damage);
  await thread.append(entriesOf('b'), { claim });
  await apply('owner', damage);
  await claim.renew();
  await apply('owner', damage);
  expect(await codeOf(open(testClock()).claim(of('next')))).toBe('thread_busy');
  await open(testClock()).owner?.();
  await thread.append(entriesOf('c'), { claim });
  expect((await records.get(keys.owner))?.value).toMatchObject({ runId: 'first', fence: claim.fence });
  expect(claim.lost.aborted).toBe(false);
  await apply('owner', damage);
  await thread.append(entriesOf('d'), { claim, release: true });
  expect(await idsIn(thread)).toEqual(['a', 'b', 'c', 'd']);
  expect((await open(testClock()).claim(of('next'))).fence).toBe(claim.fence + 1);
});

it.each(damages)('a lease that became %s was never written again', async (_, damage) => {
  const { records, clock, claim, damage: apply } = await held();
  await apply('lease', damage);
  await claim.renew();
  expect((await records.get(keys.lease))?.value).toMatchObject({ fence: claim.fence });
  await apply('lease', damage);
  for (let turns = 0; turns < 8; turns++) await clock.pass(ttlMs / 3);
  expect((await records.get(keys.lease))?.value).toMatchObject({ fence: claim.fence });
  expect(claim.lost.aborted).toBe(false);
});

it('a claim whose two records are broken is lost, and the next one has another fence', async () => {
  const { thread, claim, open, damage } = await held();
  await thread.append([{ ...call, fence: claim.fence }], { claim });
  for (const name of ['owner', 'lease'] as const) await damage(name, 'broken');
  const clock = testClock();
  const next = await open(clock).claim(of('next'));
  expect(next.fence).toBeGreaterThan(claim.fence);
  expect(await codeOf(claim.renew())).toBe('thread_taken');
  expect(await codeOf(thread.append(entriesOf('late'), { claim }))).toBe('thread_taken');
});

it.each(damages)('an owner that became %s was not released', async (_, damage) => {
  for (const name of ['owner', 'lease'] as const) {
    const { claim, open, damage: apply } = await held();
    await apply(name, damage);
    await claim.release();
    const next = await open(testClock()).claim(of('next'));
    expect(next.fence).toBeGreaterThan(claim.fence);
    expect(claim.lost.aborted).toBe(false);
  }
});

it('a run whose thread was deleted claimed another one that was begun with its id', async () => {
  const { records, thread, claim, open } = await held();
  await deleteThread(records, 't');
  await open(testClock()).append(entriesOf('other'));
  expect(await codeOf(claim.renew())).toBe('thread_taken');
  expect(await codeOf(thread.append(entriesOf('late'), { claim }))).toBe('thread_taken');
  expect(await records.get(keys.owner)).toBeUndefined();
  expect(await idsIn(open(testClock()))).toEqual(['other']);
});

it('a claim that was restored from an older copy was continued beside its successor, by a program that had slept', async () => {
  const { records, thread, claim, clock, open } = await held();
  const copy = (await records.get(keys.owner))?.value ?? null;
  const later = testClock();
  later.set(later.now() + 100_000_000);
  const second = await claimInTime(open(later), later);
  await records.put(keys.owner, copy); // the lease is the successor's
  clock.set(clock.now() + 100_000_000);
  expect(await codeOf(thread.append(entriesOf('late'), { claim }))).toBe('thread_taken');
  expect(claim.lost.reason).toMatchObject({ code: 'thread_taken' });
  await second.renew();
  expect((await records.get(keys.owner))?.value).toMatchObject({ fence: second.fence });
});

it('a claim whose owner was removed came back with its deleted thread', async () => {
  const { records, thread, claim, damage, driver, open } = await held();
  await damage('owner', 'removed');
  await open(testClock()).append(entriesOf('x'));
  expect(await codeOf(thread.append(entriesOf('x'), { claim }))).toBe('entry_exists');
  await deleteThread(records, 't');
  expect(await codeOf(claim.renew())).toBe('thread_deleted');
  expect(await driver.list({ tree: 'records', path: '/threads', depth: 9, limit: 9 })).toEqual([]);
});

it.each(['owner', 'lease'] as const)(
  'a renewal went on for ever beside a program that damages the %s each time',
  async (name) => {
    let commits = 0;
    const { claim, damage } = await held(entriesOf('a'), (driver) => ({
      ...driver,
      async commit(given) {
        const result = await driver.commit(given);
        if (++commits > 1_000) return new Promise(() => undefined);
        if (given.changes.some(({ type }) => type === 'move')) await damage(name, 'broken');
        return result;
      },
    }));
    await damage(name, 'broken');
    expect(await codeOf(claim.renew())).toBe('record_corrupt');
    expect(claim.lost.aborted).toBe(false);
    expect(commits).toBeLessThan(100);
  },
);

it('an append went on for ever beside a program that damages the summary each time', async () => {
  let commits = 0;
  const { thread, claim, driver } = await held(entriesOf('a'), (inner) => ({
    ...inner,
    async commit(given) {
      const result = await inner.commit(given);
      if (++commits > 1_000) return new Promise(() => undefined);
      if (given.changes.some(({ type }) => type === 'move')) await spoil(inner);
      return result;
    },
  }));
  await spoil(driver);
  expect(await codeOf(thread.append(entriesOf('b'), { claim }))).toBe('record_corrupt');
});

it('a claim that was made while its thread was deleted came back with it', async () => {
  const driver = memoryStorage();
  let isDeleted = false;
  const late: StorageDriver = {
    ...driver,
    async commit(given) {
      if (!isDeleted) await deleteThread(createRecords(driver), 't');
      isDeleted = true;
      return driver.commit(given);
    },
  };
  await openThread(createRecords(driver), 't').append(entriesOf('a'));
  const thread = openThread(createRecords(late), 't');
  expect(await codeOf(thread.claim(of('late')))).toBe('thread_deleted');
  expect(await driver.list({ tree: 'records', path: '/threads', depth: 9, limit: 9 })).toEqual([]);
});

it('an owner that was read before a takeover, and its lease after it, were those of an unknown run', async () => {
  const driver = memoryStorage();
  await (await openThread(createRecords(driver), 't').claim(of('first'))).release();
  let isTaken = false;
  const late: StorageDriver = {
    ...driver,
    async read(entry) {
      if (isTaken || !entry.path.endsWith('lease.json')) return driver.read(entry);
      isTaken = true;
      await openThread(createRecords(driver), 't').claim(of('second'));
      return driver.read(entry);
    },
  };
  expect(await openThread(createRecords(late), 't').owner?.()).toMatchObject({ runId: 'second' });
});

it('a renewal behind an append that releases the claim took that for a takeover', async () => {
  let isSlow = false;
  const { thread, claim } = await held(entriesOf('a'), (inner) => ({
    ...inner,
    async commit(given) {
      const result = await inner.commit(given);
      const isAppend = given.changes.some(({ path }) => path.includes('messages'));
      if (isSlow && isAppend) await claim.renew().catch(() => undefined);
      return result;
    },
  }));
  isSlow = true;
  await thread.append(entriesOf('b'), { claim, release: true });
  expect(claim.lost.aborted).toBe(false);
});

it('an append went on for ever beside a damaged record that cannot be set aside', async () => {
  let commits = 0;
  const { thread, claim, driver } = await held(entriesOf('a'), (inner) => ({
    ...inner,
    async commit(given) {
      if (++commits > 1_000) return new Promise(() => undefined);
      if (given.changes.some(({ type }) => type === 'move')) throw new Error('Not now.');
      return inner.commit(given);
    },
  }));
  await spoil(driver);
  expect(await codeOf(thread.append(entriesOf('b'), { claim }))).toBe('record_corrupt');
  expect(commits).toBeLessThan(100);
});

it('a renewal and an append that both find the owner damaged keep their claim', async () => {
  const { thread, claim, damage } = await held();
  for (const each of ['broken', 'removed'] as const) {
    await damage('owner', each);
    await Promise.all([claim.renew(), thread.append(entriesOf(each), { claim }), claim.renew()]);
  }
  expect(claim.lost.aborted).toBe(false);
});

it.each([
  ['with a message', entriesOf('a')],
  ['without any', []],
])('a deleted thread %s ends its claim at once, and nothing of it comes back', async (_, entries) => {
  for (const act of ['append', 'renew'] as const) {
    const { records, thread, claim, driver } = await held(entries);
    await deleteThread(records, 't');
    const acting = act === 'renew' ? claim.renew() : thread.append(entriesOf('b'), { claim });
    expect(await codeOf(acting)).toBe('thread_deleted');
    expect(claim.lost.reason).toMatchObject({ code: 'thread_deleted' });
    expect(await driver.list({ tree: 'records', path: '/threads', depth: 9, limit: 9 })).toEqual([]);
  }
});

it('a claim that was released, or taken over under any fence, is not restored', async () => {
  const released = await held();
  await released.claim.release();
  await released.damage('owner', 'removed');
  expect(await codeOf(released.thread.append(entriesOf('late'), { claim: released.claim }))).toBe('thread_taken');
  expect(await released.records.get(keys.owner)).toBeUndefined();
  for (const fence of [1, 5, 9]) {
    const { records, claim } = await held();
    await records.put(keys.owner, { fence, runId: 'first', ttlMs, since: 5 });
    await records.put(keys.lease, { fence, beat: 0, time: 5 });
    expect(await codeOf(claim.renew())).toBe('thread_taken');
  }
});

it.each(
  damages.flatMap(([name, damage]) => [
    [`owner that became ${name}`, ['owner'], damage] as const,
    [`lease that became ${name}`, ['lease'], damage] as const,
    [`owner and a lease that became ${name}`, ['owner', 'lease'], damage] as const,
  ]),
)('an %s hid from the next claim that a call may still be under way', async (_, names, damage) => {
  const { thread, claim, open, damage: apply } = await held();
  await thread.append([{ ...call, fence: claim.fence }], { claim });
  for (const name of names) await apply(name, damage);
  const clock = testClock();
  clock.set(clock.now() + 100_000_000); // nothing was renewed meanwhile
  const next = open(clock);
  await next.read(); // as a run does that resumes
  const second = await claimInTime(next, clock);
  expect(second.fence).toBeGreaterThan(claim.fence);
  expect(second.lapsed).toBeGreaterThanOrEqual(claim.fence);
  await second.release();
  const third = await open(clock).claim(of('third'));
  expect(third.lapsed).toBeGreaterThanOrEqual(claim.fence);
  expect(await codeOf(thread.append(entriesOf('late'), { claim }))).toBe('thread_taken');
});

it('a thread that has lost both records is claimed behind all fences of its log, also by the program that read it earlier', async () => {
  const { thread, claim, open, damage } = await held();
  const early = open(testClock());
  await early.append(entriesOf('b'));
  await thread.append([{ ...call, fence: claim.fence }], { claim });
  await claim.release();
  for (const each of [open(testClock()), early, thread]) {
    for (const name of ['owner', 'lease'] as const) await damage(name, 'removed');
    const next = await each.claim(of('next'));
    expect([next.fence, next.lapsed]).toEqual([claim.fence + 1, claim.fence]);
    await next.release();
  }
});

it('a call with a fence that is none does not count', async () => {
  const { thread, claim, open, damage } = await held();
  for (const fence of ['9', 1e300, -1, 0.5]) await thread.append([{ ...call, fence: fence as number }]);
  await claim.release();
  for (const name of ['owner', 'lease'] as const) await damage(name, 'removed');
  expect(await open(testClock()).claim(of('next'))).toMatchObject({ fence: 1, lapsed: 0 });
});

it('the claim behind the largest fence was one that its own reader refused', async () => {
  const { records, claim, open } = await held();
  await claim.release();
  await records.put(keys.owner, { fence: Number.MAX_SAFE_INTEGER, ttlMs });
  const clock = testClock();
  const next = await open(clock).claim(of('next'));
  expect(await open(clock).owner?.()).toMatchObject({ runId: 'next' });
  expect(await codeOf(open(clock).claim(of('other')))).toBe('thread_busy');
  await next.renew();
  await next.release();
  expect(await open(clock).claim(of('other'))).toMatchObject({ runId: 'other' });
});
