// The suite of core has its own test here, where a good driver is: the good one with one line changed must fail the
// one test that is about that line, and no other.

import { nameOf, parentOf } from '@utensil/core';
import type { Commit, CommitResult, ListedEntry, StorageDriver } from '@utensil/core';
import { storageCases, storageSuite } from '@utensil/core/testing';
import type { StorageBackend, StorageCaseName } from '@utensil/core/testing';
import { describe, expect, it } from 'vitest';
import { memoryState, memoryStorage } from './memory.ts';
import type { MemoryState } from './memory.ts';

/** What a broken driver does otherwise than the good one. */
type Defect = (good: StorageDriver, state: MemoryState) => Partial<StorageDriver>;

const eachEntry =
  (change: (entry: ListedEntry) => ListedEntry | undefined): Defect =>
  ({ list }) => ({ list: async (query) => (await list(query)).flatMap((entry) => change(entry) ?? []) });

const eachCommit =
  (change: (commit: Commit) => Commit): Defect =>
  ({ commit }) => ({ commit: (given) => commit(change(given)) });

const eachConflict =
  (instead: (conflict: CommitResult & { ok: false }, given: Commit, good: StorageDriver) => unknown): Defect =>
  (good) => ({
    commit: async (given) => {
      const result = await good.commit(given);
      return result.ok ? result : (((await instead(result, given, good)) ?? result) as CommitResult);
    },
  });

const planted: Partial<Record<StorageCaseName, Readonly<Record<string, Defect>>>> = {
  'has two empty trees at first': {
    'has no root of records': ({ stat }) => ({
      stat: async (keys) =>
        (await stat(keys)).map((entry) => (entry?.tree === 'records' && entry.path === '/' ? undefined : entry)),
    }),
  },
  'reads back what was written': {
    'has no clock': eachCommit((commit) => ({ ...commit, time: 0 })),
  },
  'answers for keys in their order': {
    'answers once for the same key': ({ stat }) => ({
      stat: (keys) => stat(keys.filter(({ path }, index) => keys.findIndex((key) => key.path === path) === index)),
    }),
  },
  'keeps every byte': {
    'drops a byte order mark': eachCommit((commit) => ({
      ...commit,
      changes: commit.changes.map((change) =>
        change.type === 'write' && change.content[0] === 0xef
          ? { ...change, content: change.content.subarray(3) }
          : change,
      ),
    })),
  },
  'reads ranges of bytes': {
    'takes the end for a part of the range': ({ read }) => ({
      read: (key, range) => read(key, range && { start: range.start, end: range.end + 1 }),
    }),
  },
  'takes and gives copies of bytes': {
    'gives everybody the same array': ({ read }) => {
      const given = new Map<string, Uint8Array>();
      return {
        read: async (key, range) => {
          const found = await read(key, range);
          if (found === undefined || range !== undefined) return found;
          const content = given.get(found.entry.etag) ?? found.content;
          given.set(found.entry.etag, content);
          return { ...found, content };
        },
      };
    },
  },
  'lists in the order of paths': {
    'sorts whole paths': ({ list }) => ({
      list: async (query) => [...(await list(query))].sort((left, right) => (left.path < right.path ? -1 : 1)),
    }),
  },
  'lists to a depth': {
    'goes too deep': ({ list }) => ({
      list: (query) => list({ ...query, depth: query.depth === 2 ? 3 : query.depth }),
    }),
  },
  'lists page by page': {
    'leaves the directory in which a page ended': ({ list }) => ({
      list: async (query) =>
        (await list(query)).filter(
          ({ path }) => query.depth === 1 || query.after === undefined || parentOf(path) !== parentOf(query.after),
        ),
    }),
  },
  'says the same of an entry everywhere': {
    'lists sizes of its own': eachEntry((entry) => ({ ...entry, size: entry.size + 1 })),
  },
  'keeps unusual names': {
    'hides what it takes for its own': eachEntry((entry) => (nameOf(entry.path) === '__proto__' ? undefined : entry)),
  },
  'commits only what was expected': {
    'does not say what is there': eachConflict((result) =>
      result.entry?.path === result.conflict.path ? { ...result, entry: undefined } : result,
    ),
  },
  'takes names that differ only in case for the same': {
    'folds nothing but ASCII': eachConflict(({ conflict, entry }, given, good) =>
      entry?.path === conflict.path || /^[ -~]*$/.test(conflict.path)
        ? undefined
        : good.commit({ ...given, expect: [] }),
    ),
  },
  'changes nothing unless all expectations hold': {
    'checks the first expectation only': eachCommit((commit) => ({ ...commit, expect: commit.expect.slice(0, 1) })),
  },
  'undoes a batch whose last change fails': {
    'keeps what it did before': eachConflict(async (_, given, good) => {
      if (given.expect.length === 0) await good.commit({ ...given, changes: given.changes.slice(0, -1) });
    }),
  },
  'lets nothing be outside of a directory': {
    'makes missing directories': eachConflict((_, given, good) => {
      const [change, ...others] = given.changes;
      if (change?.type !== 'write' || others.length > 0 || given.expect.length > 0) return undefined;
      const parent = { type: 'make-directory', tree: change.tree, path: parentOf(change.path) } as const;
      return good.commit({ ...given, changes: [parent, change] });
    }),
  },
  'takes nothing for what it is not': {
    'is content when what it should remove is not there': eachConflict(({ entry }, { changes }) =>
      entry === undefined && changes.length === 1 && changes[0]?.type === 'remove'
        ? { ok: true, entries: [] }
        : undefined,
    ),
  },
  'gives each content another etag': {
    'has only sixteen etags': (good, state) => {
      let contents = 0;
      const counter: PropertyDescriptor = { get: () => contents };
      counter.set = (count: number) => {
        contents = count % 16;
      };
      Object.defineProperty(state, 'contents', counter);
      return good;
    },
  },
  'shows a batch as a whole': {
    'does one write after the other': ({ commit }) => ({
      commit: async (given) => {
        const [first, second, ...others] = given.changes;
        if (first?.type !== 'write' || second?.type !== 'write' || others.length > 0) return commit(given);
        const result = await commit({ ...given, changes: [first] });
        await new Promise((resolve) => setTimeout(resolve, 2));
        const next = result.ok ? await commit({ ...given, expect: [], changes: [second] }) : result;
        return result.ok && next.ok ? { ok: true, entries: [...result.entries, ...next.entries] } : next;
      },
    }),
  },
  'has everything when it is opened again': {
    'forgets all when it is closed': (good, state) => ({
      close: async () => {
        state.namespaces.clear();
        await good.close();
      },
    }),
  },
  'refuses everything once closed': {
    'reads nothing once closed': ({ read }) => ({ read: (key, range) => read(key, range).catch(() => undefined) }),
  },
};

