// Core's record suite is tested here, because it needs a good storage: a store with one planted defect, in itself or in
// its driver, must fail the case that is about it. Each case of the suite has at least one defect.

import { memoryState, memoryStorage } from '@utensil/storage-memory';
import type { MemoryState } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import { logKey, logNumber } from '../files/record-key.ts';
import type { RecordKey } from '../files/record-key.ts';
import type { EntryKey, StorageDriver } from '../files/storage/driver.ts';
import type { RecordChange } from '../records/commit.ts';
import type { CorruptRecord, StoredRecord } from '../records/content.ts';
import { createRecords } from '../records/records.ts';
import type { RecordStore } from '../records/records.ts';
import { withShortWaits } from '../test-kit/short-waits.ts';
import { recordCases, recordSuite } from './record-suite.ts';
import type { RecordCaseName } from './record-suite.ts';

/** Members of a broken store, or of the driver below it, that replace those of a good one. */
interface Defect {
  readonly records?: (good: RecordStore) => Partial<RecordStore>;
  readonly driver?: (good: StorageDriver, state: MemoryState) => Partial<StorageDriver>;
}

type CommitInstead = (
  good: RecordStore,
  ...given: Parameters<RecordStore['commit']>
) => ReturnType<RecordStore['commit']>;

const eachCommit = (instead: CommitInstead): Defect => ({
  records: (good) => ({ commit: (...given) => instead(good, ...given) }),
});

const eachList = (
  instead: (good: RecordStore, ...given: Parameters<RecordStore['list']>) => ReturnType<RecordStore['list']>,
): Defect => ({
  records: (good) => ({ list: (...given) => instead(good, ...given) }),
});

const withoutEntries = (isHidden: (path: string, after: string | undefined) => boolean): Defect => ({
  driver: ({ list }) => ({
    list: async (query) => (await list(query)).filter(({ path }) => !isHidden(path, query.after)),
  }),
});

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

/** Commits each change on its own; only the first expects anything. */
const split: CommitInstead = async ({ commit }, changes, { expect = [] } = {}) => {
  const written: StoredRecord[] = [];
  for (const [index, change] of changes.entries()) {
    const result = await commit([change], { expect: index === 0 ? expect : [] });
    if (!result.ok) return result;
    written.push(...result.records);
    await pause();
  }
  return changes.length === 0 ? commit(changes, { expect }) : { ok: true, records: written };
};

/** Checks the expectations first, and then commits without them. */
const checkFirst: CommitInstead = async ({ commit }, changes, options) => {
  const checked = await commit([], options);
  if (!checked.ok) return checked;
  await pause();
  return commit(changes);
};

const nameOf = (key: RecordKey): string => key.join('/');

const targetOf = (change: RecordChange): string => nameOf(change.type === 'append' ? change.log : change.key);

