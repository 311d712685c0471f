import { ancestorsOf } from '@utensil/core/files';
import { changedKeys, createCommitStage } from '@utensil/core/storage';
import type {
  StorageChange,
  StorageCommit,
  StorageCommitResult,
  StorageEntry,
  EntryKey,
  StorageDriver,
} from '@utensil/core/storage';
import type { Author } from './author.ts';
import { isHidden, isTurnNote, record, trashRoot, turnDirectory, versionsOf } from './layout.ts';
import { createRecorder } from './recorder.ts';
import type { Recorder } from './recorder.ts';
import type { Shared } from './shared.ts';
import { createThinning } from './thinning.ts';
import type { VersionCount } from './version-counts.ts';

/** Dependencies of a commit, with its author. */
export interface Signed extends Shared {
  readonly author: Author;
}

/** Concurrent creation of the same directory causes a retry; more than this many in a row are unlikely. */
const maxAttempts = 10;

/** Commits changes together with their history. Bare: without anything that takes space. */
export async function commitWithHistory(
  signed: Signed,
  given: StorageCommit,
  { isBare = false } = {},
): Promise<StorageCommitResult> {
  const { driver, retention, author, newId, lastNotes } = signed;
  const { changes, time } = given;
  const replaced = new Set(changes.flatMap(targetOf));
  for (let attempt = 1; ; attempt++) {
    const stage = createCommitStage(driver, { expects: (key) => !isHidden(key) || isTurnNote(key), copies: false });
    const thinning = createThinning({ driver: stage.driver, retention, time, known: signed.counts });
    const basis = { driver: stage.driver, author, time, newId, lastNotes, replaced };
    const recorder = createRecorder({ ...basis, thinning, isBare });
    await stage.driver.stat(keysOf(given, author));
    const obstacle = await stageAll(stage.driver, recorder, given);
    const result = obstacle ?? (await stage.commit(time));
    if (result.ok) {
      const entries = entriesOf(changes, result.entries);
      remember(signed, { changes, entries, counts: thinning.counts });
      return { ok: true, entries };
    }
    const isTwin = result.entry !== undefined && result.entry.path !== result.conflict.path;
    const isFinal = isTwin || (obstacle !== undefined && !isHidden(result.conflict));
    if (isFinal || attempt === maxAttempts) return result;
  }
}

/** Stages changes together with their history. Returns the conflict, if there is one. */
async function stageAll(
  driver: StorageDriver,
  recorder: Recorder,
  { expect, changes, time, durable = false }: StorageCommit,
) {
  const met = await driver.commit({ expect, changes: [], time, durable });
  if (!met.ok) return met;
  for (const change of changes) {
    const result = await driver.commit({ expect: [], changes: await recorder.expand(change), time });
    if (!result.ok) return result;
  }
  const closing = await recorder.close();
  const closed = closing.length === 0 ? undefined : await driver.commit({ expect: [], changes: closing, time });
  return closed?.ok === false ? closed : undefined;
}

/** Target of a move of a file. */
function targetOf(change: StorageChange): readonly string[] {
  return change.type === 'move' && change.to.tree === 'files' ? [change.to.path] : [];
}

/** Keys that the commit looks up, for one prefetch. */
function keysOf({ expect, changes }: StorageCommit, { turn }: Author): readonly EntryKey[] {
  const keys = changedKeys(changes);
  const versions = keys.filter(({ tree }) => tree === 'files').map(({ path }) => versionsOf(path));
  const kept = [trashRoot, ...versions, ...(turn === undefined ? [] : [turnDirectory(turn)])];
  const records = new Set(kept.flatMap((path) => [...ancestorsOf(path), path]));
  return [...expect, ...keys, ...[...records].map(record)];
}

/** Entries that the changes wrote, created or moved, without the history. */
function entriesOf(changes: readonly StorageChange[], entries: readonly StorageEntry[]): readonly StorageEntry[] {
  const written = changes.filter(({ type }) => type !== 'remove');
  const last = new Map(entries.map((entry) => [`${entry.tree}:${entry.path}`, entry]));
  return written.flatMap((change) => {
    const { tree, path } = change.type === 'move' ? change.to : change;
    return last.get(`${tree}:${path}`) ?? [];
  });
}

/** Facts to remember once the commit has succeeded. */
interface Made {
  readonly changes: readonly StorageChange[];
  readonly entries: readonly StorageEntry[];
  readonly counts: ReadonlyMap<string, VersionCount>;
}

function remember({ counts }: Shared, made: Made): void {
  const moved = made.changes.filter(({ type }) => type === 'move' || type === 'remove');
  for (const { tree, path } of changedKeys(moved)) if (tree === 'files') counts.forget(path);
  for (const entry of made.entries) {
    const count = entry.tree === 'files' ? made.counts.get(entry.path) : undefined;
    if (count !== undefined) counts.keep(entry, count);
  }
}