function backendWith(defect: Defect): StorageBackend {
  const state = memoryState();
  const open = async (namespace: string): Promise<StorageDriver> => {
    const good = memoryStorage({ state, namespace });
    return { ...good, ...defect(good, state) };
  };
  return { open, destroy: async () => {} };
}

/** The names of the tests that fail. */
async function failures(make: () => StorageBackend): Promise<readonly string[]> {
  const bodies: [string, () => unknown][] = [];
  storageSuite({ test: (name, body) => bodies.push([name, body]) }, make);
  const failed: string[] = [];
  for (const [name, body] of bodies) {
    try {
      await body();
    } catch {
      failed.push(name);
    }
  }
  return failed;
}

describe('storageSuite', () => {
  it('finds nothing wrong with a good storage', async () => {
    expect(await failures(() => backendWith((good) => good))).toEqual([]);
  });

  for (const [name, defects] of Object.entries(planted)) {
    it.each(Object.keys(defects))(`fails '${name}', and only that, for a storage that %s`, async (defect) => {
      expect(await failures(() => backendWith(defects[defect] as Defect))).toEqual([name]);
    });
  }

  it("fails 'keeps namespaces apart', and only that, for a storage that ignores the namespace", async () => {
    const make = (): StorageBackend => {
      const { open, destroy } = backendWith((good) => good);
      return { open: () => open('all'), destroy };
    };
    expect(await failures(make)).toEqual(['keeps namespaces apart']);
  });

  it('leaves a test out for a reason given in a sentence', () => {
    const names: string[] = [];
    const make = (): StorageBackend => backendWith((good) => good);
    const skip = { 'has everything when it is opened again': 'It lives in the memory of one page.' } as const;
    storageSuite({ test: (name) => names.push(name) }, make, { skip });
    expect(names).toEqual(storageCases.filter((name) => !(name in skip)));
  });

  it.each([{ 'keeps every byte': 'slow' }, { 'keeps every bit': 'There is no test of that name.' }])(
    'refuses to skip %o',
    (skip) => {
      expect(() => storageSuite({ test: () => {} }, () => backendWith((good) => good), { skip })).toThrow(
        /keeps every/,
      );
    },
  );
});
