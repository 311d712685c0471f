import { isWithin, parentOf } from '@utensil/core/files';
import { changedKeys, directoryEtag } from '@utensil/core/storage';
import type {
  StorageChange,
  StorageCommit,
  StorageCommitResult,
  StorageEntry,
  EntryKey,
  StorageExpectation,
} from '@utensil/core/storage';
import { loadDraft } from './draft.ts';
import type { Draft, Wanted } from './draft.ts';
import { flush } from './flush.ts';
import { isAborted } from './refusal.ts';
import type { Transaction } from './schema.ts';

/** A change and the entry that results from it. */
type PreparedChange =
  | (StorageChange & { readonly type: 'write' | 'make-directory' } & { readonly entry: StorageEntry })
  | (StorageChange & { readonly type: 'remove' | 'move' });

/** A commit, ready for its transaction. */
export interface PreparedCommit {
  readonly expect: readonly StorageExpectation[];
  readonly changes: readonly PreparedChange[];
  readonly changed: readonly EntryKey[];
  readonly durable: boolean;
}

/** Prepares everything before the transaction, which must not wait for anything else. */
export function prepare(
  { expect, changes, time, durable = false }: StorageCommit,
  newEtag: () => string,
): PreparedCommit {
  const prepared = changes.map((change): PreparedChange => {
    const { tree, path } = change;
    const modifiedAt = Math.floor(time);
    switch (change.type) {
      case 'write': {
        const { length: size } = change.content;
        const entry: StorageEntry = { tree, path, kind: 'file', size, modifiedAt, etag: newEtag() };
        return { ...change, entry };
      }
      case 'make-directory':
        return { ...change, entry: { tree, path, kind: 'directory', size: 0, modifiedAt, etag: directoryEtag } };
      case 'remove':
      case 'move':
        return { ...change };
    }
  });
  return { expect: [...expect], changes: prepared, changed: changedKeys(changes), durable };
}

/** Applies commits in order in one transaction, each completely or not at all. Resolves once it is complete. */
export async function commitAll(
  transaction: Transaction<'readwrite'>,
  scope: string,
  commits: readonly PreparedCommit[],
): Promise<readonly StorageCommitResult[]> {
  try {
    const draft = await loadDraft(transaction, scope, wantedBy(commits));
    const results: StorageCommitResult[] = [];
    for (const commit of commits) results.push(await makeCommit(draft, commit));
    await flush(transaction, scope, draft.difference());
    transaction.commit();
    await transaction.done;
    return results;
  } catch (error) {
    const reasons = [await abort(transaction), error];
    throw reasons.find((reason) => reason !== undefined && !isAborted(reason)) ?? error;
  }
}

/** Aborts a transaction and returns its error, if it had already failed. */
async function abort(transaction: Transaction<'readwrite'>): Promise<unknown> {
  try {
    transaction.abort();
  } catch {
    // Already aborted.
  }
  return transaction.done.catch((reason: unknown) => reason);
}

function wantedBy(commits: readonly PreparedCommit[]): Wanted {
  const keys: EntryKey[] = [];
  for (const { expect, changed } of commits) {
    keys.push(...expect, ...changed, ...changed.map(parentKey));
  }
  return { keys, free: commits.flatMap(({ expect }) => expect.filter(({ etag }) => etag === null)) };
}

function parentKey({ tree, path }: EntryKey): EntryKey {
  return { tree, path: parentOf(path) };
}

/** Key in conflict with a change. */
type Obstacle = EntryKey | undefined;

async function makeCommit(draft: Draft, { expect, changes }: PreparedCommit): Promise<StorageCommitResult> {
  for (const expectation of expect) {
    const conflict = checkExpectation(draft, expectation);
    if (conflict !== undefined) return conflict;
  }
  const takeBack = draft.mark();
  for (const change of changes) {
    const made = makeChange(draft, change);
    const obstacle = made instanceof Promise ? await made : made; // most need no request
    if (obstacle === undefined) continue;
    takeBack();
    return conflictAt(obstacle, draft.find(obstacle));
  }
  return { ok: true, entries: changes.flatMap((change) => writtenBy(draft, change)) };
}

function writtenBy(draft: Draft, change: PreparedChange): readonly StorageEntry[] {
  if (change.type === 'remove') return [];
  const written = draft.find(change.type === 'move' ? change.to : change);
  return written === undefined ? [] : [written];
}

function checkExpectation(draft: Draft, expectation: StorageExpectation): StorageCommitResult | undefined {
  const { etag } = expectation;
  const entry = draft.find(expectation);
  if ((entry?.etag ?? null) !== etag) return conflictAt(expectation, entry);
  const twin = etag === null ? draft.findTwin(expectation) : undefined;
  return twin && conflictAt(expectation, twin);
}

function conflictAt({ tree, path }: EntryKey, entry: StorageEntry | undefined): StorageCommitResult {
  return { ok: false, conflict: { tree, path }, entry };
}

function makeChange(draft: Draft, change: PreparedChange): Obstacle | Promise<Obstacle> {
  switch (change.type) {
    case 'write':
      return write(draft, change);
    case 'make-directory':
      return makeDirectory(draft, change);
    case 'remove':
      return remove(draft, change);
    case 'move':
      return move(draft, change);
  }
}

function write(draft: Draft, { entry, content }: PreparedChange & { readonly type: 'write' }): Obstacle {
  if (!hasParent(draft, entry) || draft.find(entry)?.kind === 'directory') return entry;
  draft.put(entry, content);
}

function makeDirectory(draft: Draft, { entry }: PreparedChange & { readonly type: 'make-directory' }): Obstacle {
  if (!hasParent(draft, entry) || draft.find(entry) !== undefined) return entry;
  draft.put(entry);
}

async function remove(draft: Draft, key: StorageChange & { readonly type: 'remove' }): Promise<Obstacle> {
  const entry = draft.find(key);
  if (entry === undefined || key.path === '/') return key;
  if (entry.kind === 'directory') {
    if (!key.recursive && (await draft.hasEntriesBelow(key))) return key;
    if (key.recursive) await takeBelow(draft, key);
  }
  draft.take(key);
}

async function move(draft: Draft, { to, ...from }: StorageChange & { readonly type: 'move' }): Promise<Obstacle> {
  const entry = draft.find(from);
  if (entry === undefined) return from;
  const isIntoItself = from.tree === to.tree && isWithin(from.path, to.path);
  if (from.path === '/' || isIntoItself || draft.find(to) !== undefined || !hasParent(draft, to)) return to;
  const below = entry.kind === 'directory' ? await takeBelow(draft, from) : [];
  draft.take(from);
  for (const each of [entry, ...below]) {
    draft.put({ ...each, tree: to.tree, path: to.path + each.path.slice(from.path.length) });
  }
}

async function takeBelow(draft: Draft, key: EntryKey): Promise<readonly StorageEntry[]> {
  const below = await draft.loadBelow(key);
  for (const each of below) draft.take(each);
  draft.clearBelow(key);
  return below;
}

function hasParent(draft: Draft, key: EntryKey): boolean {
  return key.path !== '/' && draft.find(parentKey(key))?.kind === 'directory';
}
