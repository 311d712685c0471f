/**
 * The two separate trees of a storage: files for tools and people, and Utensil's own records (settings, threads,
 * journals). No tool can reach the records.
 */
export type StorageTree = 'files' | 'records';

/** Key of a file or directory: its tree and normalized path (`/`, or `/a/b` without a trailing slash). */
export interface EntryKey {
  readonly tree: StorageTree;
  readonly path: string;
}

/** Metadata of a file or directory. */
export interface StorageEntry extends EntryKey {
  readonly kind: 'file' | 'directory';
  /** Size in bytes; 0 for a directory. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  /** Opaque: differs whenever the content does. A directory's is always {@link directoryEtag}. */
  readonly etag: string;
}

/** An entry in a listing. It has no etag, because computing one may require reading the content. */
export type ListedEntry = Omit<StorageEntry, 'etag'>;

/** The etag of every directory. */
export const directoryEtag = 'directory';

/** One change of a commit. */
export type StorageChange =
  /**
   * A storage that supports permissions copies those of `like` to a new file, if `like` is a file at that point. Others
   * ignore it.
   */
  | (EntryKey & { readonly type: 'write'; readonly content: Uint8Array; readonly like?: EntryKey })
  | (EntryKey & { readonly type: 'make-directory' })
  /** A directory must be empty unless `recursive` is set. */
  | (EntryKey & { readonly type: 'remove'; readonly recursive?: boolean })
  /**
   * Moves everything below along, with times and etags unchanged. `to` may be in either tree; it must not exist, nor be
   * below the entry. Content is not rewritten, which makes it cheap to keep an old version.
   */
  | (EntryKey & { readonly type: 'move'; readonly to: EntryKey });

/**
 * A precondition of a commit: the entry has this etag. `null`: neither the entry exists, nor one in the same directory
 * whose name differs only in case ({@link foldCase}).
 */
export interface StorageExpectation extends EntryKey {
  readonly etag: string | null;
}

/** Changes that are applied atomically. */
export interface StorageCommit {
  /** Preconditions, checked before the first change. */
  readonly expect: readonly StorageExpectation[];
  /** Applied in order: each change sees the result of those before it, at the same path too. */
  readonly changes: readonly StorageChange[];
  /** Milliseconds since 1970: the modification time of written entries, unless the storage has its own clock. */
  readonly time: number;
  /**
   * True to return only once this commit, and everything it depends on, survives a loss of power. Default: as the
   * storage is configured. Ignored by storages that never survive one.
   */
  readonly durable?: boolean;
}

/**
 * Result of a commit. On success: the written, created or moved entries, in the order of their changes, as they are
 * after the last change. On conflict: the first failed key, and the entry found there, under its own path if its name
 * differs only in case.
 */
export type StorageCommitResult =
  | { readonly ok: true; readonly entries: readonly StorageEntry[] }
  | { readonly ok: false; readonly conflict: EntryKey; readonly entry: StorageEntry | undefined };

/**
 * A listing of the contents of a directory, at most `depth` levels down (1 = its own entries), in {@link comparePaths}
 * order. Empty for a file or a missing directory.
 */
export interface ListQuery extends EntryKey {
  readonly depth: number;
  /** Only entries after this path. */
  readonly after?: string;
  readonly limit: number;
}

/** An end-exclusive range of bytes. Reading past the end yields fewer bytes, not an error. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * A storage backend for one namespace. Core normalizes and validates every path, enforces every rule and words every
 * error; a driver only stores bytes. It makes six promises:
 *
 * 1. `commit` is the only writer. It is atomic (a crash leaves all or nothing) and linearizable: expectations are
 *    checked and changes made as one.
 * 2. No commit leaves an entry whose parent is not a directory: a write below a missing parent or a file, and the
 *    removal of a non-empty directory, are conflicts. So are a write onto a directory, the creation of a directory over
 *    an existing entry, and the removal or move of a missing entry. The root of each tree always exists.
 * 3. Stored content cannot be changed through an array: the driver may rely on arrays given to `commit` until it
 *    returns, and must not use them after; arrays returned by `read` belong to the caller.
 * 4. A change reported by `watch` can be read already. A driver's own commits are reported in order.
 * 5. After `close`, every call throws a `UtensilError` with code `EBADF`. Errors of the platform are thrown as
 *    `ENOSPC`, `EACCES`, `EROFS`, `EBUSY` or `EIO`, without host paths in the message.
 * 6. Damage is distinguished from failure. If a storage can prove that a content is not the one written (a checksum or
 *    authentication fails), `read` throws `content_damaged` for that file alone, never for the whole storage. The file
 *    can still be listed, looked up, moved, removed and overwritten. `EIO` says nothing about the content: a retry may
 *    succeed.
 */
export interface StorageDriver {
  /** True if changes and removals in its files can be undone. */
  readonly keepsVersions?: boolean;
  /** Entries at these keys, in the same order; undefined for a missing one. */
  stat(keys: readonly EntryKey[]): Promise<readonly (StorageEntry | undefined)[]>;
  list(query: ListQuery): Promise<readonly ListedEntry[]>;
  /**
   * Content of a file, and the entry it belongs to; undefined if there is no such file. Throws `content_damaged` if the
   * requested content is lost for good.
   */
  read(
    key: EntryKey,
    range?: ByteRange,
  ): Promise<{ readonly entry: StorageEntry; readonly content: Uint8Array } | undefined>;
  commit(commit: StorageCommit): Promise<StorageCommitResult>;
  /**
   * Reports changed keys: something changed at or below each; the root of a tree stands for anything in it. Covers
   * every commit to this namespace by any driver, and changes by other programs if the storage can detect them. Reports
   * may be merged or repeated. Returns a function that stops watching; `close` stops it too. With `options.tree`, the
   * other tree need not be watched, but may still be reported.
   */
  watch(listener: (changed: readonly EntryKey[]) => void, options?: WatchOptions): () => void;
  close(): Promise<void>;
}

/** Options of {@link StorageDriver.watch}. */
export interface WatchOptions {
  /** The only tree to report. Default: both. */
  readonly tree?: StorageTree;
}

/** The keys affected by changes, to report through {@link StorageDriver.watch}. */
export function changedKeys(changes: readonly StorageChange[]): readonly EntryKey[] {
  const keys: EntryKey[] = [];
  for (const change of changes) {
    keys.push({ tree: change.tree, path: change.path });
    if (change.type === 'move') keys.push(change.to);
  }
  return keys;
}
