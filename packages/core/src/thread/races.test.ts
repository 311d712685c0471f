// Two programs want one thread, in every order of their accesses to the storage: what the thread promises holds in each,
// and a thread with one planted defect is found out.

import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { UtensilError } from '../base/errors.ts';
import { actions } from '../test-kit/claimants/actions.ts';
import type { Action } from '../test-kit/claimants/actions.ts';
import { complaintsAbout } from '../test-kit/claimants/race.ts';
import type { Damage, Defect, Race } from '../test-kit/claimants/scene.ts';
import { damage } from '../test-kit/claimants/vandal.ts';
import type { Claim } from './thread.ts';

const isLong = inject('isLong');

/** Most races keep their thread: one that is deleted proves less. */
const action = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(...actions.filter((each) => each !== 'delete')) },
  { weight: 1, arbitrary: fc.constant('delete' as const) },
);
const planOf = (next: fc.Arbitrary<Action>) =>
  fc
    .tuple(fc.constantFrom('resume', 'claim'), fc.array(next, { maxLength: 8 }))
    .map(([first, rest]) => [first, ...rest] as const);
const plan = planOf(action);

/** A thread whose summary is damaged cannot be told from one that was deleted. */
const keepingPlan = planOf(fc.constantFrom(...actions.filter((each) => each !== 'delete')));

/** Every order of the accesses of two programs with these plans. */
const orders = (plans: fc.Arbitrary<Race['plans']>, defect?: Defect, damages = fc.constant<readonly Damage[]>([])) => {
  const races = fc.record({
    plans,
    damages,
    isAsked: fc.boolean(),
    clocksDiffer: fc.boolean(),
    knowsDeath: fc.boolean(),
    renewals: fc.nat({ max: 6 }),
  });
  return fc.asyncProperty(fc.scheduler(), races, async (scheduler, race) => {
    expect(await complaintsAbout(scheduler, race, defect)).toEqual([]);
  });
};

it('two programs with one thread do nothing twice, lose no message, and leave a thread that can be finished', async () => {
  const trying = fc.assert(orders(fc.tuple(plan, plan)), { numRuns: isLong ? 20_000 : 150 });
  await expect(trying).resolves.toBeUndefined();
});

it('two programs keep these promises while a third damages every record of the thread but its log', async () => {
  const trying = fc.assert(
    orders(fc.tuple(keepingPlan, keepingPlan), undefined, fc.array(damage, { minLength: 1, maxLength: 6 })),
    { numRuns: isLong ? 20_000 : 150 },
  );
  await expect(trying).resolves.toBeUndefined();
});

/** Gives a claim whatever the good thread says. */
const granted = (runId: string): Claim => ({
  runId,
  fence: 1,
  lost: new AbortController().signal,
  lapsed: 0,
  renew: async () => undefined,
  release: async () => undefined,
});

/** Planted defects, each with the actions of two programs that expose it. */
const planted: Readonly<Record<string, readonly [...Race['plans'], Defect]>> = {
  'ignores claims': [
    ['claim', 'pause', 'append as owner'],
    ['claim', 'append as owner'],
    ({ append }) => ({
      append: (entries, { claim: _, release: __, ...options } = {}) => append(entries, options),
    }),
  ],
  'lets two claims live': [
    ['resume', 'answer'],
    ['resume', 'answer'],
    ({ claim, append }) => ({
      claim: (options) => claim(options).catch(() => granted(options.runId)),
      append: (entries, { claim: by, ...options } = {}) =>
        append(entries, { ...options, ...(by !== undefined && by.fence > 1 && { claim: by }) }),
    }),
  ],
  'keeps a claim alive that is lost': [
    ['claim', 'pause', 'renew'],
    ['claim', 'append as owner'],
    ({ claim }) => ({
      async claim(options) {
        const good = await claim(options);
        const { renew } = good;
        return Object.assign(good, { renew: () => renew().catch(() => undefined) });
      },
    }),
  ],
  'stores what comes after a claim was lost': [
    ['claim', 'pause', 'append as owner'],
    ['claim', 'append as owner'],
    ({ append }) => ({
      append: (entries, given = {}) =>
        append(entries, given).catch((error: unknown) => {
          const { claim, release: _, ...options } = given;
          if (claim === undefined) throw error;
          return append(entries, options);
        }),
    }),
  ],
  'forgets which calls have begun': [
    ['resume', 'answer', 'wait', 'die'],
    ['wait', 'resume', 'answer'],
    ({ append }) => ({
      append: (entries, options) =>
        append(
          entries.filter(({ type }) => type !== 'call-begun'),
          options,
        ),
    }),
  ],
  'takes every answer': [
    ['answer'],
    ['answer'],
    ({ append }) => ({
      append: (entries, { ifLast: _, ...options } = {}) => append(entries, options),
    }),
  ],
  'says that a message is stored before it is': [
    ['append', 'die'],
    ['append'],
    ({ append }) => ({
      append(entries, options = {}) {
        const stored = append(entries, options);
        if (options.claim !== undefined || entries.some(({ type }) => type !== 'message')) return stored;
        stored.catch(() => undefined);
        return Promise.resolve(0);
      },
    }),
  ],
  'is held for good by whoever had it last': [
    ['claim', 'die'],
    ['claim'],
    ({ claim }, records) => ({
      async claim(options) {
        const owner = (await records.get(['threads', 't', 'owner']))?.value as { readonly runId?: string } | undefined;
        if (owner?.runId !== undefined) throw new UtensilError('thread_busy', 'Somebody has it.');
        return claim(options);
      },
    }),
  ],
};

describe('a thread', () => {
  it.each(Object.entries(planted))('that %s is found out', async (_, [one, two, defect]) => {
    const outcome = await fc.check(orders(fc.constant([one, two]), defect), { numRuns: 1_000, endOnFailure: true });
    expect(outcome.errorInstance).toMatchObject({ name: 'AssertionError' });
  });
});
