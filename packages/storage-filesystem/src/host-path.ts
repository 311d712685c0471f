import { sep } from 'node:path';
import { isAddressable, isReserved, reservedName } from '@utensil/core/storage';
import type { EntryKey, StorageTree } from '@utensil/core/storage';
import { untouchable } from './refusal.ts';

/** Where a key is on the disk. Throws `EACCES` for one that is out of bounds. */
export function hostPath(root: string, key: EntryKey): string {
  if (isForbidden(key)) throw untouchable(key.path);
  const below = key.path === '/' ? '' : sep === '/' ? key.path : key.path.replaceAll('/', sep);
  return withoutEnd(root) + (key.tree === 'files' ? '' : sep + reservedName + sep + 'records') + below || sep;
}

/** A directory without the separator that only the root of a disk ends with. */
export function withoutEnd(directory: string): string {
  return directory.endsWith(sep) ? directory.slice(0, -1) : directory;
}

/**
 * Whether a key is out of bounds: in the tree `files`, for a folder of the storage's own, of this root or of one below;
 * in both, for what is no normal path. Core asks for no such path; it is here that it would do harm.
 */
export function isForbidden({ tree, path }: EntryKey): boolean {
  const names = path === '/' ? [] : path.split('/').slice(1);
  return names.some((name) => !isShown(tree, name));
}

/** What most names are. */
const plain = /^\w[\w.-]{0,254}$/;

/** True if a name on the disk is one that people can have. */
export function isShown(tree: StorageTree, name: string): boolean {
  return plain.test(name) || (isAddressable(name) && !(tree === 'files' && isReserved(name)));
}
