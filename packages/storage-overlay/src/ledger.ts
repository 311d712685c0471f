import { isUtensilError } from '@utensil/core';
import { fileError, isWithin, parentOf } from '@utensil/core/files';
import type { StorageChange, EntryKey, ListedEntry, StorageDriver } from '@utensil/core/storage';

/** Folder of the overlay's own records in the upper storage, hidden from users of the overlay. */
export const ownFolder = '/.overlay';

/** Written by every commit: a reader that sees the same version twice knows that nothing was committed in between. */
export const versionKey: EntryKey = { tree: 'records', path: `${ownFolder}/version` };

/** Bookkeeping of the overlay as of one version. */
export interface Ledger {
  /** Number of commits, as its record says. */
  readonly version: number;
  readonly etag: string | null;
  /** Cuts, as paths of {@link cutKey}. A cut hides the lower storage at a key and below it. */
  readonly cuts: ReadonlySet<string>;
}

/** Key of the record that cuts off the lower storage at a key. */
export function cutKey({ tree, path }: EntryKey): EntryKey {
  return { tree: 'records', path: `${ownFolder}/${tree}${path}` };
}

const cutPattern = /^\/\.overlay\/(files|records)(\/.+)$/;

/** The key that a record cuts off; the root of the records if it is no such record. */
export function keyOfCut(path: string): EntryKey {
  const [, tree, rest = '/'] = cutPattern.exec(path) ?? [];
  return { tree: tree === 'files' ? 'files' : 'records', path: rest };
}

/** True if a key belongs to the overlay's own records. */
export function isOwn({ tree, path }: EntryKey): boolean {
  return tree === 'records' && isWithin(ownFolder, path);
}

/** True if a cut hides the lower storage at a key. */
export function isCut(cuts: ReadonlySet<string>, key: EntryKey): boolean {
  if (cuts.size === 0) return false;
  for (let { path } = cutKey(key); path !== ownFolder; path = parentOf(path)) if (cuts.has(path)) return true;
  return false;
}

/** Only a storage under constant writes by others exceeds this many attempts. */
const maxAttempts = 100;

/** Reads the ledger; returns the known one if nothing was committed since. */
export async function readLedger(upper: StorageDriver, known: Ledger | undefined): Promise<Ledger> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const etag = await versionOf(upper);
    if (known?.etag === etag) return known;
    const [version, cuts] = [await readVersion(upper), await readCuts(upper)];
    if ((await versionOf(upper)) === etag) return { version, etag, cuts };
  }
  throw busy('/');
}

/** Error for an upper storage that others keep writing to. */
export function busy(path: string): Error {
  return fileError('EBUSY', path, { hint: 'Others keep writing to it: try again in a moment.', retryable: true });
}

async function readCuts(upper: StorageDriver): Promise<ReadonlySet<string>> {
  const cuts = new Set<string>();
  for await (const { path, kind } of entriesBelow(upper, { tree: 'records', path: ownFolder })) {
    if (kind === 'file' && cutPattern.test(path)) cuts.add(path);
  }
  return cuts;
}

/** The version number; 0 if it cannot be read, because any change of the record will do. */
async function readVersion(upper: StorageDriver): Promise<number> {
  try {
    const found = await upper.read(versionKey);
    const version = Number.parseInt(new TextDecoder().decode(found?.content), 10);
    return Number.isSafeInteger(version) ? version : 0;
  } catch (error) {
    if (isUtensilError(error, 'content_damaged')) return 0;
    throw error;
  }
}

/** The etag of the version record in the upper storage. Throws `EIO` if a directory is in its place. */
export async function versionOf(upper: StorageDriver): Promise<string | null> {
  const [entry] = await upper.stat([versionKey]);
  if (entry?.kind !== 'directory') return entry?.etag ?? null;
  const hint = `A directory blocks the record '${versionKey.path}' of the overlay: remove it from the upper storage.`;
  throw fileError('EIO', '/', { hint });
}

/**
 * The change that writes a new version. The time distinguishes it from the same number in a storage that was rolled
 * back.
 */
export function nextVersion({ version }: Ledger, time: number): StorageChange {
  return { ...versionKey, type: 'write', content: new TextEncoder().encode(`${version + 1} ${time}`) };
}

const pageSize = 1000;

/** Entries below a key, in order, page by page. */
export async function* entriesBelow(
  driver: StorageDriver,
  { tree, path }: EntryKey,
  { depth = pageSize, after }: { readonly depth?: number; readonly after?: string | undefined } = {},
): AsyncGenerator<ListedEntry, void> {
  for (let last = after; ;) {
    const query = { tree, path, depth, limit: pageSize };
    const page = await driver.list(last === undefined ? query : { ...query, after: last });
    yield* page;
    if (page.length < pageSize) return;
    last = page.at(-1)?.path;
  }
}

/** Collects all entries of a listing. */
export async function allOf(entries: AsyncIterable<ListedEntry>): Promise<readonly ListedEntry[]> {
  const all: ListedEntry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}
