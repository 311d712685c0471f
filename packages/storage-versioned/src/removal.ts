// The history of a removal takes space: the note of the trash entry, the note of the turn, the journal of a commit of
// several changes. A full storage would refuse it, and nothing could be removed. So these parts are left out, the least
// important first. Each strategy is tried only if the storage had no room for the one before.

import { ancestorsOf } from '@utensil/core/files';
import type { StorageCommit, StorageCommitResult } from '@utensil/core/storage';
import { commitWithHistory } from './commit.ts';
import type { Signed } from './commit.ts';
import { record, trashRoot, versionsOf } from './layout.ts';
import { isFull } from './room.ts';
import { bareTrashName, placesInTrash } from './trash-name.ts';
import { nextNoteId } from './turn-notes.ts';

type Strategy = (signed: Signed, commit: StorageCommit) => Promise<StorageCommitResult | undefined>;

/** Strategies, from the one that retains most to the one that retains nothing. */
const strategies: readonly { readonly isForAll?: boolean; readonly commit: Strategy }[] = [
  { commit: commitAfterReclaim, isForAll: true },
  { commit: moveUnderNames },
  { commit: moveAlone },
  { commit: removeForGood },
];

/**
 * Makes a commit that a full storage has refused, if it only removes or if dropping old versions frees enough space.
 */
export async function commitInFull(
  signed: Signed,
  commit: StorageCommit,
  refused: unknown,
): Promise<StorageCommitResult> {
  const isRemoval = commit.changes.every(({ type }) => type === 'remove');
  for (const strategy of strategies.filter(({ isForAll = false }) => isForAll || isRemoval)) {
    try {
      const result = await strategy.commit(signed, commit);
      if (result !== undefined) return result;
    } catch (error) {
      if (!isFull(error)) throw error;
    }
  }
  throw refused;
}

/** The normal commit, after dropping everything beyond the retention. */
async function commitAfterReclaim(signed: Signed, commit: StorageCommit): Promise<StorageCommitResult | undefined> {
  return (await signed.reclaim()) ? commitWithHistory(signed, commit) : undefined;
}

/** Moves entries and versions to the trash in one commit without notes; names record their paths. */
async function moveUnderNames(signed: Signed, commit: StorageCommit): Promise<StorageCommitResult> {
  return commitWithHistory(signed, commit, { isBare: true });
}

/** Moves an entry to the trash in a commit of one change, which needs no journal; then its versions, if possible. */
async function moveAlone(signed: Signed, commit: StorageCommit): Promise<StorageCommitResult | undefined> {
  const { driver, author, counts, newId } = signed;
  const {
    expect,
    changes: [change, ...more],
    time,
    durable = false,
  } = commit;
  if (change?.type !== 'remove' || change.tree !== 'files' || more.length > 0) return undefined;
  const { path, recursive = false } = change;
  const [entry] = await driver.stat([change]);
  if (entry === undefined || (entry.kind === 'directory' && !recursive)) return undefined;
  await makeTrash(signed, time);
  const id = author.turn === undefined ? newId(time) : await nextNoteId({ ...signed, time }, author.turn);
  const { content, versions } = placesInTrash(bareTrashName(id, author, path));
  const made = await driver.commit({
    expect: [...expect, { tree: 'files', path, etag: entry.etag }],
    changes: [{ type: 'move', tree: 'files', path, to: content }],
    time,
    ...(durable && { durable }),
  });
  if (!made.ok) return made;
  counts.forget(path);
  const past = { type: 'move', ...record(versionsOf(path)), to: versions } as const;
  await driver.commit({ expect: [], changes: [past], time }).catch(() => {}); // best effort: the removal has already succeeded
  return { ok: true, entries: [] };
}

/** Creates the directories of the trash, one commit each. */
async function makeTrash({ driver }: Signed, time: number): Promise<void> {
  const keys = [...ancestorsOf(trashRoot), trashRoot].map(record);
  const found = await driver.stat(keys);
  for (const [index, key] of keys.entries()) {
    if (found[index] === undefined)
      await driver.commit({ expect: [], changes: [{ type: 'make-directory', ...key }], time });
  }
}

/** Last resort if there is no room even for a name: destroys the content, as its owner requested. Its versions stay. */
async function removeForGood({ driver, counts }: Signed, commit: StorageCommit): Promise<StorageCommitResult> {
  for (const { path } of commit.changes) counts.forget(path);
  return driver.commit(commit);
}
