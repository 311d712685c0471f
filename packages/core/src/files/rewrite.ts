import type { StorageEntry, StorageDriver } from './storage/driver.ts';
import { fileError, quotePath, unlessDamaged } from './file-error.ts';
import type { FileStat } from './files.ts';
import { toStat } from './reading.ts';
import { equalBytes } from './text.ts';
import { locate, nothingToDo, settleFile, transact } from './transaction.ts';
import type { Location, Store } from './transaction.ts';

/** The file before a rewrite. */
export interface Current {
  readonly entry: StorageEntry;
  /** Its content; undefined if it is gone. */
  read(): Promise<Uint8Array | undefined>;
}

/** The new content of a file, and a result for the caller. */
export interface Rewritten<Details extends object> {
  readonly bytes: Uint8Array;
  readonly details: Details;
  /** The content before, if the new one continues it. */
  readonly keeps?: Uint8Array;
}

/** A rewrite by {@link rewriteFile}. */
export interface Rewrite<Details extends object> {
  readonly path: string;
  readonly maxFileBytes: number;
  /** Called again after each conflict; returns undefined if it detects one itself. */
  next(current: Current | undefined): Promise<Rewritten<Details> | undefined>;
}

/** Replaces the content of a file. Creates the file and missing parent directories. */
export async function rewriteFile<Details extends object>(
  store: Store,
  { path, maxFileBytes, next }: Rewrite<Details>,
): Promise<FileStat & Details> {
  return transact(store, path, async () => {
    const location = await locateFile(store.driver, path);
    const current = location.entry && openFile(store.driver, location.entry);
    const rewritten = await next(current);
    if (rewritten === undefined) return undefined;
    const { bytes, details, keeps } = rewritten;
    if (bytes.length > maxFileBytes) throw tooLarge(path, bytes.length, maxFileBytes);
    if (current !== undefined && (await holds(current, bytes))) {
      return nothingToDo({ ...toStat(current.entry), ...details });
    }
    const { expect, changes } = await settleFile(store, { path, location, bytes, keeps });
    return {
      expect,
      changes: [...changes, { type: 'write', tree: 'files', path, content: bytes }],
      result: (entries) => ({ ...writtenStat(entries, path), ...details }),
    };
  });
}

/** Location of an existing or new file. Throws `EISDIR`, `ENOTDIR`. */
async function locateFile(driver: StorageDriver, path: string): Promise<Location> {
  const location = await locate(driver, 'files', path);
  if (location.entry?.kind === 'directory') throw fileError('EISDIR', path);
  refuseObstacle(path, location);
  return location;
}

/** Throws `ENOTDIR` if a parent is a file. */
export function refuseObstacle(path: string, { obstacle }: Location): void {
  if (obstacle === undefined) return;
  throw fileError('ENOTDIR', path, { hint: `${quotePath(obstacle.path)} is a file.` });
}

/** The entry that a commit wrote at this path. */
export function writtenStat(entries: readonly StorageEntry[], path: string): FileStat {
  const written = entries.findLast((entry) => entry.tree === 'files' && entry.path === path);
  if (written === undefined)
    throw fileError('EIO', path, { hint: 'The storage reported no entry for the written file.' });
  return toStat(written);
}

function openFile(driver: StorageDriver, entry: StorageEntry): Current {
  let reading: Promise<Uint8Array | undefined> | undefined;
  const read = async (): Promise<Uint8Array | undefined> => {
    const found = await driver.read(entry);
    return found?.entry.etag === entry.etag ? found.content : undefined;
  };
  return { entry, read: () => (reading ??= read()) };
}

async function holds(current: Current, bytes: Uint8Array): Promise<boolean> {
  if (current.entry.size !== bytes.length) return false;
  const content = await unlessDamaged(current.read());
  return content !== undefined && equalBytes(content, bytes);
}

function tooLarge(path: string, bytes: number, limit: number): Error {
  return fileError('EFBIG', path, { hint: `It would have ${bytes} bytes; the limit is ${limit}.` });
}
