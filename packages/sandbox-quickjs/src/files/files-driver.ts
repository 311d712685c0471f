import { isUtensilError } from '@utensil/core';
import { hasBatch } from '@utensil/core/files';
import { directoryEtag } from '@utensil/core/storage';
import type { Files } from '@utensil/core';
import type {
  StorageChange,
  StorageCommit,
  StorageCommitResult,
  StorageEntry,
  EntryKey,
  ListedEntry,
  StorageDriver,
} from '@utensil/core/storage';

/** Exposes files as a storage to stage changes over. A commit becomes one batch if the files support batches. */
export function filesDriver(files: Files): StorageDriver {
  const stat = (key: EntryKey): Promise<StorageEntry | undefined> => entryOf(files, key);
  return {
    stat: (keys) => Promise.all(keys.map(stat)),
    list: async (query) => (query.tree === 'files' ? list(files, query) : []),
    async read(key, range) {
      try {
        const { bytes, ...entry } = await files.read(key.path, range);
        return { entry: { ...entry, tree: key.tree }, content: bytes };
      } catch (error) {
        if (isUtensilError(error, 'ENOENT', 'EISDIR', 'ENOTDIR')) return undefined;
        throw error;
      }
    },
    commit: (commit) => together(files, commit),
    watch: () => () => undefined,
    close: async () => undefined,
  };
}

/** Runs changes in one batch; one by one if the files have no batches, or none across mounts. */
async function together(files: Files, commit: StorageCommit): Promise<StorageCommitResult> {
  if (!hasBatch(files)) return apply(files, commit);
  try {
    return await files.batch((batch) => apply(batch, commit));
  } catch (error) {
    if (isUtensilError(error, 'EXDEV')) return apply(files, commit);
    throw error;
  }
}

async function entryOf(files: Files, { tree, path }: EntryKey): Promise<StorageEntry | undefined> {
  const found = tree === 'files' ? await files.stat(path) : undefined; // files have no records
  if (found === undefined) return undefined;
  const { kind, size, modifiedAt, etag } = found;
  return { tree, path: found.path, kind, size, modifiedAt, etag: kind === 'directory' ? directoryEtag : etag };
}

async function list(
  files: Files,
  { tree, path, depth, after, limit }: Parameters<StorageDriver['list']>[0],
): Promise<readonly ListedEntry[]> {
  const found: ListedEntry[] = [];
  try {
    for (let from = after; ;) {
      const page = await files.list(path, { depth, ...(from !== undefined && { after: from }) });
      found.push(...page.entries.map((entry) => ({ ...entry, tree })));
      if (page.next === undefined || found.length >= limit) return found.slice(0, limit);
      from = page.next;
    }
  } catch (error) {
    if (isUtensilError(error, 'ENOENT', 'ENOTDIR')) return found;
    throw error;
  }
}

async function apply(files: Files, { expect, changes }: StorageCommit): Promise<StorageCommitResult> {
  for (const { etag, ...key } of expect) {
    const entry = await entryOf(files, key);
    if ((entry?.etag ?? null) !== etag) return { ok: false, conflict: key, entry };
  }
  for (const change of changes) await make(files, change);
  return { ok: true, entries: [] };
}

async function make(files: Files, change: StorageChange): Promise<void> {
  if (change.type === 'write') await files.write(change.path, change.content);
  else if (change.type === 'make-directory') await files.makeDirectory(change.path);
  else if (change.type === 'move') await files.move(change.path, change.to.path);
  else await files.remove(change.path, change.recursive === true ? { recursive: true } : {});
}
