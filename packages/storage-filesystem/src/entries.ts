import { directoryEtag } from '@utensil/core/storage';
import type { StorageEntry, EntryKey } from '@utensil/core/storage';
import { hostPath } from './host-path.ts';
import type { Disk } from './disk.ts';
import { lookUpEach } from './lookup.ts';
import type { Found, Lookup } from './lookup.ts';

/** Entry for a lookup result; undefined if users cannot have it. */
async function describe(disk: Disk, key: EntryKey, found: Found): Promise<StorageEntry | undefined> {
  if (found.kind !== 'file' && found.kind !== 'directory') return undefined;
  const { tree, path } = key;
  const modifiedAt = Number(found.stats?.mtimeMs ?? 0);
  if (found.kind === 'directory') return { tree, path, kind: 'directory', size: 0, modifiedAt, etag: directoryEtag };
  const version = await disk.versions.of(hostPath(disk.root, key), found.stats);
  return version && { tree, path, kind: 'file', ...version };
}

/** Looks up one entry. */
export async function lookUp(disk: Disk, lookup: Lookup, key: EntryKey): Promise<StorageEntry | undefined> {
  return describe(disk, key, await lookup.find(key));
}

/** Looks up entries. The last keys, which are the deepest, come first: they reveal most about links on the way to the others. */
export async function lookUpAll(
  disk: Disk,
  lookup: Lookup,
  keys: readonly EntryKey[],
): Promise<readonly (StorageEntry | undefined)[]> {
  const last = keys.slice(-2).toReversed();
  const found: (StorageEntry | undefined)[] = [];
  for (const key of last) found.unshift(await lookUp(disk, lookup, key));
  const others = await lookUpEach(lookup, keys.slice(0, -2), (key) => lookUp(disk, lookup, key));
  return [...others, ...found];
}
