import { sep } from 'node:path';
import { isAddressable, isReserved, reservedName } from '@utensil/core/storage';
import type { EntryKey, StorageTree } from '@utensil/core/storage';
import { untouchable } from './refusal.ts';

/** Path of a key on the disk. Throws `EACCES` for a key that is out of bounds. */
export function hostPath(root: string, key: EntryKey): string {
  if (isForbidden(key)) throw untouchable(key.path);
  const below = key.path === '/' ? '' : sep === '/' ? key.path : key.path.replaceAll('/', sep);
  return withoutEnd(root) + (key.tree === 'files' ? '' : sep + reservedName + sep + 'records') + below || sep;
}

/** A directory without a trailing separator, which only the root of a disk has. */
export function withoutEnd(directory: string): string {
  return directory.endsWith(sep) ? directory.slice(0, -1) : directory;
}

/**
 * True for a key that is out of bounds: in the tree `files`, a folder reserved for this storage or one below; in both
 * trees, a path that is not normalized. Core never requests such paths, but this is the layer where they would do harm.
 */
export function isForbidden({ tree, path }: EntryKey): boolean {
  const names = path === '/' ? [] : path.split('/').slice(1);
  return names.some((name) => !isShown(tree, name));
}

/** Matches most names. */
const plain = /^\w[\w.-]{0,254}$/;

/** True if users can have a name of the disk. */
export function isShown(tree: StorageTree, name: string): boolean {
  return plain.test(name) || (isAddressable(name) && !(tree === 'files' && isReserved(name)));
}
