import type { BigIntStats, Dirent } from 'node:fs';
import { join, sep } from 'node:path';
import { isAddressable, isReserved, reservedName } from '@utensil/core';
import type { EntryKey, Tree, UtensilError } from '@utensil/core';
import type { Anchors } from './anchor.ts';
import type { Children } from './children.ts';
import type { Versions } from './content.ts';
import type { Kept } from './kept.ts';
import type { Hold } from './hold.ts';
import type { NameIndex } from './names.ts';
import { untouchable } from './refusal.ts';
import type { Unkept } from './unkept.ts';

/** What a call gives: at once, or later. */
export type Answer<Value> = Value | Promise<Value>;

/** Where to read from, and where to put it. */
export interface ReadOptions {
  readonly offset: number;
  readonly length: number;
  readonly position: number;
}

/** What the storage needs of an open file or directory. */
export interface OpenFile {
  /** Its number in this process; without it, what is opened is found again by its path only. */
  readonly fd?: number;
  stat(options: { readonly bigint: true }): Answer<BigIntStats>;
  read(buffer: Uint8Array, options: ReadOptions): Answer<{ readonly bytesRead: number }>;
  writeFile(content: Uint8Array | string): Answer<void>;
  sync(): Answer<void>;
  close(): Answer<void>;
}

/** What the storage needs of a disk. `node:fs/promises` is one; a test may have a disk of its own. */
export interface FileSystem {
  access(path: string, mode: number): Answer<void>;
  chmod(path: string, mode: number): Answer<void>;
  link(existing: string, path: string): Answer<void>;
  /** Undefined, or `ENOENT`, where there is nothing. */
  lstat(path: string, options: { readonly bigint: true }): Answer<BigIntStats | undefined>;
  mkdir(path: string, options: { readonly mode?: number; readonly recursive?: boolean }): Answer<string | undefined>;
  open(path: string, flags: string | number, mode?: number): Answer<OpenFile>;
  readdir(path: string, options: { readonly withFileTypes: true }): Answer<Dirent[]>;
  readFile(path: string, encoding: 'utf8'): Answer<string>;
  readlink(path: string): Answer<string>;
  realpath(path: string): Answer<string>;
  rename(from: string, to: string): Answer<void>;
  rmdir(path: string): Answer<void>;
  symlink(target: string, path: string): Answer<void>;
  unlink(path: string): Answer<void>;
  writeFile(path: string, text: string, options: { readonly flag: string; readonly mode?: number }): Answer<void>;
}

/** The directory that everything is in, and how it is reached. */
export interface Disk {
  readonly fs: FileSystem;
  /** As the app named it, made absolute. */
  readonly root: string;
  /** The same without links. */
  realRoot(): Answer<string>;
  readonly places: ReturnType<typeof placesIn>;
  readonly versions: Versions;
  readonly names: NameIndex;
  readonly children: Children;
  /** The name of this process, by which others can tell whether it still runs. */
  owner(): Promise<string>;
  readonly anchors: Anchors;
  /** The lock, if it is held. */
  readonly hold?: Hold;
  /** Told of what could not be undone. */
  warn(problem: UtensilError): void;
  /** To be waited for now and then, so that others have their turn. */
  pause(): Promise<void> | undefined;
  /** What was seen of the storage's own folder: `state` is its note of that name. */
  readonly seen: { state: boolean };
  /** Whether what is acknowledged must survive a loss of power. */
  readonly syncs: boolean;
  /** Whether that holds for all that this storage does. */
  readonly keepsAll: boolean;
  /** What is known to survive it. */
  readonly kept: Kept;
  /** What it has yet to survive, of what is not acknowledged yet. */
  readonly unkept: Unkept;
}

/** The places in the folder of the root that holds the storage's own data. */
export function placesIn(root: string) {
  const home = join(root, reservedName);
  return {
    home,
    /** Holds the note of whoever may commit. */
    lock: join(home, 'lock'),
    /** The note of who held the lock last. */
    last: join(home, 'last'),
    /** There while somebody waits for the lock. */
    knock: join(home, 'knock'),
    /** Says which commit was the last, and whether it is still going on. */
    state: join(home, 'state'),
    /** What is on its way into a tree, or out of it. */
    staging: join(home, 'tmp'),
    ignore: join(home, '.gitignore'),
    records: join(home, 'records'),
    /** Content that could not be put back when an interrupted commit was undone. */
    setAside: join(home, 'set-aside'),
  };
}

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

/** Whether a name on the disk is one that people can have. */
export function isShown(tree: Tree, name: string): boolean {
  return plain.test(name) || (isAddressable(name) && !(tree === 'files' && isReserved(name)));
}
