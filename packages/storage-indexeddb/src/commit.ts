import { directoryEtag, isWithin, parentOf } from '@utensil/core';
import type { Change, Commit, CommitResult, Entry, EntryKey, Expectation } from '@utensil/core';
import { toPieces } from './content.ts';
import { isAborted } from './refusal.ts';
import type { Transaction } from './schema.ts';
import { createStage } from './stage.ts';
import type { Stage } from './stage.ts';

type Write = Omit<Change & { readonly type: 'write' }, 'content'>;

/** A change that has its content copied, and the entry that comes of it. */
type PreparedChange =
  | (Write & { readonly entry: Entry; readonly pieces: readonly Uint8Array[] })
  | (Change & { readonly type: 'make-directory' } & { readonly entry: Entry })
  | (Change & { readonly type: 'remove' | 'move' });

/** A commit that depends no more on what its caller does with it. */
export interface PreparedCommit {
  readonly expect: readonly Expectation[];
  readonly changes: readonly PreparedChange[];
}

export type Conflict = CommitResult & { readonly ok: false };

/** Does all that can be done before the transaction, which does not wait for anything else. */
export function prepare({ expect, changes, time }: Commit, newEtag: () => string): PreparedCommit {
  const prepared = changes.map((change): PreparedChange => {
    const { tree, path } = change;
    const modifiedAt = time;
    switch (change.type) {
      case 'write': {
        const { length: size } = change.content;
        const entry: Entry = { tree, path, kind: 'file', size, modifiedAt, etag: newEtag() };
        return { type: 'write', tree, path, entry, pieces: toPieces(change.content) };
      }
      case 'make-directory':
        return { ...change, entry: { tree, path, kind: 'directory', size: 0, modifiedAt, etag: directoryEtag } };
      case 'remove':
      case 'move':
        return { ...change };
    }
  });
  return { expect: [...expect], changes: prepared };
}

interface Work {
  readonly scope: string;
  readonly commits: readonly PreparedCommit[];
  /** Makes changes before their checks are known, so that nothing waits. What it says of a conflict is not exact. */
  readonly isBold: boolean;
}

/** Makes commits one after the other in a transaction: all of them, or none where one meets a conflict. */
export async function commitAll(
  transaction: Transaction<'readwrite'>,
  { scope, commits, isBold }: Work,
): Promise<readonly CommitResult[] | Conflict> {
  const stage = createStage(transaction, scope);
  const checks: Check[] = [];
  const results: Promise<CommitResult>[] = [];
  try {
    for (const commit of commits) {
      await makeChanges(stage, commit, { checks, isBold });
      results.push(handled(resultOf(stage, commit)));
    }
    const conflict = (await Promise.all(checks)).find((each) => each !== undefined);
    if (conflict !== undefined) await abort(transaction);
    else await transaction.done;
    return conflict ?? (await Promise.all(results));
  } catch (error) {
    const reasons = [stage.failure(), error, await abort(transaction)];
    throw reasons.find((reason) => reason !== undefined && !isAborted(reason)) ?? error;
  }
}

/** A promise that may fail before somebody waits for it. */
function handled<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {});
  return promise;
}

/** Undoes all of a transaction, and gives the reason where it was undone already. */
async function abort(transaction: Transaction<'readwrite'>): Promise<unknown> {
  try {
    transaction.abort();
  } catch {
    // It has been aborted already.
  }
  return transaction.done.catch((reason: unknown) => reason);
}

type Check = Promise<Conflict | undefined>;

/** Makes the changes of a commit, and adds the checks on which they depend. */
async function makeChanges(
  stage: Stage,
  { expect, changes }: PreparedCommit,
  { checks, isBold }: { readonly checks: Check[]; readonly isBold: boolean },
): Promise<void> {
  const steps = [
    ...expect.map((expectation) => () => checkExpectation(stage, expectation)),
    ...changes.map((change) => () => makeChange(stage, change)),
  ];
  for (const step of steps) {
    const check = handled(step());
    checks.push(check);
    if (!isBold && (await check) !== undefined) return;
  }
}

async function checkExpectation(stage: Stage, { tree, path, etag }: Expectation): Check {
  const key = { tree, path };
  const [entry, twin] = await Promise.all([stage.find(key), etag === null ? stage.findTwin(key) : undefined]);
  if ((entry?.etag ?? null) !== etag) return conflictAt(key, entry);
  if (twin !== undefined) return conflictAt(key, await stage.find(twin));
}

function conflictAt({ tree, path }: EntryKey, entry: Entry | undefined): Conflict {
  return { ok: false, conflict: { tree, path }, entry };
}

function makeChange(stage: Stage, change: PreparedChange): Check {
  switch (change.type) {
    case 'write':
      return write(stage, change);
    case 'make-directory':
      return makeDirectory(stage, change);
    case 'remove':
      return remove(stage, change);
    case 'move':
      return move(stage, change);
  }
}

async function write(stage: Stage, { entry, pieces }: PreparedChange & { readonly type: 'write' }): Check {
  const looking = handled(Promise.all([findParent(stage, entry), stage.find(entry)]));
  stage.put(entry, pieces);
  const [parent, before] = await looking;
  if (parent?.kind !== 'directory' || before?.kind === 'directory') return conflictAt(entry, before);
  if (before === undefined) return;
  stage.takeReplaced(before);
  stage.discardContent(before);
}

async function makeDirectory(stage: Stage, { entry }: PreparedChange & { readonly type: 'make-directory' }): Check {
  const looking = handled(Promise.all([findParent(stage, entry), stage.find(entry)]));
  stage.put(entry);
  const [parent, before] = await looking;
  if (parent?.kind !== 'directory' || before !== undefined) return conflictAt(entry, before);
}

async function remove(stage: Stage, key: EntryKey): Check {
  const looking = handled(Promise.all([stage.find(key), stage.hasEntriesBelow(key)]));
  stage.take(key);
  const [before, isFull] = await looking;
  if (before === undefined || isFull || key.path === '/') return conflictAt(key, before);
  stage.discardContent(before);
}

async function move(stage: Stage, { tree, path, to }: Change & { readonly type: 'move' }): Check {
  const [from, target] = [
    { tree, path },
    { tree, path: to },
  ];
  const looking = handled(Promise.all([stage.find(from), stage.find(target), findParent(stage, target)]));
  const [before, obstacle, parent] = await looking;
  if (before === undefined) return conflictAt(from, undefined);
  const isPossible = obstacle === undefined && parent?.kind === 'directory' && !isWithin(path, to);
  if (!isPossible) return conflictAt(target, obstacle);
  stage.take(from);
  stage.put({ ...before, path: to });
  if (before.kind === 'directory') await stage.moveBelow(from, target);
}

function findParent(stage: Stage, { tree, path }: EntryKey): Promise<Entry | undefined> {
  return stage.find({ tree, path: parentOf(path) });
}

/** What a commit wrote, made or moved, as it is now. */
async function resultOf(stage: Stage, { changes }: PreparedCommit): Promise<CommitResult> {
  const written = changes.filter(({ type }) => type !== 'remove');
  const found = written.map((change) =>
    stage.find({ tree: change.tree, path: change.type === 'move' ? change.to : change.path }),
  );
  return { ok: true, entries: (await Promise.all(found)).filter((entry) => entry !== undefined) };
}
