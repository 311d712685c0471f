import type { ByteRange } from './storage/driver.ts';
import type { TextFormat } from '../base/decode-text.ts';

/** A file or directory as it is listed. */
export interface FileEntry {
  /** Absolute and normal: `/notes/todo.md`. */
  readonly path: string;
  readonly kind: 'file' | 'directory';
  /** In bytes; 0 for a directory. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** A file or directory as people and tools see it. */
export interface FileStat extends FileEntry {
  /** Opaque: differs whenever the content does. */
  readonly etag: string;
}

/** The bytes of a file. */
export interface FileBytes extends FileStat {
  readonly bytes: Uint8Array;
}

/** The text of a file, without its byte order mark; `format` says how it is stored. */
export interface FileText extends FileStat {
  readonly text: string;
  readonly format: TextFormat;
}

/** Conditions of a write. */
export interface WriteOptions {
  /** `must`: only a new file. `never`: only an existing one. Default `may`. */
  readonly create?: 'must' | 'may' | 'never';
  /** Only if the file still has this etag; else `ECONFLICT`. */
  readonly ifMatch?: string;
}

/** What to remove. */
export interface RemoveOptions {
  /** A directory with all that is in it. */
  readonly recursive?: boolean;
  /** Only if it still has this etag; else `ECONFLICT`. */
  readonly ifMatch?: string;
}

/** One replacement of text. */
export interface TextReplacement {
  /** Exact and not empty. Must occur exactly once, unless `all`. */
  readonly oldText: string;
  /** Taken literally: `$&` is just characters. */
  readonly newText: string;
  readonly all?: boolean;
}

/** What an edit did. */
export interface EditResult extends FileStat {
  /** The whole text after the edit. */
  readonly text: string;
  /** The lines, from 1, that the edit wrote; one pair for each place. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
}

/** What to list. */
export interface ListOptions {
  /** How many levels down; 1 (default) is the directory's own entries. */
  readonly depth?: number;
  /** At most this many entries a page; default and ceiling 1,000. */
  readonly limit?: number;
  /** The `next` of the page before. */
  readonly after?: string;
}

/** A page of a listing, ordered by path: what is in a directory follows it. */
export interface FileListing {
  readonly entries: readonly FileEntry[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: string;
}

/**
 * The virtual filesystem of a project. Paths are POSIX: absolute, `.` and `..` resolved (`/..` is `/`), compared in
 * Unicode NFC. Every call is one atomic commit, and none loses another's update. Errors are `UtensilError`s with the
 * POSIX codes that people know; see each method.
 *
 * Every method that takes a path throws `EINVAL` (empty, relative, backslash, NUL, control or bidi character, lone
 * surrogate) and `ENAMETOOLONG` (a name over 255 bytes, a path over 1,024, more than 32 levels). Text methods throw
 * `binary_file` for a directory's or file's content that is neither UTF-8 nor UTF-16 with a byte order mark.
 */
export interface Files {
  /** True if what is changed and removed can be had back, as the storage says of itself. */
  readonly keepsVersions?: boolean;
  /** What is at the path; undefined where there is nothing. Never throws for absence. */
  stat(path: string): Promise<FileStat | undefined>;
  /** The bytes of a file, or a range of them. Throws `ENOENT`, `EISDIR`, `content_damaged`. */
  read(path: string, range?: ByteRange): Promise<FileBytes>;
  /** The text of a file. Throws as `read`, and `binary_file`. */
  readText(path: string): Promise<FileText>;
  /**
   * Writes a whole file, making the directories above it. The same content again changes nothing, not even the etag.
   * A string is stored as UTF-8; bytes are copied at once, and their array is the caller's again. Throws `EEXIST`,
   * `EISDIR`, `ENOTDIR`, `ENOENT` (`create: 'never'`), `ECONFLICT` (`ifMatch`), `EILSEQ` (a lone surrogate), `EFBIG`,
   * `EDQUOT`, `EROFS`.
   */
  write(path: string, data: string | Uint8Array, options?: WriteOptions): Promise<FileStat>;
  /** Adds to the end of a file, or makes it. Parallel appends all land. Throws as `write`, and `binary_file` for text onto binary. */
  append(path: string, data: string | Uint8Array): Promise<FileStat>;
  /**
   * Replaces text. Throws as `readText`, and `string_not_found`, `string_not_unique` (with the `count` of places and the
   * first `lines`), `EINVAL` (`oldText` is empty, ends in half of a CRLF or a character that `newText` does not end in, or
   * is at more than a million places), `EFBIG`.
   */
  edit(path: string, replacement: TextReplacement): Promise<EditResult>;
  /** Inserts whole lines after line `line` (0: before the first). Throws as `readText`, and `invalid_line`. */
  insertLines(path: string, line: number, text: string): Promise<EditResult>;
  /** Makes a directory and those above it. Throws `EEXIST` where the path is taken, `ENOTDIR`. */
  makeDirectory(path: string): Promise<FileStat>;
  /**
   * Removes a file, or a directory that is empty or `recursive`. Throws `ENOENT`, `ENOTEMPTY`, `ECONFLICT` (`ifMatch`),
   * `EINVAL` for `/`.
   */
  remove(path: string, options?: RemoveOptions): Promise<void>;
  /**
   * Moves a file or directory, making the directories above `to`. Throws `ENOENT`, `EEXIST` (unless `overwrite` replaces
   * a file by a file), `EINVAL` for `/` and for a directory into itself.
   */
  move(from: string, to: string, options?: { readonly overwrite?: boolean }): Promise<FileStat>;
  /** Copies a file, with its permissions if the storage knows them. Throws as `move`, and `EISDIR` for a directory. */
  copy(from: string, to: string, options?: { readonly overwrite?: boolean }): Promise<FileStat>;
  /** What is in a directory. Throws `ENOENT`, `ENOTDIR`. */
  list(path: string, options?: ListOptions): Promise<FileListing>;
  /**
   * Tells where something changed, at the path or below it, whoever changed it: at these paths or below them. It can be
   * read by then. Gives what ends it.
   */
  watch(path: string, listener: (changed: readonly string[]) => void): () => void;
}

/** The files of a project, as an app has them. */
export interface ProjectFiles extends Files {
  /**
   * Does several things as one: all of them happen, or none. `work` is called again from the beginning whenever
   * somebody else changed the files that it had looked at, so it should do nothing else; etags that it sees hold for it
   * only. A listing is not looked at again: what it said may be old by the commit. What `work` throws undoes everything.
   * Throws `ECONFLICT` if others were faster 64 times in a row, with pauses that add up to about half a minute.
   *
   * Batches and other changes by the same object are made in the order of their calls. `work` changes files only by those
   * that it is given. If it leaves them alone, because it waits for something, others that were called since wait a
   * tenth of a second, all others five seconds; then they go ahead.
   *
   * @example
   * ```ts
   * import { createFiles } from '@utensil/core';
   * import { memoryStorage } from '@utensil/storage-memory';
   *
   * const files = createFiles(memoryStorage());
   * await files.batch(async (files) => {
   *   await files.write('/index.md', 'see notes');
   *   await files.write('/notes.md', 'see index');
   * });
   * ```
   */
  batch<Result>(work: (files: Files) => Promise<Result>): Promise<Result>;
  /** How much there is, counted now. */
  usage(): Promise<FilesUsage>;
}

/** How much a project holds. */
export interface FilesUsage {
  readonly bytes: number;
  readonly files: number;
}
