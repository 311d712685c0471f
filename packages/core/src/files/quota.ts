import type { StorageChange, StorageCommit, StorageDriver } from './storage/driver.ts';
import { fileError } from './file-error.ts';
import type { FilesUsage } from './files.ts';
import { createQueue } from './queue.ts';
import { entriesBelow } from './reading.ts';
import { createCommitStage } from './storage/stage/stage.ts';

/** How much a project may hold. What Utensil keeps for itself (records, old versions) does not count. */
export interface FilesQuota {
  /** Of all files together. */
  readonly bytes?: number;
  /** How many files. */
  readonly files?: number;
}

/** Counts the files of a storage. */
export async function measureUsage(driver: StorageDriver): Promise<FilesUsage> {
  let [bytes, files] = [0, 0];
  for await (const { kind, size } of entriesBelow(driver, { tree: 'files', path: '/' })) {
    bytes += size;
    if (kind === 'file') files++;
  }
  return { bytes, files };
}

/** After this time, what others may have written in between is counted too. */
const recountMs = 60_000;

/**
 * The driver, which refuses with `EDQUOT` what would exceed the quota, whatever is written at the same time by way of it.
 * It counts at first, then adds up what is written, and counts again before it refuses anything, so that what was
 * removed is free again.
 */
export function withQuota(driver: StorageDriver, { bytes = Infinity, files = Infinity }: FilesQuota): StorageDriver {
  /** With all that was admitted, as if nothing had been replaced or removed since it was counted. */
  let most: FilesUsage | undefined;
  let countedAt = 0;
  /** Commits that were admitted, and may not be counted yet. They never reject. */
  const underway = new Set<Promise<unknown>>();
  const inOrder = createQueue();
  const fits = (usage: FilesUsage): boolean => usage.bytes <= bytes && usage.files <= files;

  async function admit(commit: StorageCommit, added: FilesUsage | undefined): Promise<void> {
    const isFresh = Math.abs(commit.time - countedAt) <= recountMs;
    const estimate = isFresh && most && added && { bytes: most.bytes + added.bytes, files: most.files + added.files };
    if (estimate && fits(estimate)) most = estimate;
    else most = await count(commit);
  }

  /** What there is after a commit; undefined where the storage will say what is in its way. */
  async function count(commit: StorageCommit): Promise<FilesUsage | undefined> {
    await Promise.all(underway);
    const stage = createCommitStage(driver, { copies: false });
    const staged = await stage.driver.commit(commit);
    if (!staged.ok) return undefined;
    const exact = await measureUsage(stage.driver);
    countedAt = commit.time;
    if (fits(exact)) return exact;
    const path = commit.changes.findLast(({ tree }) => tree === 'files')?.path ?? '/';
    throw fileError('EDQUOT', path, { hint: `${describe(exact)} Remove something first.` });
  }

  function describe(after: FilesUsage): string {
    return after.bytes > bytes
      ? `The files would take ${after.bytes} of ${bytes} bytes.`
      : `There would be ${after.files} of ${files} files.`;
  }

  return {
    ...driver,
    async commit(commit) {
      const added = addedBy(commit.changes);
      if (added?.files === 0) return driver.commit(commit);
      const { result } = await inOrder(['/'], async () => {
        await admit(commit, added);
        return { result: track(driver.commit(commit)) };
      });
      return result;
    },
  };

  function track<Result>(result: Promise<Result>): Promise<Result> {
    const settled: Promise<unknown> = Promise.allSettled([result]).then(() => underway.delete(settled));
    underway.add(settled);
    return result;
  }
}

/** What changes add at most; undefined where they do not say. */
function addedBy(changes: readonly StorageChange[]): FilesUsage | undefined {
  if (changes.some((change) => change.type === 'move' && change.tree !== change.to.tree)) return undefined;
  const sizes = changes.flatMap((change) =>
    change.type === 'write' && change.tree === 'files' ? [change.content.length] : [],
  );
  return { bytes: sizes.reduce((total, size) => total + size, 0), files: sizes.length };
}