const planted: Readonly<Record<RecordCaseName, Readonly<Record<string, Defect>>>> = {
  'keeps records, whatever their ids': {
    'lists no id that is escaped': withoutEntries((path) => path.includes('%2f')),
  },
  'numbers the records of a log': {
    'writes over numbers that others have taken': {
      driver: ({ commit }) => ({
        commit: (given) =>
          commit({ ...given, expect: given.expect.filter(({ etag, path }) => etag !== null || !/\d{12}/.test(path)) }),
      }),
    },
  },
  'never reuses a number, even if a log has gaps': {
    'takes the number of a record that was set aside': withoutEntries((path) => path.includes('.corrupt-')),
    'counts the records for the next number': {
      records: ({ list, put }) => ({
        async append(log, value) {
          let number = 1;
          for await (const record of list(log)) if ('value' in record) number++;
          return logNumber((await put(logKey(log, number), value)).key) ?? 0;
        },
      }),
    },
  },
  'lists a log page by page': {
    'repeats the last record of a page on the next': eachList(({ list }, prefix, options = {}) => {
      const { after } = options;
      return list(prefix, typeof after === 'number' && after > 0 ? { ...options, after: after - 1 } : options);
    }),
    'leaves out the first record of each page but the first': eachList(({ list }, prefix, options = {}) => {
      const { after } = options;
      return list(prefix, typeof after === 'number' && after > 0 ? { ...options, after: after + 1 } : options);
    }),
    'gives a record more than a page has': eachList(({ list }, prefix, options = {}) => {
      return list(prefix, options.limit === undefined ? options : { ...options, limit: options.limit + 1 });
    }),
  },
  'lists any ids page by page, always in the same order': {
    'leaves out long ids from the second page on': withoutEntries(
      (path, after) => path.endsWith('+') && after !== undefined,
    ),
    'turns the order of a page round': eachList(async function* ({ list }, prefix, options) {
      const page: (StoredRecord | CorruptRecord)[] = [];
      for await (const record of list(prefix, options)) page.unshift(record);
      yield* options?.limit === undefined ? page.toReversed() : page;
    }),
  },
  'continues after a page despite changes in between': {
    'looks for the record that a page ended with': eachList(async function* ({ list }, prefix, options = {}) {
      const { after, limit = Infinity } = options;
      const all: (StoredRecord | CorruptRecord)[] = [];
      for await (const record of list(prefix)) all.push(record);
      const id = typeof after === 'number' ? logKey([], after)[0] : after;
      const start = all.findIndex(({ key }) => key.at(-1) === id) + 1;
      yield* all.slice(start, start + limit);
    }),
  },
  'reads and lists no more than a page': {
    'reads all that there is for each page': eachList(async function* ({ list }, prefix, options = {}) {
      const wanted = new Set<string>();
      for await (const { key } of list(prefix, options)) wanted.add(nameOf(key));
      for await (const record of list(prefix)) if (wanted.has(nameOf(record.key))) yield record;
    }),
  },
  'puts, appends and removes in one commit': {
    'loses the second append to a log': eachCommit(({ commit }, changes, options) => {
      const kept = changes.filter((change, index) => {
        const [first] = changes.flatMap((each, at) => (targetOf(each) === targetOf(change) ? [at] : []));
        return change.type !== 'append' || first === index;
      });
      return commit(kept, options);
    }),
    'gives no etags': eachCommit(async ({ commit }, changes, options) => {
      const result = await commit(changes, options);
      return result.ok ? { ok: true, records: result.records.map((record) => ({ ...record, etag: '' })) } : result;
    }),
  },
  'commits all or nothing': {
    'makes one change after the other': eachCommit(split),
  },
  'reports the first failed expectation, and the actual record': {
    'names the last that failed': eachCommit(({ commit }, changes, { expect = [], ...options } = {}) =>
      commit(changes, { ...options, expect: expect.toReversed() }),
    ),
    'does not say what is there': eachCommit(async ({ commit }, ...given) => {
      const result = await commit(...given);
      return result.ok ? result : { ...result, record: undefined };
    }),
  },
  'expects records that it leaves alone': {
    'ignores what it is to expect of others': eachCommit(({ commit }, changes, { expect = [], ...options } = {}) => {
      const own = expect.filter(({ key }) => changes.some((change) => targetOf(change) === nameOf(key)));
      return commit(changes, { ...options, expect: own });
    }),
  },
  'checks expectations against the state before the first change': {
    'expects nothing of numbers': eachCommit(({ commit }, changes, { expect = [], ...options } = {}) =>
      commit(changes, { ...options, expect: expect.filter(({ key }) => logNumber(key) === undefined) }),
    ),
  },
  'gives another etag to another value': {
    'has only eight etags': {
      driver(good, state) {
        let contents = 0;
        const counter: PropertyDescriptor = { get: () => contents };
        counter.set = (count: number) => {
          contents = count % 8;
        };
        Object.defineProperty(state, 'contents', counter);
        return good;
      },
    },
  },
  'refuses changes that concern the same record': {
    'takes the last of several changes': eachCommit(({ commit }, changes, options) => {
      const last = changes.filter((change, index) => {
        const isChangedAgain = changes.slice(index + 1).some((each) => targetOf(each) === targetOf(change));
        return change.type === 'append' || !isChangedAgain;
      });
      return commit(last, options);
    }),
  },
  'never takes a corrupt record for an absent one': {
    'reads nothing where something is damaged': {
      driver: ({ read }) => ({
        async read(key, range) {
          const found = await read(key, range);
          return found?.content.at(-1) === 0x0a || key.path.includes('corrupt') ? found : undefined;
        },
      }),
    },
  },
  'notifies watchers of the changes of a commit': {
    'tells of the first change alone': {
      driver: ({ watch }) => ({
        watch: (listener) => watch((keys: readonly EntryKey[]) => listener(keys.slice(0, 1))),
      }),
    },
  },
  'has every commit when it is opened again': {
    'forgets all when it is closed': {
      driver: ({ close }, state) => ({
        async close() {
          state.namespaces.clear();
          await close();
        },
      }),
    },
  },
  'lets one of many claims win': {
    'looks at what is expected, and commits later': eachCommit(checkFirst),
  },
  'stops an owner that was replaced': {
    'tries again without what was in the way': eachCommit(async ({ commit }, changes, options = {}) => {
      const result = await commit(changes, options);
      if (result.ok) return result;
      return commit(changes, {
        expect: options.expect?.filter(({ key }) => nameOf(key) !== nameOf(result.conflict)) ?? [],
      });
    }),
  },
  'renews a lease without failing the appends of its owner': {
    'takes every change beside it for a conflict': {
      records({ commit, put }) {
        let puts = 0;
        return {
          async put(...given) {
            const record = await put(...given);
            puts++;
            return record;
          },
          async commit(changes, options) {
            const before = puts;
            const result = await commit([], options);
            await pause();
            const [first] = options?.expect ?? [];
            if (first !== undefined && before < puts) return { ok: false, conflict: first.key, record: undefined };
            return result.ok ? commit(changes, options) : result;
          },
        };
      },
    },
  },
  'counts each of many conflicting commits once': {
    'looks at what is expected, and commits later': eachCommit(checkFirst),
  },
  'lands commits that append to the same logs at once': {
    'makes one change after the other': eachCommit(split),
  },
  'appends after the last record that it expects': {
    'counts the appends of each store apart': {
      records({ commit }) {
        let count = 0;
        return {
          commit(changes, options) {
            const numbered = changes.map((change): RecordChange => {
              if (change.type !== 'append') return change;
              return { type: 'put', key: logKey(change.log, ++count), value: change.value };
            });
            return commit(numbered, options);
          },
        };
      },
    },
  },
  'shows a commit as a whole': {
    'makes one change after the other': eachCommit(split),
  },
  'agrees with a plain map on random commits': {
    'removes what is below a record along with it': eachCommit(({ commit }, changes, options) =>
      commit(
        changes.map((change) => (change.type === 'remove' ? { ...change, recursive: true } : change)),
        options,
      ),
    ),
  },
};

