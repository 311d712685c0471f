import type { BigIntStats, Dirent } from 'node:fs';

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

/** A directory on a disk. */
export interface Root {
  readonly fs: FileSystem;
  /** As the app named it, made absolute. */
  readonly root: string;
  /** The same without links. */
  realRoot(): Answer<string>;
}
