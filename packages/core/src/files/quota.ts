import type { StorageChange, StorageCommit, StorageDriver } from './storage/driver.ts';
import { fileError } from './file-error.ts';
import type { FilesUsage } from './files.ts';
import { createQueue } from './queue.ts';
import { entriesBelow } from './reading.ts';
import { createCommitStage } from './storage/stage/stage.ts';

/** Storage limit of a project. Utensil's own data (records, old versions) does not count. */
export interface FilesQuota {
  /** Bytes of all files together. */
  readonly bytes?: number;
  /** Number of files. */
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

/** Age at which a count is refreshed, to include writes made by others. */
const recountMs = 60_000;

/**
 * Wraps a driver with a quota: writes that would exceed it throw `EDQUOT`, concurrent writes through the same driver
 * included. Counts the files once, then adds up what is written, and recounts before a refusal, so that removals free
 * space.
 */
export function withQuota(driver: StorageDriver, { bytes = Infinity, files = Infinity }: FilesQuota): StorageDriver {
  /** Upper bound on usage: all admitted writes since the last count, as if they replaced and removed nothing. */
  let most: FilesUsage | undefined;
  let countedAt = 0;
  /** Admitted commits that the last count may not include. They never reject. */
  const underway = new Set<Promise<unknown>>();
  const inOrder = createQueue();
  const fits = (usage: FilesUsage): boolean => usage.bytes <= bytes && usage.files <= files;

  async function admit(commit: StorageCommit, added: FilesUsage | undefined): Promise<void> {
    const isFresh = Math.abs(commit.time - countedAt) <= recountMs;
    const estimate = isFresh && most && added && { bytes: most.bytes + added.bytes, files: most.files + added.files };
    if (estimate && fits(estimate)) most = estimate;
    else most = await count(commit);
  }

  /** Usage after a commit; undefined if the storage will report a conflict. */
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

/** Upper bound on the growth by changes; undefined if it is unknown. */
function addedBy(changes: readonly StorageChange[]): FilesUsage | undefined {
  if (changes.some((change) => change.type === 'move' && change.tree !== change.to.tree)) return undefined;
  const sizes = changes.flatMap((change) =>
    change.type === 'write' && change.tree === 'files' ? [change.content.length] : [],
  );
  return { bytes: sizes.reduce((total, size) => total + size, 0), files: sizes.length };
}
