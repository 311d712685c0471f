import { fileError } from '@utensil/core/files';
import { hideRecords } from '@utensil/core/storage';
import type { StorageCommitResult, StorageDriver } from '@utensil/core/storage';
import { clearUpper } from './clear.ts';
import { commitOver, ownCommit } from './commit.ts';
import { differenceOf } from './difference.ts';
import type { OverlayChanges } from './difference.ts';
import { busy, isOwn, readLedger, versionOf } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { createTurns } from './turns.ts';
import { listBoth, readBoth, readUpper, statBoth } from './view.ts';
import { watchBoth } from './watching.ts';

/** A storage over another one, with the difference between them. */
export interface OverlayStorage extends StorageDriver {
  /**
   * Changes that make the lower storage equal to this one. They expect it to still have each entry that was removed or
   * overwritten here, and to have nothing at the path of each new entry.
   */
  changes(): Promise<OverlayChanges>;
  /** Commits {@link OverlayStorage.changes} to the lower storage and, if that succeeds, empties the upper one. */
  accept(options: { readonly time: number }): Promise<StorageCommitResult>;
  /** Empties the upper storage, so that everything is as in the lower one again. */
  discard(options: { readonly time: number }): Promise<void>;
}

/** Only an upper storage under constant writes by others exceeds this many attempts. */
const maxAttempts = 100;

/**
 * Creates a storage over another one that is only read: each commit writes, moves and removes in `upper` alone. Accept
 * the changes later, in one commit to `lower`, or discard them. Closing the overlay closes neither storage.
 *
 * @example
 * ```ts
 * import { createFiles } from '@utensil/core';
 * import { memoryStorage } from '@utensil/storage-memory';
 * import { overlayStorage } from '@utensil/storage-overlay';
 *
 * const lower = memoryStorage();
 * const files = createFiles(lower);
 * await files.write('/a.txt', 'original');
 *
 * const overlay = overlayStorage(lower, memoryStorage());
 * await createFiles(overlay).write('/a.txt', 'edited');
 * console.log((await files.readText('/a.txt')).text); // original
 *
 * await overlay.accept({ time: Date.now() });
 * console.log((await files.readText('/a.txt')).text); // edited
 * ```
 */
export function overlayStorage(lower: StorageDriver, given: StorageDriver): OverlayStorage {
  const upper = hideRecords(given, isOwn);
  const layers = { lower, upper };
  const turns = createTurns();
  const leave = new Set<() => void>();
  let known: Ledger | undefined;
  let isClosed = false;

  const requireOpen = (path = '/'): void => {
    if (isClosed) throw fileError('EBADF', path, { hint: 'Open it again.' });
  };

  /** Repeats an operation until no other commit interferes. */
  async function steadily<Result>(
    path: string,
    work: (ledger: Ledger) => Promise<{ readonly result: Result; readonly isDone?: boolean } | undefined>,
  ): Promise<Result> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const ledger = (known = await readLedger(upper, known));
      const worked = await work(ledger);
      if (worked?.isDone === true || (worked && (await versionOf(upper)) === ledger.etag)) return worked.result;
    }
    throw busy(path);
  }

  return {
    async stat(keys) {
      requireOpen(keys[0]?.path);
      return steadily(keys[0]?.path ?? '/', async (ledger) => ({ result: await statBoth(layers, ledger, keys) }));
    },
    async list(query) {
      requireOpen(query.path);
      return steadily(query.path, async (ledger) => ({ result: await listBoth(layers, ledger, query) }));
    },
    async read(key, range) {
      requireOpen(key.path);
      const reading = { key, range };
      const found = await readUpper(layers, reading); // The fast path for the most common read needs no ledger.
      if (found !== undefined) return found;
      return steadily(key.path, async (ledger) => ({ result: await readBoth(layers, ledger, reading) }));
    },
    async commit(given) {
      const commit = ownCommit(given);
      requireOpen(commit.changes[0]?.path);
      return turns(() =>
        steadily<StorageCommitResult>(commit.changes[0]?.path ?? '/', async (ledger) => {
          const committed = await commitOver(layers, ledger, commit);
          if (committed === undefined) return undefined;
          known = committed.ledger;
          return { result: committed.result, isDone: committed.result.ok };
        }),
      );
    },
    watch(listener, options) {
      requireOpen();
      const end = watchBoth(layers, listener, options);
      leave.add(end);
      return () => {
        leave.delete(end);
        end();
      };
    },
    async close() {
      isClosed = true;
      for (const end of leave) end();
      leave.clear();
      await turns(async () => {});
    },
    async changes() {
      requireOpen();
      return steadily('/', async (ledger) => ({ result: await differenceOf(layers, ledger) }));
    },
    async accept({ time }) {
      requireOpen();
      return turns(async () => {
        const { ledger, difference } = await steadily('/', async (ledger) => ({
          result: { ledger, difference: await differenceOf(layers, ledger) },
        }));
        const result = await lower.commit({ ...difference, time });
        if (result.ok && !(await clearUpper(upper, ledger, time))) throw acceptedBeside();
        return result;
      });
    },
    async discard({ time }) {
      requireOpen();
      const clear = async (ledger: Ledger) =>
        (await clearUpper(upper, ledger, time)) ? { result: undefined, isDone: true } : undefined;
      await turns(() => steadily('/', clear));
    },
  };
}

function acceptedBeside(): Error {
  const happened =
    'The changes were accepted, but the overlay was not emptied, because it was written to in the meantime.';
  return fileError('EBUSY', '/', { hint: `${happened} Copy what you need from it, then discard it.` });
}
