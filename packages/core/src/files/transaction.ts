import { isUtensilError } from '../base/errors.ts';
import type { StorageChange, StorageEntry, StorageExpectation, StorageDriver, StorageTree } from './storage/driver.ts';
import { fileError } from './file-error.ts';
import { ancestorsOf } from './paths.ts';
import { refuseReserved } from './storage/reserved.ts';
import { retry } from './retry.ts';

/** A driver with the clock that its commits carry. */
export interface Store {
  readonly driver: StorageDriver;
  readonly now: () => number;
  /** True if a loss of power must not undo what is committed; by default as the driver is set. */
  readonly durable?: boolean;
  /** Records for the commit that writes or names a file. */
  readonly record?: (written: Written) => Promise<Additions>;
  /** Told of names that an error is about to show. */
  readonly listed?: (paths: readonly string[]) => Promise<void>;
}

/** The part of a store that a lookup needs. */
export type Lookup = Pick<Store, 'driver' | 'listed'>;

/** An entry that a commit writes or names. */
export interface Written {
  readonly path: string;
  readonly location: Location;
  /** The new content; absent where an entry gets a name only. */
  readonly bytes?: Uint8Array;
  /** An older content that goes on in the new one. */
  readonly keeps?: Uint8Array | undefined;
}

/** Expectations and changes that are added to a commit. */
export type Additions = Pick<Plan<never>, 'expect' | 'changes'>;

/** A change that was decided on what the storage said, to be made only while that is still true. */
export interface Plan<Result> {
  readonly expect: readonly StorageExpectation[];
  /** Empty where there is nothing to do. */
  readonly changes: readonly StorageChange[];
  result(entries: readonly StorageEntry[]): Result;
}

/** A plan for what is as it should be. */
export function nothingToDo<Result>(result: Result): Plan<Result> {
  return { expect: [], changes: [], result: () => result };
}

/**
 * Plans a change and commits it, again from the beginning whenever something came in between; `plan` gives undefined
 * if it noticed that itself. Throws `ECONFLICT` if others never stop.
 */
export async function transact<Result>(
  { driver, now, durable = false }: Store,
  path: string,
  plan: () => Promise<Plan<Result> | undefined>,
): Promise<Result> {
  return retry(path, async () => {
    const planned = await plan();
    if (planned === undefined) return undefined;
    const { expect, changes, result } = planned;
    if (changes.length === 0) return { result: result([]) };
    const committed = await driver.commit({ expect, changes, time: now(), ...(durable && { durable }) });
    return committed.ok ? { result: result(committed.entries) } : committed;
  });
}

/** What is at a path, and which directories above it are missing, outermost first. */
export interface Location {
  readonly entry: StorageEntry | undefined;
  readonly missing: readonly string[];
  /** A file where a directory should be. */
  readonly obstacle: StorageEntry | undefined;
}

/** Looks up a path and all directories above it. */
export async function locate(driver: StorageDriver, tree: StorageTree, path: string): Promise<Location> {
  const ancestors = ancestorsOf(path);
  const found = await driver.stat([...ancestors, path].map((each) => ({ tree, path: each })));
  const missing: string[] = [];
  let obstacle: StorageEntry | undefined;
  for (let index = 0; index < ancestors.length; index++) {
    const [directory, above] = [ancestors[index], found[index]];
    if (above === undefined && directory !== undefined) missing.push(directory);
    if (above?.kind === 'file') obstacle ??= above;
  }
  return { entry: found[ancestors.length], missing, obstacle };
}

/** As {@link settle} for a file or directory of people, with what is to be recorded of it. */
export async function settleFile(store: Store, written: Written): Promise<Additions> {
  const settled = settle('files', written.path, written.location);
  const recorded = await store.record?.(written);
  if (recorded === undefined) return settled;
  return { expect: [...settled.expect, ...recorded.expect], changes: [...settled.changes, ...recorded.changes] };
}

/** Expects the location to be as it was found, and makes the directories that it lacks. Throws `EACCES` for a reserved name. */
export function settle(tree: StorageTree, path: string, { entry, missing }: Location): Additions {
  if (tree === 'files') refuseReserved(path);
  const etag = entry?.etag ?? null;
  if (missing.length === 0) return { expect: [{ tree, path, etag }], changes: [] };
  return {
    expect: [...missing.map((directory) => ({ tree, path: directory, etag: null })), { tree, path, etag }],
    changes: missing.map((directory) => ({ type: 'make-directory', tree, path: directory })),
  };
}

/** The driver, with everything that it should not have thrown turned into `EIO`. */
export function guardDriver(driver: StorageDriver): StorageDriver {
  const guard = async <Result>(path: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (isUtensilError(error)) throw error;
      throw fileError('EIO', path, {
        cause: error,
        hint: 'The storage failed: try again, and look after it if that goes on.',
      });
    }
  };
  return {
    stat: (keys) => guard(keys.at(-1)?.path ?? '/', () => driver.stat(keys)),
    list: (query) => guard(query.path, () => driver.list(query)),
    read: (key, range) => guard(key.path, () => driver.read(key, range)),
    commit: (commit) => guard(commit.changes.at(-1)?.path ?? '/', () => driver.commit(commit)),
    watch: (listener, options) => driver.watch(listener, options),
    close: () => guard('/', () => driver.close()),
  };
}
