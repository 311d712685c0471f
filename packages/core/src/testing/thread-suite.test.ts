// Core's thread suite is tested here, over a good storage: a thread with one planted defect must fail the case that is
// about it. Each case of the suite has at least one defect.

import { memoryState, memoryStorage } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import { createRecords } from '../records/records.ts';
import { withShortWaits } from '../test-kit/short-waits.ts';
import { openThread } from '../thread/open-thread.ts';
import type { Thread } from '../thread/thread.ts';
import { threadCases, threadSuite } from './thread-suite.ts';
import type { ThreadCaseName } from './thread-suite.ts';

/** Members of a broken thread that replace those of a good one. */
type Defect = (good: Thread) => Partial<Thread>;

const place = (): Parameters<typeof threadSuite>[1] => () => {
  const state = memoryState();
  return { open: async (namespace) => memoryStorage({ state, namespace }), destroy: async () => {} };
};

const eachPage =
  (change: (page: Awaited<ReturnType<Thread['read']>>) => Awaited<ReturnType<Thread['read']>>): Defect =>
  ({ read }) => ({ read: async (options) => change(await read(options)) });

/** Numbers messages that are there already, so that they count as new. */
let copies = 0;

const planted: Readonly<Record<ThreadCaseName, Readonly<Record<string, Defect>>>> = {
  'keeps entries in their order, and numbers them': {
    'numbers from 0': eachPage((page) => ({
      ...page,
      entries: page.entries.map(({ position, entry }) => ({ position: position - 1, entry })),
    })),
  },
  'is read page by page': {
    'loses an entry between pages': ({ read }) => ({
      read: ({ after = 0, ...rest } = {}) => read({ ...rest, after: after === 0 ? 0 : after + 1 }),
    }),
    'knows no limit': ({ read }) => ({ read: ({ after = 0 } = {}) => read({ after }) }),
  },
  'keeps the appends of several writers apart, and loses none': {
    'stores the entries of an append one by one': ({ append }) => ({
      async append(entries, options) {
        let last = 0;
        for (const entry of entries) {
          last = await append([entry], options);
          await new Promise((resolve) => setTimeout(resolve));
        }
        return last;
      },
    }),
  },
  'is free again after an append that releases it': {
    'keeps it': ({ append }) => ({
      append: (entries, { release: _, ...options } = {}) => append(entries, options),
    }),
    'releases, and stores nothing': ({ append }) => ({
      append: (entries, options) => append(options?.release === true ? [] : entries, options),
    }),
  },
  'keeps entries of every kind unchanged': {
    'keeps no answers': ({ append }) => ({
      append: (entries, options) =>
        append(
          entries.filter(({ type }) => type !== 'answer'),
          options,
        ),
    }),
    'keeps no seals': eachPage((page) => ({
      ...page,
      entries: page.entries.map(({ position, entry }) => {
        const { seal: _, ...rest } = entry as typeof entry & { readonly seal?: string };
        return { position, entry: rest };
      }),
    })),
  },
  'takes each message once': {
    'gives a message that is there another id': ({ append }) => ({
      append: (entries, options) =>
        append(entries, options).catch(() =>
          append(
            entries.map((entry) =>
              'message' in entry ? { ...entry, message: { ...entry.message, id: `copy ${copies++}` } } : entry,
            ),
            options,
          ),
        ),
    }),
  },
  'stores nothing if others have written since': {
    'does not look': ({ append }) => ({
      append: (entries, { ifLast: _, ...options } = {}) => append(entries, options),
    }),
  },
  'has one draft, which its message replaces': {
    'stores drafts as messages': ({ append }) => ({
      append: (entries, options) =>
        append(
          entries.map((entry) =>
            entry.type === 'draft' ? { type: 'message', message: { ...entry.message, incomplete: true } } : entry,
          ),
          options,
        ),
    }),
  },
  'keeps a draft that another message follows': {
    'forgets its draft': ({ append }) => ({
      append: (entries, options) =>
        append(
          entries.filter(({ type }) => type !== 'draft'),
          options,
        ),
    }),
  },
  'shows the revised message in its place': {
    'stores no revision': ({ append }) => ({
      append: (entries, options) =>
        append(
          entries.filter(({ type }) => type !== 'revision'),
          options,
        ),
    }),
  },
  'reports changes by other writers': {
    'tells nobody': () => ({ watch: () => () => undefined }),
  },
  'keeps threads apart': {
    'reads another one': (good) => ({
      read: good.id.includes('/') ? good.read : async () => ({ entries: [], last: 0, more: false }),
    }),
  },
  'is claimed by one of many': {
    'lets two claims live': ({ claim }) => ({
      claim: (options) =>
        claim(options).catch(() => ({
          runId: options.runId,
          fence: 99,
          lapsed: 0,
          lost: new AbortController().signal,
          renew: async () => undefined,
          release: async () => undefined,
        })),
    }),
  },
  'is free again once it is released': {
    'keeps what is released': ({ claim }) => ({
      claim: async (options) => ({ ...(await claim(options)), release: async () => undefined }),
    }),
  },
  'stays with an owner that renews, and renewing does not block its appends': {
    'takes a renewed claim for another one': (good) => {
      let isRenewed = false;
      return {
        async claim(options) {
          const claim = await good.claim(options);
          const { renew } = claim;
          const renewing = async (): Promise<void> => {
            isRenewed = true;
            await renew();
          };
          return Object.assign(claim, { renew: renewing });
        },
        append: (entries, options = {}) =>
          isRenewed && options.claim
            ? Promise.reject(new Error('The claim has changed.'))
            : good.append(entries, options),
      };
    },
  },
  'is taken over from an owner that is silent, which then stores nothing': {
    'ignores claims': ({ append }) => ({
      append: (entries, { claim: _, ...options } = {}) => append(entries, options),
    }),
  },
  'remembers that an owner may still be at work': {
    'forgets whom it was taken from': ({ claim }) => ({
      claim: async (options) => Object.assign(await claim(options), { lapsed: 0 }),
    }),
    'suspects everybody': ({ claim }) => ({
      claim: async (options) => {
        const taken = await claim(options);
        return Object.assign(taken, { lapsed: taken.fence - 1 });
      },
    }),
  },
  'is not taken over because a clock jumped': {
    'believes the clock of the wall': (good) => ({
      claim: (options) =>
        good.claim(options).catch(async (error: unknown) => {
          if (options.runId !== '2') throw error;
          return { ...({} as Awaited<ReturnType<Thread['claim']>>), fence: 99 };
        }),
    }),
  },
  'is claimed again by an owner that slept, if it was not taken over': {
    'loses a claim with its time': (good) => ({
      append: (entries, options = {}) =>
        options.claim ? Promise.reject(new Error('The claim is too old.')) : good.append(entries, options),
    }),
  },
  'accepts appends without a claim': {
    'lets its owner alone': (good) => {
      let isClaimed = false;
      return {
        claim: async (options) => ((isClaimed = true), good.claim(options)),
        append: (entries, options = {}) =>
          options.claim === undefined && !isClaimed
            ? Promise.reject(new Error('Claim it first.'))
            : good.append(entries, options),
      };
    },
  },
  'refuses a claim on another thread': {
    'takes any claim': ({ append }) => ({
      append: (entries, { claim: _, ...options } = {}) => append(entries, options),
    }),
  },
};

describe('a thread in records', () => {
  threadSuite({ test: it }, place());
});

it.each(
  threadCases.flatMap((name) =>
    Object.entries(planted[name]).map(([defect, change]) => [name, defect, change] as const),
  ),
)('fails %j for a thread that %s', async (name, _, change) => {
  const outcomes = new Map<string, unknown>();
  const running: Promise<unknown>[] = [];
  const test = (title: string, body: () => Promise<void> | void): void => {
    if (title === name)
      running.push(
        Promise.resolve(body()).then(
          () => outcomes.set(title, 'passed'),
          () => outcomes.set(title, 'failed'),
        ),
      );
  };
  await withShortWaits(async () => {
    threadSuite({ test }, place(), {
      openThread(driver, id, options) {
        const good = openThread(createRecords(driver), id, options);
        return { ...good, ...change(good) };
      },
    });
    await Promise.all(running);
  });
  expect([...outcomes]).toEqual([[name, 'failed']]);
});
