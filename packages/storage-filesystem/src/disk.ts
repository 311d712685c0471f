import type * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { foldCase, isAddressable } from '@utensil/core';
import type { EntryKey, Tree } from '@utensil/core';
import type { Versions } from './content.ts';

/** What the storage needs of `node:fs/promises`; a test may put a disk of its own there. */
export type FileSystem = Pick<
  typeof promises,
  | 'access'
  | 'chmod'
  | 'copyFile'
  | 'link'
  | 'lstat'
  | 'mkdir'
  | 'open'
  | 'readdir'
  | 'readFile'
  | 'readlink'
  | 'realpath'
  | 'rename'
  | 'rmdir'
  | 'symlink'
  | 'unlink'
  | 'writeFile'
>;

/** The directory that everything is in, and how it is reached. */
export interface Disk {
  readonly fs: FileSystem;
  /** As the app named it, made absolute. */
  readonly root: string;
  /** The same without links. */
  realRoot(): Promise<string>;
  readonly versions: Versions;
  /** Whether what is acknowledged must survive a loss of power. */
  readonly syncs: boolean;
}

/** The folder in the root that holds the storage's own data. */
export const homeName = '.utensil';

/** The places in that folder. */
export function homeOf({ root }: Pick<Disk, 'root'>) {
  const home = join(root, homeName);
  return {
    home,
    /** Holds the note of whoever may commit. */
    lock: join(home, 'lock'),
    /** Says which commit was the last, and whether it is still going on. */
    state: join(home, 'state'),
    /** What is on its way into a tree, or out of it. */
    staging: join(home, 'tmp'),
    ignore: join(home, '.gitignore'),
  };
}

/** The directory on the disk that a tree is. */
export function treeRoot(root: string, tree: Tree): string {
  return tree === 'files' ? root : join(root, homeName, 'records');
}

/** Where a key is on the disk. */
export function hostPath(root: string, { tree, path }: EntryKey): string {
  return join(treeRoot(root, tree), ...path.split('/'));
}

/**
 * Whether some disk takes a name for that of the storage's own folder: one that ignores case, invisible characters,
 * dots and spaces at the end, or that knows streams and short names.
 */
export function isReserved(name: string): boolean {
  if (!/uten/i.test(name.normalize('NFKC').replaceAll(invisible, ''))) return false;
  const plain = foldCase(name.normalize('NFKC').replaceAll(invisible, ''))
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '');
  return plain === homeName || /^\.?utensi~\d+$/.test(plain);
}

const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Whether a key is out of bounds: in the tree `files`, for a folder of the storage's own, of this root or of one below;
 * in both, for what is no normal path. Core asks for no such path; it is here that it would do harm.
 */
export function isForbidden({ tree, path }: EntryKey): boolean {
  const names = path === '/' ? [] : path.split('/').slice(1);
  return names.some((name) => !isAddressable(name) || (tree === 'files' && isReserved(name)));
}
