import { isUtensilError, isWithin, parentOf } from '@utensil/core';
import type { Change, EntryKey, ListedEntry, StorageDriver } from '@utensil/core';

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

/** The paths and etags of what the lower storage had at a cut and below it. */
export type Base = readonly (readonly [path: string, etag: string])[];

/** The record that cuts off the lower storage at a key. */
export function cutKey({ tree, path }: EntryKey): EntryKey {
  return { tree: 'records', path: `${ownFolder}/${tree}${path}` };
}

/** The key that a record cuts off. */
export function keyOfCut(path: string): EntryKey {
  const [, tree, rest] = /^\/\.overlay\/(files|records)(.*)$/.exec(path) ?? [];
  return { tree: tree === 'files' ? 'files' : 'records', path: rest || '/' };
}

/** Whether a key is among the overlay's own records. */
export function isOwn({ tree, path }: EntryKey): boolean {
  return tree === 'records' && isWithin(ownFolder, path);
}

/** Whether the lower storage is cut off at a key or above it. */
export function isCut(cuts: ReadonlySet<string>, key: EntryKey): boolean {
  if (cuts.size === 0) return false;
  for (let { path } = cutKey(key); path !== ownFolder; path = parentOf(path)) if (cuts.has(path)) return true;
  return false;
}

/** What the overlay remembers now; the ledger that is known already, where nothing was committed since. */
export async function readLedger(upper: StorageDriver, known: Ledger | undefined): Promise<Ledger> {
  for (;;) {
    const { etag, version } = await readVersion(upper);
    if (known?.etag === etag) return known;
    const cuts = new Set<string>();
    for await (const { path, kind } of entriesBelow(upper, { tree: 'records', path: ownFolder })) {
      if (kind === 'file' && path !== versionKey.path) cuts.add(path);
    }
    if ((await versionOf(upper)) === etag) return { version, etag, cuts };
  }
}

/** The number of the version, from 0 again if its record is damaged: it is the etag that tells versions apart. */
async function readVersion(upper: StorageDriver): Promise<Pick<Ledger, 'version' | 'etag'>> {
  try {
    const found = await upper.read(versionKey);
    return { version: parseInt(textOf(found?.content), 10) || 0, etag: found?.entry.etag ?? null };
  } catch (error) {
    if (!isUtensilError(error, 'content_damaged')) throw error;
    return { version: 0, etag: await versionOf(upper) };
  }
}

/** The etag of the version that the upper storage has now. */
export async function versionOf(upper: StorageDriver): Promise<string | null> {
  const [entry] = await upper.stat([versionKey]);
  return entry?.etag ?? null;
}

/** The change that makes a new version. The time tells it from one of the same number, where an upper storage went back. */
export function nextVersion({ version }: Ledger, time: number): Change {
  return { ...versionKey, type: 'write', content: bytesOf(`${version + 1} ${time}`) };
}

/** What a record of a cut says. */
export async function readBase(upper: StorageDriver, path: string): Promise<Base> {
  const found = await upper.read({ tree: 'records', path });
  return found === undefined ? [] : (JSON.parse(textOf(found.content)) as Base);
}

/** The change that makes a record of a cut. */
export function writeBase(path: string, base: Base): Change {
  return { tree: 'records', path, type: 'write', content: bytesOf(JSON.stringify(base)) };
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

function textOf(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
