import { comparePaths } from '@utensil/core/storage';
import type { ByteRange, StorageEntry, EntryKey, ListedEntry, ListQuery, StorageDriver } from '@utensil/core/storage';
import { entriesBelow, isCut, isOwn } from './ledger.ts';
import type { Ledger } from './ledger.ts';

type FileContent = NonNullable<Awaited<ReturnType<StorageDriver['read']>>>;

export interface Layers {
  readonly lower: StorageDriver;
  readonly upper: StorageDriver;
}

/** An entry whose etag names the storage it comes from. */
export function entryFrom(layer: keyof Layers, entry: StorageEntry): StorageEntry {
  return entry.kind === 'directory' ? entry : { ...entry, etag: `${layer}-${entry.etag}` };
}

/** Entries at keys: from the upper storage, else visible ones of the lower storage. */
export async function statBoth(
  { lower, upper }: Layers,
  { cuts }: Ledger,
  keys: readonly EntryKey[],
): Promise<readonly (StorageEntry | undefined)[]> {
  const [above, below] = await Promise.all([upper.stat(keys), lower.stat(keys)]);
  return keys.map((key, index) => {
    const [high, low] = [above[index], below[index]];
    if (isOwn(key)) return undefined;
    if (high !== undefined) return entryFrom('upper', high);
    return low === undefined || isCut(cuts, key) ? undefined : entryFrom('lower', low);
  });
}

/** A request for a range of a file. */
export interface Reading {
  readonly key: EntryKey;
  readonly range: ByteRange | undefined;
}

/** Content of a file in the upper storage, which is valid whatever the ledger says. */
export async function readUpper({ upper }: Layers, { key, range }: Reading): Promise<FileContent | undefined> {
  const found = isOwn(key) ? undefined : await upper.read(key, range);
  return found && { ...found, entry: entryFrom('upper', found.entry) };
}

async function readLower(
  { lower }: Layers,
  { cuts }: Ledger,
  { key, range }: Reading,
): Promise<FileContent | undefined> {
  const found = isOwn(key) || isCut(cuts, key) ? undefined : await lower.read(key, range);
  return found && { ...found, entry: entryFrom('lower', found.entry) };
}

/** Content of a file. An entry of the upper storage, even a directory, hides that of the lower one. */
export async function readBoth(layers: Layers, ledger: Ledger, reading: Reading): Promise<FileContent | undefined> {
  const [high, [covering]] = [await readUpper(layers, reading), await layers.upper.stat([reading.key])];
  return high ?? (covering === undefined ? readLower(layers, ledger, reading) : undefined);
}

/** A merged listing of both storages. */
export async function listBoth(
  { lower, upper }: Layers,
  { cuts }: Ledger,
  query: ListQuery,
): Promise<readonly ListedEntry[]> {
  if (isOwn(query)) return [];
  const entries: ListedEntry[] = [];
  const above = entriesBelow(upper, query, query);
  const below = isCut(cuts, query) ? none() : entriesBelow(lower, query, query);
  let [high, low] = [(await above.next()).value, (await below.next()).value];
  while (entries.length < query.limit && (high ?? low) !== undefined) {
    const order = high === undefined ? 1 : low === undefined ? -1 : comparePaths(high.path, low.path);
    const next = order <= 0 ? high : low;
    const isSeen = next !== undefined && !isOwn(next) && (order <= 0 || !isCut(cuts, next));
    if (isSeen) entries.push(next);
    if (order <= 0) high = (await above.next()).value;
    if (order >= 0) low = (await below.next()).value;
  }
  return entries;
}

async function* none(): AsyncGenerator<ListedEntry, void> {}
