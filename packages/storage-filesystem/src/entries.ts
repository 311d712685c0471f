import { directoryEtag } from '@utensil/core/storage';
import type { StorageEntry, EntryKey } from '@utensil/core/storage';
import { hostPath } from './host-path.ts';
import type { Disk } from './disk.ts';
import { lookingFor } from './look.ts';
import type { Found, Look } from './look.ts';

/** The entry at a key where this was found; undefined where that is nothing which people can have. */
async function describe(disk: Disk, key: EntryKey, found: Found): Promise<StorageEntry | undefined> {
  if (found.kind !== 'file' && found.kind !== 'directory') return undefined;
  const { tree, path } = key;
  const modifiedAt = Number(found.stats?.mtimeMs ?? 0);
  if (found.kind === 'directory') return { tree, path, kind: 'directory', size: 0, modifiedAt, etag: directoryEtag };
  const version = await disk.versions.of(hostPath(disk.root, key), found.stats);
  return version && { tree, path, kind: 'file', ...version };
}

/** The entry at a key. */
export async function lookUp(disk: Disk, look: Look, key: EntryKey): Promise<StorageEntry | undefined> {
  return describe(disk, key, await look.find(key));
}

/** The entries at keys. Those above come before what is below them, so the last say most of where the others lead. */
export async function lookUpAll(
  disk: Disk,
  look: Look,
  keys: readonly EntryKey[],
): Promise<readonly (StorageEntry | undefined)[]> {
  const last = keys.slice(-2).toReversed();
  const found: (StorageEntry | undefined)[] = [];
  for (const key of last) found.unshift(await lookUp(disk, look, key));
  const others = await lookingFor(look, keys.slice(0, -2), (key) => lookUp(disk, look, key));
  return [...others, ...found];
}
