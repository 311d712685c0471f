import type { Claim } from '../thread/thread.ts';
import { assert, assertEqual } from './assert.ts';
import { codeOf, entriesOf, idsIn, sorted } from './thread-kit.ts';
import type { OpenThread, ThreadCase } from './thread-kit.ts';

const ttlMs = 30_000;
const of = (runId: string) => ({ runId, ttlMs });

/** Claims a thread, and advances time until that is decided; calls `beside` repeatedly meanwhile. */
async function claimInTime(
  { thread, clock }: OpenThread,
  runId: string,
  beside: () => Promise<unknown> = async () => undefined,
): Promise<Claim | string> {
  const outcome = thread.claim(of(runId)).catch((error: { readonly code: string }) => error.code);
  const isDecided = outcome.then(() => true);
  for (let turns = 0; turns < 1_000; turns++) {
    await clock.pass(ttlMs / 8);
    await beside();
    if (await Promise.race([isDecided, clock.pass(0).then(() => false)])) return outcome;
  }
  throw new Error(`the claim of ${runId} was never decided`);
}

/** Guarantees of a thread about claims. */
export const threadClaimCases = {
  'is claimed by one of many': async (open) => {
    const all = await Promise.all(Array.from({ length: 4 }, () => open()));
    const outcomes = await Promise.all(all.map(({ thread }, index) => codeOf(thread.claim(of(`${index}`)))));
    assertEqual(
      sorted(outcomes),
      sorted(['thread_busy', 'thread_busy', 'thread_busy', undefined]),
      'the outcome of the claims',
    );
  },

  'is free again once it is released': async (open) => {
    const [one, other] = [await open(), await open()];
    const first = await one.thread.claim(of('1'));
    await one.thread.append(entriesOf('a'), { claim: first });
    await first.release();
    assertEqual(
      await codeOf(one.thread.append(entriesOf('late'), { claim: first })),
      'thread_taken',
      'an append after the release',
    );
    const second = await other.thread.claim(of('2'));
    assert(second.fence > first.fence, `the second fence is ${second.fence}, the first ${first.fence}`);
    await other.thread.append(entriesOf('b'), { claim: second });
    assertEqual(await idsIn(one), ['a', 'b'], 'the messages');
  },

  'is free again after an append that releases it': async (open) => {
    const [one, other] = [await open(), await open()];
    const first = await one.thread.claim(of('1'));
    await one.thread.append(entriesOf('a'), { claim: first, release: true });
    const late = one.thread.append(entriesOf('late'), { claim: first });
    assertEqual(await codeOf(late), 'thread_taken', 'an append after the release');
    const second = await other.thread.claim(of('2'));
    await other.thread.append(entriesOf('b'), { claim: second });
    assertEqual(await idsIn(one), ['a', 'b'], 'the messages');
  },

  'stays with an owner that renews, and renewing does not block its appends': async (open) => {
    const [one, other] = [await open(), await open()];
    const claim = await one.thread.claim(of('1'));
    for (let index = 0; index < 6; index++) {
      const appending = one.thread.append(entriesOf(`${index}`), { claim });
      await Promise.all([appending, claim.renew(), one.clock.pass(ttlMs / 2)]);
    }
    other.clock.set(one.clock.now());
    assertEqual(await codeOf(other.thread.claim(of('2'))), 'thread_busy', 'a second claim');
    assertEqual(claim.lost.aborted, false, 'whether the claim is lost');
    assertEqual((await idsIn(other)).length, 6, 'the messages');
  },

  'is taken over from an owner that is silent, which then stores nothing': async (open) => {
    const [one, other] = [await open(), await open()];
    const first = await one.thread.claim(of('1'));
    await one.thread.append(entriesOf('a'), { claim: first });
    other.clock.set(one.clock.now() + 2 * ttlMs);
    const second = await claimInTime(other, '2');
    assert(typeof second !== 'string', `the claim came to ${String(second)}`);
    await other.thread.append(entriesOf('b'), { claim: second });
    assertEqual(await codeOf(one.thread.append(entriesOf('late'), { claim: first })), 'thread_taken', 'a late append');
    assertEqual([first.lost.aborted, second.lost.aborted], [true, false], 'whether the claims are lost');
    assertEqual(await idsIn(other), ['a', 'b'], 'the messages');
  },

  'remembers that an owner may still be at work': async (open) => {
    const [one, other] = [await open(), await open()];
    await (await one.thread.claim(of('0'))).release();
    const first = await one.thread.claim(of('1'));
    assertEqual(first.lapsed, 0, 'the last fence that lapsed, behind a release');
    await one.thread.append(entriesOf('a'), { claim: first });
    other.clock.set(one.clock.now() + 2 * ttlMs);
    const second = await claimInTime(other, '2');
    assert(typeof second !== 'string', `the claim came to ${String(second)}`);
    assertEqual(second.lapsed, first.fence, 'the last fence that lapsed, of who took over');
    await second.release();
    const third = await other.thread.claim(of('3'));
    assertEqual(third.lapsed, first.fence, 'the last fence that lapsed, of the next');
  },

  'is not taken over because a clock jumped': async (open) => {
    const [one, other] = [await open(), await open()];
    const claim = await one.thread.claim(of('1'));
    for (const wrong of [10 * ttlMs, -10 * ttlMs, 1e15]) {
      other.clock.set(one.clock.now() + wrong);
      const attempt = await claimInTime(other, '2', () => claim.renew());
      assertEqual(attempt, 'thread_busy', `a claim by a clock that is ${wrong} ms off`);
    }
    await one.thread.append(entriesOf('a'), { claim });
    assertEqual(claim.lost.aborted, false, 'whether the claim is lost');
  },

  'is claimed again by an owner that slept, if it was not taken over': async (open) => {
    const one = await open();
    const claim = await one.thread.claim(of('1'));
    one.clock.set(one.clock.now() + 1_000 * ttlMs); // wall clocks advanced, the process did not
    await one.thread.append(entriesOf('a'), { claim });
    await claim.renew();
    assertEqual(claim.lost.aborted, false, 'whether the claim is lost');
  },

  'accepts appends without a claim': async (open) => {
    const [one, other] = [await open(), await open()];
    const claim = await one.thread.claim(of('1'));
    await one.thread.append(entriesOf('a'), { claim });
    await other.thread.append(entriesOf('b'));
    await one.thread.append(entriesOf('c'), { claim });
    assertEqual(await idsIn(other), ['a', 'b', 'c'], 'the messages');
  },

  'refuses a claim on another thread': async (open) => {
    const [one, other] = [await open('one'), await open('other')];
    const claim = await one.thread.claim(of('1'));
    assertEqual(await codeOf(other.thread.append(entriesOf('a'), { claim })), 'thread_taken', 'an append elsewhere');
    assertEqual(await idsIn(other), [], 'the messages there');
  },
} satisfies Readonly<Record<string, ThreadCase>>;