/** The tests of the suite, by name, for a store with a defect. */
function casesFor({ records, driver }: Defect = {}): ReadonlyMap<string, () => unknown> {
  const make = () => {
    const state = memoryState();
    const open = async (namespace: string): Promise<StorageDriver> => {
      const good = memoryStorage({ state, namespace });
      return { ...good, ...driver?.(good, state) };
    };
    return { open, destroy: async () => {} };
  };
  const create = (storage: StorageDriver): RecordStore => {
    const good = createRecords(storage);
    return { ...good, ...records?.(good) };
  };
  const cases = new Map<string, () => unknown>();
  recordSuite({ test: (name, body) => cases.set(name, body) }, make, { createRecords: create });
  return cases;
}

describe('recordSuite', () => {
  it('finds nothing wrong with a good store', async () => {
    const cases = casesFor();
    for (const name of recordCases) await cases.get(name)?.();
    expect([...cases.keys()]).toEqual(recordCases);
  });

  for (const name of recordCases) {
    it.each(Object.entries(planted[name]))(`fails '${name}' for a store that %s`, async (_, defect) => {
      const failing = withShortWaits(async () => casesFor(defect).get(name)?.());
      await expect(failing).rejects.toBeInstanceOf(Error);
    });
  }

  it('leaves a test out for a reason given in a sentence', () => {
    const names: string[] = [];
    const make = () => ({ open: async () => memoryStorage(), destroy: async () => {} });
    const skip = { 'has every commit when it is opened again': 'It lives in the memory of one page.' } as const;
    recordSuite({ test: (name) => names.push(name) }, make, { skip });
    expect(names).toEqual(recordCases.filter((name) => !(name in skip)));
  });

  it.each([{ 'lists a log page by page': 'slow' }, { 'lists a log': 'There is no test of that name.' }])(
    'refuses to skip %o',
    (skip) => {
      const make = () => ({ open: async () => memoryStorage(), destroy: async () => {} });
      expect(() => recordSuite({ test: () => {} }, make, { skip })).toThrow(/lists a log/);
    },
  );
});
