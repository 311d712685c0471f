// The suite is held against a good driver, and against the same with one line changed, which must fail the one test
// that is about that line, and no other but those that do a little of everything.

import { memoryState, memoryStorage } from '@utensil/storage-memory';
import type { MemoryState } from '@utensil/storage-memory';
import { describe, expect, it } from 'vitest';
import { fileError } from '../files/file-error.ts';
import { nameOf, parentOf } from '../files/paths.ts';
import type {
  StorageChange,
  StorageCommit,
  StorageCommitResult,
  StorageEntry,
  EntryKey,
  ListedEntry,
  StorageDriver,
} from '../files/storage/driver.ts';
import { withShortWaits } from '../test-kit/short-waits.ts';
import { storageCases, storageSuite } from './storage-suite.ts';
import type { StorageBackend, StorageCaseName } from './storage-suite.ts';

/** Overrides that turn a good driver into a broken one. */
type Defect = (good: StorageDriver, state: MemoryState) => Partial<StorageDriver>;

const eachEntry =
  (change: (entry: ListedEntry) => ListedEntry | undefined): Defect =>
  ({ list }) => ({ list: async (query) => (await list(query)).flatMap((entry) => change(entry) ?? []) });

const eachCommit =
  (change: (commit: StorageCommit) => StorageCommit): Defect =>
  ({ commit }) => ({ commit: (given) => commit(change(given)) });

const eachConflict =
  (
    instead: (conflict: StorageCommitResult & { ok: false }, given: StorageCommit, good: StorageDriver) => unknown,
  ): Defect =>
  (good) => ({
    commit: async (given) => {
      const result = await good.commit(given);
      return result.ok ? result : (((await instead(result, given, good)) ?? result) as StorageCommitResult);
    },
  });

const levelsOf = (path: string): number => path.split('/').length - 1;

