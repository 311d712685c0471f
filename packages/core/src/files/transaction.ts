import { isUtensilError } from '../base/errors.ts';
import { wrapCalls } from './wrap-calls.ts';
import type { StorageChange, StorageEntry, StorageExpectation, StorageDriver, StorageTree } from './storage/driver.ts';
import { fileError } from './file-error.ts';
import { ancestorsOf } from './paths.ts';
import { refuseReserved } from './storage/reserved.ts';
import { retry } from './retry.ts';

/** A driver with the clock for its commits. */
export interface Store {
  readonly driver: StorageDriver;
  readonly now: () => number;
  /** True if commits must survive a loss of power. Default: as the driver is configured. */
  readonly durable?: boolean;
  /** Records for the commit that writes or names a file. */
  readonly record?: (written: Written) => Promise<Additions>;
  /** Notified of names that an error is about to reveal. */
  readonly listed?: (paths: readonly string[]) => Promise<void>;
}

/** The part of a store that a lookup needs. */
export type Lookup = Pick<Store, 'driver' | 'listed'>;

/** An entry that a commit writes or names. */
export interface Written {
  readonly path: string;
  readonly location: Location;
  /** The new content; absent if the entry only gets a new name. */
  readonly bytes?: Uint8Array;
  /** Older content that the new one continues. */
  readonly keeps?: Uint8Array | undefined;
}

/** Expectations and changes added to a commit. */
export type Additions = Pick<Plan<never>, 'expect' | 'changes'>;

/** A change planned on a lookup, committed only if the lookup is still valid. */
export interface Plan<Result> {
  readonly expect: readonly StorageExpectation[];
  /** Empty if there is nothing to do. */
  readonly changes: readonly StorageChange[];
  result(entries: readonly StorageEntry[]): Result;
}

/** A plan that changes nothing. */
export function nothingToDo<Result>(result: Result): Plan<Result> {
  return { expect: [], changes: [], result: () => result };
}

/**
 * Plans a change and commits it; starts over after a conflict. `plan` returns undefined if it detects one itself.
 * Throws `ECONFLICT` if the conflicts never end.
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

/** The entry at a path, and its missing parent directories, outermost first. */
export interface Location {
  readonly entry: StorageEntry | undefined;
  readonly missing: readonly string[];
  /** A file that occupies the path of a parent directory. */
  readonly obstacle: StorageEntry | undefined;
}

/** Looks up a path and all its parent directories. */
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

/** Like {@link settle} for a user's file or directory, with the records that belong to it. */
export async function settleFile(store: Store, written: Written): Promise<Additions> {
  const settled = settle('files', written.path, written.location);
  const recorded = await store.record?.(written);
  if (recorded === undefined) return settled;
  return { expect: [...settled.expect, ...recorded.expect], changes: [...settled.changes, ...recorded.changes] };
}

/** Expects the location to be unchanged, and creates its missing parents. Throws `EACCES` for a reserved name. */
export function settle(tree: StorageTree, path: string, { entry, missing }: Location): Additions {
  if (tree === 'files') refuseReserved(path);
  const etag = entry?.etag ?? null;
  if (missing.length === 0) return { expect: [{ tree, path, etag }], changes: [] };
  return {
    expect: [...missing.map((directory) => ({ tree, path: directory, etag: null })), { tree, path, etag }],
    changes: missing.map((directory) => ({ type: 'make-directory', tree, path: directory })),
  };
}

/** Wraps a driver so that unexpected errors become `EIO`. */
export function guardDriver(driver: StorageDriver): StorageDriver {
  return wrapCalls(driver, async (work, path) => {
    try {
      return await work();
    } catch (error) {
      if (isUtensilError(error)) throw error;
      throw fileError('EIO', path, {
        cause: error,
        hint: 'The storage failed: try again, and check the storage if it fails again.',
      });
    }
  });
}
