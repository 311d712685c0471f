import type { BigIntStats, Dirent } from 'node:fs';

/** A value, immediate or later. */
export type Answer<Value> = Value | Promise<Value>;

/** Source offset and target buffer of a read. */
export interface ReadOptions {
  readonly offset: number;
  readonly length: number;
  readonly position: number;
}

/** Operations that the storage needs on an open file or directory. */
export interface OpenFile {
  /** Its number in this process; without it, the entry is found again only by path. */
  readonly fd?: number;
  stat(options: { readonly bigint: true }): Answer<BigIntStats>;
  read(buffer: Uint8Array, options: ReadOptions): Answer<{ readonly bytesRead: number }>;
  writeFile(content: Uint8Array | string): Answer<void>;
  sync(): Answer<void>;
  close(): Answer<void>;
}

/** Operations that the storage needs on a disk. `node:fs/promises` implements it; tests can pass their own. */
export interface FileSystem {
  access(path: string, mode: number): Answer<void>;
  chmod(path: string, mode: number): Answer<void>;
  link(existing: string, path: string): Answer<void>;
  /** Undefined, or `ENOENT`, if the path is missing. */
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

/** Root directory on a disk. */
export interface Root {
  readonly fs: FileSystem;
  /** Absolute form of the path that the app passed. */
  readonly root: string;
  /** Its path without links. */
  realRoot(): Answer<string>;
}