/** Transforms each event of `watch`; drops it if `change` returns nothing. */
const eachWord =
  (change: (keys: readonly EntryKey[]) => readonly EntryKey[]): Defect =>
  ({ watch }) => ({
    watch: (listener) =>
      watch((keys) => {
        const told = change(keys);
        if (told.length > 0) listener(told);
      }),
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
  'copies bytes on the way in and out': {
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
  'describes an entry the same way everywhere': {
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
  'reports what is in the way of a commit': {
    'tells of the parent': eachConflict(async (result, given, good) => {
      if (given.expect.length > 0 || result.entry?.kind !== 'directory') return undefined;
      const [entry] = await good.stat([{ tree: result.conflict.tree, path: parentOf(result.conflict.path) }]);
      return { ...result, entry };
    }),
  },
  'treats names that differ only in case as equal': {
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
  'requires a parent directory for every entry': {
    'makes missing directories': eachConflict((_, given, good) => {
      const [change, ...others] = given.changes;
      if (change?.type !== 'write' || others.length > 0 || given.expect.length > 0) return undefined;
      const parent = { type: 'make-directory', tree: change.tree, path: parentOf(change.path) } as const;
      return good.commit({ ...given, changes: [parent, change] });
    }),
  },
  'checks that an entry exists, or does not, as a change requires': {
    'is content when what it should remove is not there': eachConflict(({ entry }, { changes }) =>
      entry === undefined && changes.length === 1 && changes[0]?.type === 'remove'
        ? { ok: true, entries: [] }
        : undefined,
    ),
  },
  'moves from one tree to the other': {
    'writes the file anew that it moves there': ({ commit, read }) => ({
      commit: async (given) => {
        const changes: StorageChange[] = [];
        for (const change of given.changes) {
          const found = change.type === 'move' && change.tree !== change.to.tree && (await read(change));
          if (!found) changes.push(change);
          else changes.push({ type: 'write', ...change.to, content: found.content }, { ...change, type: 'remove' });
        }
        return commit({ ...given, changes });
      },
    }),
  },
  'moves entries with their times and etags': {
    'takes the time of the move for that of what it moves': ({ commit, stat }) => {
      const moves: { readonly path: string; readonly time: number }[] = [];
      return {
        commit: async (given) => {
          for (const change of given.changes) {
            if (change.type === 'move') moves.push({ path: change.to.path, time: given.time });
          }
          return commit(given);
        },
        stat: async (keys) =>
          (await stat(keys)).map((entry) => {
            const move = moves.find(({ path }) => entry?.path.startsWith(path));
            return entry && move ? { ...entry, modifiedAt: move.time } : entry;
          }),
      };
    },
  },
  'removes a directory with its contents': {
    'takes a name that begins like that of the directory for one in it': ({ commit, list }) => ({
      commit: async (given) => {
        const result = await commit(given);
        const removed = given.changes.filter((each) => each.type === 'remove' && each.recursive === true);
        for (const { tree, path } of result.ok ? removed : []) {
          const siblings = await list({ tree, path: parentOf(path), depth: 1, limit: 1000 });
          const alike = siblings.filter((each) => each.path.startsWith(path));
          await commit({ ...given, expect: [], changes: alike.map((key) => ({ ...key, type: 'remove' })) });
        }
        return result;
      },
    }),
    'removes nothing but empty directories': eachCommit((commit) => ({
      ...commit,
      changes: commit.changes.map((change) =>
        change.type === 'remove' && /^[/]d-?$/.test(change.path) && change.tree === 'files'
          ? { ...change, recursive: false }
          : change,
      ),
    })),
  },
  'changes one path several times': {
    'answers with what a path was after the first of the changes': ({ commit }) => ({
      commit: async (given) => {
        const result = await commit(given);
        const isChangedAgain = given.changes.length > 3 && given.changes.at(-1)?.path === given.changes[0]?.path;
        if (!result.ok || !isChangedAgain) return result;
        return { ...result, entries: result.entries.map((entry) => ({ ...entry, etag: `first-${entry.etag}` })) };
      },
    }),
  },
  'checks expectations against the state before the first change': {
    'takes a name for free that the same commit removes': eachConflict(({ entry }, given, good) =>
      given.changes.some((change) => change.type === 'remove' && change.path === entry?.path)
        ? good.commit({ ...given, expect: [] })
        : undefined,
    ),
  },
  'knows the names in a directory that was moved': {
    'looks for twins where the directory was': (good) => {
      const moved: string[] = [];
      const { commit } = eachConflict(({ conflict, entry }, given) =>
        entry?.path !== conflict.path && moved.some((path) => parentOf(conflict.path) === path)
          ? good.commit({ ...given, expect: [] })
          : undefined,
      )(good, memoryState());
      return {
        commit: async (given) => {
          for (const change of given.changes) if (change.type === 'move') moved.push(change.to.path);
          return (commit ?? good.commit)(given);
        },
      };
    },
  },
  'notifies watchers in the order of commits': {
    'keeps its own commits to itself': (good) => {
      let isOwn = false;
      return {
        commit: async (given) => {
          isOwn = true;
          const committing = good.commit(given);
          isOwn = false;
          return committing;
        },
        watch: (listener) => good.watch((keys) => !isOwn && listener(keys)),
      };
    },
    'tells of nobody else': (good) => {
      let isOwn = false;
      return {
        commit: async (given) => {
          isOwn = true;
          const committing = good.commit(given);
          isOwn = false;
          return committing;
        },
        watch: (listener) => good.watch((keys) => isOwn && listener(keys)),
      };
    },
    'tells those on who have left': ({ watch }) => ({
      watch: (listener) => {
        watch(listener);
        return () => {};
      },
    }),
    'tells the last first': ({ watch }) => ({
      watch: (listener) => {
        let held: readonly EntryKey[] | undefined;
        return watch((keys) => {
          if (keys[0]?.path === '/a') held = keys;
          else listener(keys);
          if (keys[0]?.path === '/b' && held !== undefined) listener(held);
        });
      },
    }),
  },
  'notifies nobody once closed': {
    'goes on to tell its watchers': ({ stat, list, read, commit, watch }) => {
      let isClosed = false;
      const open = <Args extends readonly unknown[], Result>(work: (...args: Args) => Result) =>
        function ifOpen(...args: Args): Result {
          if (isClosed) throw fileError('EBADF', '/');
          return work(...args);
        };
      const later = <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) => {
        const ifOpen = open(work);
        return async (...args: Args): Promise<Result> => ifOpen(...args);
      };
      return {
        stat: later(stat),
        list: later(list),
        read: later(read),
        commit: later(commit),
        watch: open(watch),
        close: async () => {
          isClosed = true;
        },
      };
    },
  },
  'notifies watchers of a directory of the changes in it': {
    'overhears what is deep below the root, at first': (good) => {
      let isFirst = true;
      return eachWord((keys) => {
        const isOverheard = isFirst && keys.some(({ path }) => levelsOf(path) > 2);
        if (isOverheard) isFirst = false;
        return isOverheard ? [] : keys;
      })(good, memoryState());
    },
  },
  'agrees with a plain map on random commits, and reads every listed entry': {
    'removes a file of the same path with what it removes of the records': ({ commit }) => ({
      commit: async (given) => {
        const result = await commit(given);
        const removed = given.changes.filter(({ type, tree }) => type === 'remove' && tree === 'records');
        for (const { path } of result.ok ? removed : []) {
          await commit({ ...given, expect: [], changes: [{ type: 'remove', tree: 'files', path }] });
        }
        return result;
      },
    }),
  },
  'has everything after each of 20 random commits, when it is opened again': {
    'forgets empty directories when it is closed': ({ close, commit, list }) => ({
      close: async () => {
        for (const tree of ['files', 'records'] as const) {
          const all = await list({ tree, path: '/', depth: 32, limit: 1000 }).catch(() => []);
          const empty = all.filter(
            ({ kind, path }) => kind === 'directory' && !all.some((each) => parentOf(each.path) === path),
          );
          const changes = empty.map(({ path }) => ({ type: 'remove', tree, path }) as const);
          if (changes.length > 0) await commit({ expect: [], changes, time: 1 });
        }
        await close();
      },
    }),
  },
  'makes durable commits like others': {
    'expects nothing of what is durable': eachCommit((commit) =>
      commit.durable === true ? { ...commit, expect: [] } : commit,
    ),
  },
  'commits a batch of 500 changes completely or not at all': {
    'commits 200 changes at a time': ({ commit }) => ({
      commit: async (given) => {
        const entries: StorageEntry[] = [];
        for (let start = 0; start === 0 || start < given.changes.length; start += 200) {
          const expect = start === 0 ? given.expect : [];
          const result = await commit({ ...given, expect, changes: given.changes.slice(start, start + 200) });
          if (!result.ok) return result;
          entries.push(...result.entries);
        }
        return { ok: true, entries };
      },
    }),
  },
  'keeps paths of every length and alphabet, and refuses those that differ only in case': {
    'lists nothing below the twentieth level': eachEntry((entry) => (levelsOf(entry.path) > 20 ? undefined : entry)),
    'takes %41 for an A': eachEntry((entry) =>
      entry.tree === 'files' && entry.path.includes('%41') ? undefined : entry,
    ),
  },
  'makes or refuses each commit that is under way when it is closed': {
    'refuses what it has made': ({ commit, close }) => {
      let isClosing = false;
      return {
        commit: async (given) => {
          const result = await commit(given);
          if (isClosing) throw fileError('EBADF', '/');
          return result;
        },
        close: async () => {
          isClosing = true;
          await close();
        },
      };
    },
  },
  'lands 100 parallel appends of two instances that share nothing else': {
    'checks no etag of what is large': eachConflict(({ entry }, given, good) =>
      (entry?.size ?? 0) > 150 ? good.commit({ ...given, expect: [] }) : undefined,
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

/** Tests that a defect fails besides its own, because they rely on the same promise. */
const also: Partial<Record<string, readonly StorageCaseName[]>> = {
  'does not say what is there': ['reports what is in the way of a commit'],
  'makes missing directories': ['reports what is in the way of a commit'],
  'is content when what it should remove is not there': ['reports what is in the way of a commit'],
};

/** Defects that make every test wait that watches, so only their own is run. */
const slow: readonly string[] = ['keeps its own commits to itself'];

/** The names of the tests that fail, among those that are wanted. */
async function failures(
  make: () => StorageBackend,
  isWanted: (name: string) => boolean = () => true,
): Promise<readonly string[]> {
  const bodies: [string, () => unknown][] = [];
  storageSuite({ test: (name, body) => bodies.push([name, body]) }, make);
  const failed = ([name, body]: (typeof bodies)[number]): Promise<readonly string[]> =>
    Promise.resolve()
      .then(body)
      .then(
        () => [],
        () => [name],
      );
  const wanted = bodies.filter(([name]) => isWanted(name));
  return withShortWaits(async () => (await Promise.all(wanted.map(failed))).flat());
}

/** These do so much that they come upon what the others look for. */
const broad: readonly string[] = [
  'agrees with a plain map on random commits, and reads every listed entry',
  'has everything after each of 20 random commits, when it is opened again',
  'commits a batch of 500 changes completely or not at all',
  'keeps paths of every length and alphabet, and refuses those that differ only in case',
  'makes or refuses each commit that is under way when it is closed',
] satisfies readonly StorageCaseName[];

/** Names of the failing tests, without the broad ones. */
function narrow(name: string, make: () => StorageBackend): Promise<readonly string[]> {
  return failures(make, (each) => each === name || !broad.includes(each));
}

describe('storageSuite', () => {
  it('finds nothing wrong with a good storage', async () => {
    expect(await failures(() => backendWith((good) => good))).toEqual([]);
  });

  for (const [name, defects] of Object.entries(planted)) {
    it.each(Object.keys(defects))(`fails '${name}' for a storage that %s`, async (defect) => {
      const make = (): StorageBackend => backendWith(defects[defect] as Defect);
      const failed = await (slow.includes(defect) ? failures(make, (each) => each === name) : narrow(name, make));
      expect(failed.filter((each) => !also[defect]?.some((other) => other === each))).toEqual([name]);
    });
  }

  it("fails 'keeps namespaces apart' for a storage that ignores the namespace", async () => {
    const make = (): StorageBackend => {
      const { open, destroy } = backendWith((good) => good);
      return { open: () => open('all'), destroy };
    };
    expect(await narrow('keeps namespaces apart', make)).toEqual(['keeps namespaces apart']);
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
