import { isUtensilError, messageOf } from '../base/errors.ts';
import type { ErrorCode } from '../base/errors.ts';
import type {
  StorageChange,
  StorageCommitResult,
  StorageEntry,
  EntryKey,
  StorageExpectation,
  StorageDriver,
  StorageTree,
} from '../files/storage/driver.ts';
import { assert } from './assert.ts';

/** A test: opens what it needs, and throws if a guarantee is broken. */
export type StorageCase = (open: (namespace?: string) => Promise<StorageDriver>) => Promise<void>;

/** A key in the tree `files`. */
export function at(path: string, tree: StorageTree = 'files'): EntryKey {
  return { tree, path };
}

/** Changes of a commit, by kind. */
export const to = {
  write: (path: string, content: string | Uint8Array, tree: StorageTree = 'files'): StorageChange => ({
    ...at(path, tree),
    type: 'write',
    content: typeof content === 'string' ? bytesOf(content) : content,
  }),
  makeDirectory: (path: string, tree: StorageTree = 'files'): StorageChange => ({
    ...at(path, tree),
    type: 'make-directory',
  }),
  remove: (path: string, tree: StorageTree = 'files'): StorageChange => ({ ...at(path, tree), type: 'remove' }),
  removeAll: (path: string, tree: StorageTree = 'files'): StorageChange => ({
    ...at(path, tree),
    type: 'remove',
    recursive: true,
  }),
  move: (path: string, target: string | EntryKey): StorageChange => ({
    ...at(path),
    type: 'move',
    to: typeof target === 'string' ? at(target) : target,
  }),
};

/** UTF-8 encoding of a text. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Commits changes on condition of `expect`. */
export function attempt(
  driver: StorageDriver,
  changes: readonly StorageChange[],
  expect: readonly StorageExpectation[] = [],
): Promise<StorageCommitResult> {
  return driver.commit({ expect, changes, time: 1_700_000_000_000 });
}

/** Commits changes that must succeed; returns the entries. */
export async function commit(
  driver: StorageDriver,
  ...changes: readonly StorageChange[]
): Promise<readonly StorageEntry[]> {
  const result = await attempt(driver, changes);
  assert(result.ok, `the commit ${describe(changes)} met a conflict: ${JSON.stringify(result)}`);
  return result.entries;
}

/** Asserts that changes conflict at this path. */
export async function refuses(
  driver: StorageDriver,
  path: string,
  ...changes: readonly StorageChange[]
): Promise<void> {
  const result = await attempt(driver, changes);
  assert(!result.ok, `the commit ${describe(changes)} went through`);
  assert(result.conflict.path === path, `the commit ${describe(changes)} met its conflict at ${result.conflict.path}`);
}

function describe(changes: readonly StorageChange[]): string {
  return changes.map(({ type, path }) => `${type} ${path}`).join(', ');
}

/** Text at a path; undefined if there is no file. */
export async function textAt(
  driver: StorageDriver,
  path: string,
  tree: StorageTree = 'files',
): Promise<string | undefined> {
  const found = await driver.read(at(path, tree));
  return found && new TextDecoder().decode(found.content);
}

/** Paths below a directory. */
export async function pathsBelow(
  driver: StorageDriver,
  path = '/',
  tree: StorageTree = 'files',
): Promise<readonly string[]> {
  const entries = await driver.list({ ...at(path, tree), depth: 32, limit: 1000 });
  return entries.map((entry) => entry.path);
}

/** All entries of a tree, with the texts of files. */
export async function contentOf(
  driver: StorageDriver,
  tree: StorageTree = 'files',
): Promise<Readonly<Record<string, string>>> {
  const content: [string, string][] = [];
  for (const path of await pathsBelow(driver, '/', tree)) {
    content.push([path, (await textAt(driver, path, tree)) ?? '(directory)']);
  }
  return Object.fromEntries(content);
}

/** Asserts that work fails with this code. */
export async function throws(code: ErrorCode, what: string, work: () => Promise<unknown>): Promise<void> {
  const outcome = await work().then(
    () => 'it went through',
    (error: unknown) => (isUtensilError(error, code) ? undefined : `it threw ${messageOf(error)}`),
  );
  assert(outcome === undefined, `${what} must throw ${code}, but ${outcome}`);
}

/** Waits so long. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/** Waits with a time limit: a storage that never answers fails before the test runner times out. */
export async function within<Result>(what: string, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come`)), 4000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
