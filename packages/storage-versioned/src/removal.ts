// What is kept of a removal takes room: the note of what is in the trash, that of the turn, the journal of a commit of
// several changes. A full storage would refuse it, and nothing could be removed. So what takes room is left out, the least
// important first. Each way is tried only if the one before it was refused for want of room.

import { ancestorsOf } from '@utensil/core/files';
import type { StorageCommit, StorageCommitResult } from '@utensil/core/storage';
import { commitKept } from './commit.ts';
import type { Signed } from './commit.ts';
import { record, trashRoot, versionsOf } from './layout.ts';
import { isFull } from './room.ts';
import { bareTrashName, placesInTrash } from './trash-name.ts';
import { nextNoteId } from './turn-notes.ts';

type Way = (signed: Signed, commit: StorageCommit) => Promise<StorageCommitResult | undefined>;

/** From the way that keeps most to the one that keeps nothing. */
const ways: readonly { readonly isForAll?: boolean; readonly commit: Way }[] = [
  { commit: commitAfterReclaim, isForAll: true },
  { commit: moveUnderNames },
  { commit: moveAlone },
  { commit: removeForGood },
];

/** Makes a commit that a full storage has refused, if it only removes or if old versions make room for it. */
export async function commitInFull(
  signed: Signed,
  commit: StorageCommit,
  refused: unknown,
): Promise<StorageCommitResult> {
  const isRemoval = commit.changes.every(({ type }) => type === 'remove');
  for (const way of ways.filter(({ isForAll = false }) => isForAll || isRemoval)) {
    try {
      const result = await way.commit(signed, commit);
      if (result !== undefined) return result;
    } catch (error) {
      if (!isFull(error)) throw error;
    }
  }
  throw refused;
}

/** As ever, once what is not to be kept any longer is dropped. */
async function commitAfterReclaim(signed: Signed, commit: StorageCommit): Promise<StorageCommitResult | undefined> {
  return (await signed.reclaim()) ? commitKept(signed, commit) : undefined;
}

/** To the trash with the versions, in one commit, without notes: names say what was where. */
async function moveUnderNames(signed: Signed, commit: StorageCommit): Promise<StorageCommitResult> {
  return commitKept(signed, commit, { isBare: true });
}

/** To the trash in a commit of one change, which needs no journal; then the versions, or they stay where they are. */
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
  await driver.commit({ expect: [], changes: [past], time }).catch(() => {}); // it is removed, whatever came of that
  return { ok: true, entries: [] };
}

/** Makes the directories of the trash, one commit each. */
async function makeTrash({ driver }: Signed, time: number): Promise<void> {
  const keys = [...ancestorsOf(trashRoot), trashRoot].map(record);
  const found = await driver.stat(keys);
  for (const [index, key] of keys.entries()) {
    if (found[index] === undefined)
      await driver.commit({ expect: [], changes: [{ type: 'make-directory', ...key }], time });
  }
}

/** The storage has no room even for a name: the content is destroyed, as its owner asked for. Its versions stay. */
async function removeForGood({ driver, counts }: Signed, commit: StorageCommit): Promise<StorageCommitResult> {
  for (const { path } of commit.changes) counts.forget(path);
  return driver.commit(commit);
}
