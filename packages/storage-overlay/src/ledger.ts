import { isUtensilError } from '@utensil/core';
import { fileError, isWithin, parentOf } from '@utensil/core/files';
import type { StorageChange, EntryKey, ListedEntry, StorageDriver } from '@utensil/core/storage';

/** The folder of the overlay's own records in the upper storage. Nobody sees it through the overlay. */
export const ownFolder = '/.overlay';

/** Written by every commit, so that whoever looks twice can tell whether something came in between. */
export const versionKey: EntryKey = { tree: 'records', path: `${ownFolder}/version` };

/** What the overlay remembers, as of one version. */
export interface Ledger {
  /** How many commits there were; with the etag that its record has. */
  readonly version: number;
  readonly etag: string | null;
  /** Where the lower storage is cut off, as paths of {@link cutKey}: neither there nor below is any of it seen. */
  readonly cuts: ReadonlySet<string>;
}

/** The record that cuts off the lower storage at a key. */
export function cutKey({ tree, path }: EntryKey): EntryKey {
  return { tree: 'records', path: `${ownFolder}/${tree}${path}` };
}

const cutPattern = /^\/\.overlay\/(files|records)(\/.+)$/;

/** The key that a record cuts off; the root of the records for what is no such record. */
export function keyOfCut(path: string): EntryKey {
  const [, tree, rest = '/'] = cutPattern.exec(path) ?? [];
  return { tree: tree === 'files' ? 'files' : 'records', path: rest };
}

/** True if a key is among the overlay's own records. */
export function isOwn({ tree, path }: EntryKey): boolean {
  return tree === 'records' && isWithin(ownFolder, path);
}

/** True if the lower storage is cut off at a key or above it. */
export function isCut(cuts: ReadonlySet<string>, key: EntryKey): boolean {
  if (cuts.size === 0) return false;
  for (let { path } = cutKey(key); path !== ownFolder; path = parentOf(path)) if (cuts.has(path)) return true;
  return false;
}

/** More than this many times in a row, only others that write without pause get in between. */
const maxAttempts = 100;

/** What the overlay remembers now; the ledger that is known already, if nothing was committed since. */
export async function readLedger(upper: StorageDriver, known: Ledger | undefined): Promise<Ledger> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const etag = await versionOf(upper);
    if (known?.etag === etag) return known;
    const [version, cuts] = [await readVersion(upper), await readCuts(upper)];
    if ((await versionOf(upper)) === etag) return { version, etag, cuts };
  }
  throw busy('/');
}

/** That others write to the upper storage without pause. */
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

/** The number of the version; one that cannot be read is none, as nothing depends on the number but that it changes. */
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

/** The etag of the version that the upper storage has now. Throws `EIO` if something else is in its place. */
export async function versionOf(upper: StorageDriver): Promise<string | null> {
  const [entry] = await upper.stat([versionKey]);
  if (entry?.kind !== 'directory') return entry?.etag ?? null;
  const hint = `A directory is in the place of the record '${versionKey.path}' of the overlay: remove it from the upper storage.`;
  throw fileError('EIO', '/', { hint });
}

/** The change that makes a new version. The time tells it from one of the same number, if an upper storage went back. */
export function nextVersion({ version }: Ledger, time: number): StorageChange {
  return { ...versionKey, type: 'write', content: new TextEncoder().encode(`${version + 1} ${time}`) };
}

const pageSize = 1000;

/** What is below a key, in order, page by page. */
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

/** All that is below, at once. */
export async function allOf(entries: AsyncIterable<ListedEntry>): Promise<readonly ListedEntry[]> {
  const all: ListedEntry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}
