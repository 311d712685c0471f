import type { ByteRange } from './storage/driver.ts';
import type { TextFormat } from '../base/text-encoding.ts';

/** A file or directory as it is listed. */
export interface FileEntry {
  /** Absolute and normalized: `/notes/todo.md`. */
  readonly path: string;
  readonly kind: 'file' | 'directory';
  /** Size in bytes; 0 for a directory. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** A file or directory as people and tools see it. */
export interface FileStat extends FileEntry {
  /** Opaque: differs whenever the content does. */
  readonly etag: string;
}

/** Content of a file as bytes. */
export interface FileBytes extends FileStat {
  readonly bytes: Uint8Array;
}

/** Content of a file as text, without its byte order mark; `format` says how it is stored. */
export interface FileText extends FileStat {
  readonly text: string;
  readonly format: TextFormat;
}

/** Conditions of a write. */
export interface WriteOptions {
  /** `must`: only create. `never`: only overwrite. Default: `may`. */
  readonly create?: 'must' | 'may' | 'never';
  /** Fails with `ECONFLICT` unless the file has this etag. */
  readonly ifMatch?: string;
}

/** Options of a removal. */
export interface RemoveOptions {
  /** Also removes the contents of a directory. */
  readonly recursive?: boolean;
  /** Fails with `ECONFLICT` unless the entry has this etag. */
  readonly ifMatch?: string;
}

/** One replacement of text. */
export interface TextReplacement {
  /** Exact and not empty. Must occur exactly once, unless `all` is set. */
  readonly oldText: string;
  /** Taken literally: `$&` has no special meaning. */
  readonly newText: string;
  readonly all?: boolean;
}

/** Result of an edit. */
export interface EditResult extends FileStat {
  /** The whole text after the edit. */
  readonly text: string;
  /** Lines written by the edit, from 1; one pair for each place. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
}

/** Options of a listing. */
export interface ListOptions {
  /** Levels to descend. 1 (default) lists the directory's own entries. */
  readonly depth?: number;
  /** Maximum number of entries per page. Default and ceiling: 1,000. */
  readonly limit?: number;
  /** `next` of the previous page. */
  readonly after?: string;
}

/** A page of a listing, ordered by path: the contents of a directory follow it. */
export interface FileListing {
  readonly entries: readonly FileEntry[];
  /** Cursor of the next page; absent on the last one. */
  readonly next?: string;
}

/**
 * The virtual filesystem of a project. Paths are POSIX paths: absolute, with `.` and `..` resolved (`/..` is `/`),
 * compared in Unicode NFC. Every call is one atomic commit, and no update is lost. Errors are `UtensilError`s with
 * POSIX codes; see each method.
 *
 * Every method that takes a path throws `EINVAL` (empty, relative, backslash, NUL, control or bidi character, lone
 * surrogate) and `ENAMETOOLONG` (a name over 255 bytes, a path over 1,024, more than 32 levels). Text methods throw
 * `binary_file` for content that is neither UTF-8 nor UTF-16 with a byte order mark.
 */
export interface Files {
  /** True if changes and removals can be undone, as declared by the storage. */
  readonly keepsVersions?: boolean;
  /** Looks up a path; undefined if nothing is there. Never throws because it is absent. */
  stat(path: string): Promise<FileStat | undefined>;
  /** Reads a file, or a range of it, as bytes. Throws `ENOENT`, `EISDIR`, `content_damaged`. */
  read(path: string, range?: ByteRange): Promise<FileBytes>;
  /** Reads a file as text. Throws as `read` does, and `binary_file`. */
  readText(path: string): Promise<FileText>;
  /**
   * Writes a whole file and creates missing parent directories. Writing the same content changes nothing, not even the
   * etag. A string is stored as UTF-8; bytes are copied before the call returns, so the array may be reused at once.
   * Throws `EEXIST`, `EISDIR`, `ENOTDIR`, `ENOENT` (`create: 'never'`), `ECONFLICT` (`ifMatch`), `EILSEQ` (a lone
   * surrogate), `EFBIG`, `EDQUOT`, `EROFS`.
   */
  write(path: string, data: string | Uint8Array, options?: WriteOptions): Promise<FileStat>;
  /**
   * Appends to a file, or creates it. Parallel appends all land. Throws as `write` does, and `binary_file` for text
   * appended to binary.
   */
  append(path: string, data: string | Uint8Array): Promise<FileStat>;
  /**
   * Replaces text. Throws as `readText` does, and `string_not_found`, `string_not_unique` (with the `count` of places
   * and the first `lines`), `EINVAL` (`oldText` is empty, ends in half of a CRLF or character that `newText` does not
   * end in, or occurs at more than a million places), `EFBIG`.
   */
  edit(path: string, replacement: TextReplacement): Promise<EditResult>;
  /** Inserts whole lines after line `line` (0: before the first). Throws as `readText` does, and `invalid_line`. */
  insertLines(path: string, line: number, text: string): Promise<EditResult>;
  /** Creates a directory and missing parents. Throws `EEXIST` if the path is taken, `ENOTDIR`. */
  makeDirectory(path: string): Promise<FileStat>;
  /**
   * Removes a file, or a directory that is empty; any directory if `recursive`. Throws `ENOENT`, `ENOTEMPTY`,
   * `ECONFLICT` (`ifMatch`), `EINVAL` for `/`.
   */
  remove(path: string, options?: RemoveOptions): Promise<void>;
  /**
   * Moves a file or directory and creates missing parents of `to`. Throws `ENOENT`, `EEXIST` (`overwrite` lets a file
   * replace a file), `EINVAL` for `/` and for a move of a directory into itself.
   */
  move(from: string, to: string, options?: { readonly overwrite?: boolean }): Promise<FileStat>;
  /**
   * Copies a file, with its permissions if the storage supports them. Throws as `move` does, and `EISDIR` for a
   * directory.
   */
  copy(from: string, to: string, options?: { readonly overwrite?: boolean }): Promise<FileStat>;
  /** Lists a directory. Throws `ENOENT`, `ENOTDIR`. */
  list(path: string, options?: ListOptions): Promise<FileListing>;
  /**
   * Reports changes at a path or below it, made by anyone: the listener gets the paths, at or below which something
   * changed and can be read already. Returns a function that stops watching.
   */
  watch(path: string, listener: (changed: readonly string[]) => void): () => void;
}

/** The files of a project, as an app uses them. */
export interface ProjectFiles extends Files {
  /**
   * Commits several changes atomically: all of them or none. If someone else changes a file that `work` has read,
   * `work` runs again from the start, so it should have no other effects; etags that it sees are valid only inside it.
   * Listings are not checked again and may be stale at the commit. If `work` throws, nothing is changed. Throws
   * `ECONFLICT` after 64 lost races, with pauses that add up to about half a minute.
   *
   * Batches and other changes through the same object run in the order of their calls. `work` must change files only
   * through its argument. While it leaves them idle, because it waits for something else, calls made since then wait a
   * tenth of a second, all other calls five seconds; then they go ahead.
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
  /** Usage, counted now. */
  usage(): Promise<FilesUsage>;
}

/** Amount of data in a project. */
export interface FilesUsage {
  readonly bytes: number;
  readonly files: number;
}
