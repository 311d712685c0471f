import { fileError } from '@utensil/core/files';
import type { StorageChange, StorageCommit, StorageCommitResult, StorageEntry, EntryKey } from '@utensil/core/storage';
import { expectedOfUpper, firstUnmet } from './expectation.ts';
import { isOwn, nextVersion, ownFolder, versionKey } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { planChange } from './plan.ts';
import { createStage } from './stage.ts';
import { entryFrom, statBoth } from './view.ts';
import type { Layers } from './view.ts';

/** Result of a commit, and the ledger after it. */
export interface Committed {
  readonly result: StorageCommitResult;
  readonly ledger: Ledger;
}

/**
 * Commits to the upper storage the changes that make both storages together look as requested. Returns undefined if
 * another writer committed first.
 */
export async function commitOver(
  layers: Layers,
  ledger: Ledger,
  commit: StorageCommit,
): Promise<Committed | undefined> {
  const unmet = await firstUnmet(layers, ledger, commit.expect);
  if (unmet !== undefined) {
    const expect = commit.expect.slice(0, unmet.index);
    const earlier = await commitStage(layers, { ledger, commit: { ...commit, expect }, changes: [] });
    return earlier?.result.ok === true ? { result: unmet.result, ledger } : earlier;
  }
  const stage = createStage(layers, ledger);
  for (const change of commit.changes) {
    const conflict = await planChange(layers, stage, change);
    if (conflict === undefined) continue;
    const earlier = await commitStage(layers, { ledger, commit, changes: [...stage.changes, impossible] });
    if (earlier?.result.ok !== false || !isSame(earlier.result.conflict, impossible)) return earlier;
    const [entry] = await statBoth(layers, ledger, [conflict]);
    return { result: { ok: false, conflict, entry }, ledger };
  }
  if (commit.changes.length > 0) await stage.add(nextVersion(ledger, commit.time));
  const committed = await commitStage(layers, { ledger, commit, changes: stage.changes });
  const isNew = committed?.result.ok === true && committed.ledger !== ledger;
  return isNew ? { ...committed, ledger: { ...committed.ledger, cuts: stage.cuts } } : committed;
}

/** A change that every storage refuses. At the end of a commit it reveals whether an earlier change conflicts. */
const impossible: StorageChange = { tree: 'records', path: `${ownFolder}/nothing`, type: 'remove' };

interface Staged {
  readonly ledger: Ledger;
  readonly commit: StorageCommit;
  /** Changes for the upper storage. */
  readonly changes: readonly StorageChange[];
}

async function commitStage(layers: Layers, { ledger, commit, changes }: Staged): Promise<Committed | undefined> {
  const expect = [{ ...versionKey, etag: ledger.etag }, ...expectedOfUpper(commit.expect)];
  const done = await layers.upper.commit({ ...commit, expect, changes });
  if (!done.ok) {
    if (isSame(done.conflict, versionKey)) return undefined;
    const [seen] = await statBoth(layers, ledger, [done.conflict]);
    return { result: { ...done, entry: done.entry ? entryFrom('upper', done.entry) : seen }, ledger };
  }
  const written = new Map(done.entries.map((entry) => [idOf(entry), entry]));
  const entries = commit.changes.flatMap((change) => entryOf(written, change));
  const next = written.get(idOf(versionKey));
  const result = { ok: true, entries } as const;
  return { result, ledger: next ? { ...ledger, version: ledger.version + 1, etag: next.etag } : ledger };
}

function entryOf(written: ReadonlyMap<string, StorageEntry>, change: StorageChange): readonly StorageEntry[] {
  const entry = written.get(idOf(change.type === 'move' ? change.to : change));
  return change.type === 'remove' || entry === undefined ? [] : [entryFrom('upper', entry)];
}

function isSame(left: EntryKey, right: EntryKey): boolean {
  return left.tree === right.tree && left.path === right.path;
}

function idOf({ tree, path }: EntryKey): string {
  return `${tree}:${path}`;
}

/** Copies a commit, so that the caller cannot alter it. Throws `EACCES` if it touches the overlay's own records. */
export function ownCommit(commit: StorageCommit): StorageCommit {
  return {
    ...commit,
    expect: commit.expect.map((each) => ({ ...each })),
    changes: commit.changes.map(ownChange),
  };
}

function ownChange(change: StorageChange): StorageChange {
  for (const key of change.type === 'move' ? [change, change.to] : [change]) {
    if (isOwn(key))
      throw fileError('EACCES', key.path, { hint: 'This folder is reserved for the records of the overlay.' });
  }
  if (change.type === 'move') return { ...change, to: { ...change.to } };
  return change.type === 'write' ? { ...change, content: new Uint8Array(change.content) } : { ...change };
}
