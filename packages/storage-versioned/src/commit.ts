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

/** What changes of an author are made with. */
export interface Signed extends Shared {
  readonly author: Author;
}

/** Others may make the same directory at the same time; more often than this in a row they do not. */
const maxAttempts = 10;

/** Makes a commit, with all that is to be kept of it. Bare: with nothing that takes room. */
export async function commitKept(
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

/** Stages a commit with all that is to be kept of it; gives what stands in its way. */
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

/** Where a change moves a file to. */
function targetOf(change: StorageChange): readonly string[] {
  return change.type === 'move' && change.to.tree === 'files' ? [change.to.path] : [];
}

/** What will be looked up for a commit, to be asked for at once. */
function keysOf({ expect, changes }: StorageCommit, { turn }: Author): readonly EntryKey[] {
  const keys = changedKeys(changes);
  const versions = keys.filter(({ tree }) => tree === 'files').map(({ path }) => versionsOf(path));
  const kept = [trashRoot, ...versions, ...(turn === undefined ? [] : [turnDirectory(turn)])];
  const records = new Set(kept.flatMap((path) => [...ancestorsOf(path), path]));
  return [...expect, ...keys, ...[...records].map(record)];
}

/** What the changes of a commit wrote, made or moved, without what was kept. */
function entriesOf(changes: readonly StorageChange[], entries: readonly StorageEntry[]): readonly StorageEntry[] {
  const written = changes.filter(({ type }) => type !== 'remove');
  const last = new Map(entries.map((entry) => [`${entry.tree}:${entry.path}`, entry]));
  return written.flatMap((change) => {
    const { tree, path } = change.type === 'move' ? change.to : change;
    return last.get(`${tree}:${path}`) ?? [];
  });
}

/** What is known once a commit is made. */
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
