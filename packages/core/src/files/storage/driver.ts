/**
 * The two trees that a storage keeps apart: what tools and people see, and Utensil's own records
 * (settings, threads, journals). No tool reaches the second.
 */
export type StorageTree = 'files' | 'records';

/** A file or directory, by its tree and its normal path (`/`, or `/a/b` without a trailing slash). */
export interface EntryKey {
  readonly tree: StorageTree;
  readonly path: string;
}

/** A storage's record of a file or directory. */
export interface StorageEntry extends EntryKey {
  readonly kind: 'file' | 'directory';
  /** In bytes; 0 for a directory. */
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  /** Opaque: differs whenever the content does. A directory's is always {@link directoryEtag}. */
  readonly etag: string;
}

/** An entry in a listing: no etag, because a storage may have to read a whole content to know it. */
export type ListedEntry = Omit<StorageEntry, 'etag'>;

/** The etag of every directory. */
export const directoryEtag = 'directory';

/** One change of a commit. */
export type StorageChange =
  /** A storage that knows permissions gives a new file those of `like`, if that is a file by then. Others ignore it. */
  | (EntryKey & { readonly type: 'write'; readonly content: Uint8Array; readonly like?: EntryKey })
  | (EntryKey & { readonly type: 'make-directory' })
  /** Unless it is `recursive`, a directory has to be empty. */
  | (EntryKey & { readonly type: 'remove'; readonly recursive?: boolean })
  /**
   * Takes what is below along, with times and etags as they are. `to` is in this tree or the other, absent, and not
   * below the entry. Content is not written again: that is how an old version is kept for next to nothing.
   */
  | (EntryKey & { readonly type: 'move'; readonly to: EntryKey });

/**
 * What must be true for a commit to happen: the entry has this etag. With `null`: there is no such entry,
 * nor one in the same directory whose name differs from it only in case ({@link foldCase}).
 */
export interface StorageExpectation extends EntryKey {
  readonly etag: string | null;
}

/** Changes that happen together or not at all. */
export interface StorageCommit {
  /** What has to be true before the first change. */
  readonly expect: readonly StorageExpectation[];
  /** Made one after the other: each finds what those before it have left, at the same path too. */
  readonly changes: readonly StorageChange[];
  /** Milliseconds since 1970; what is written carries it, where the storage has no clock of its own. */
  readonly time: number;
  /**
   * It answers only when a loss of power can no longer undo this commit, or what it rests on; default: as the storage
   * is set. A storage that outlives no loss of power ignores it.
   */
  readonly durable?: boolean;
}

/**
 * What came of a commit: what its changes wrote, made or moved, as it is after the last of them, in their order; or the first thing that stood in
 * its way, with the entry that is there instead (under its own path, where it is a name that differs only in case).
 */
export type StorageCommitResult =
  | { readonly ok: true; readonly entries: readonly StorageEntry[] }
  | { readonly ok: false; readonly conflict: EntryKey; readonly entry: StorageEntry | undefined };

/**
 * A listing of what is below a directory, at most `depth` levels down (1 = its own entries), in {@link comparePaths}
 * order. Nothing is below a file or a missing directory.
 */
export interface ListQuery extends EntryKey {
  readonly depth: number;
  /** Only entries that come after this path. */
  readonly after?: string;
  readonly limit: number;
}

/** A range of bytes; `end` is not part of it. Past the end of the content there is nothing, and no error. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * A storage backend, for one namespace. Core checks and normalises every path, resolves every rule and words
 * every error; a driver only keeps bytes. It holds six promises:
 *
 * 1. `commit` is the only writer, atomic (a crash leaves all or nothing) and linearizable: expectations are checked
 *    and changes made as one.
 * 2. No commit leaves an entry whose parent is not a directory: a write below a missing parent or below a file, and a
 *    removal of a directory that still has entries, are conflicts. So are a write onto a directory, a directory made
 *    where something is, and a removal or move of what is not there. The root of each tree always exists.
 * 3. Nobody changes stored content by changing an array: what is given to `commit` stays as it is until that has
 *    answered, and belongs to the caller again after it; what `read` gives is the caller's.
 * 4. What `watch` tells can be read already. Of the commits of a driver it tells in their order.
 * 5. After `close`, every call throws a `UtensilError` with code `EBADF`. What the platform refuses is thrown as
 *    `ENOSPC`, `EACCES`, `EROFS`, `EBUSY` or `EIO`, with no host path in its message.
 * 6. Damage is told apart from failure. If a storage can prove that a stored content is not what was written (a checksum
 *    or an authentication fails), `read` throws `content_damaged` for that file alone, and never for a whole storage. The
 *    file is still listed and looked up, and can be moved, removed and written over like any other. `EIO` says nothing of
 *    the content: the next attempt may succeed.
 */
export interface StorageDriver {
  /** True if what is changed and removed in its files can be had back. */
  readonly keepsVersions?: boolean;
  /** The entries at these keys, in the same order; undefined where there is none. */
  stat(keys: readonly EntryKey[]): Promise<readonly (StorageEntry | undefined)[]>;
  list(query: ListQuery): Promise<readonly ListedEntry[]>;
  /**
   * The content of a file with the entry that it belongs to; undefined where there is no such file. Throws
   * `content_damaged` if the wanted part of the content is lost for good.
   */
  read(
    key: EntryKey,
    range?: ByteRange,
  ): Promise<{ readonly entry: StorageEntry; readonly content: Uint8Array } | undefined>;
  commit(commit: StorageCommit): Promise<StorageCommitResult>;
  /**
   * Tells where something has changed: at these keys or below them; the root of a tree stands for anything in it. It
   * tells of every commit of this namespace, by whichever driver, and of what other programs do where the storage can
   * see that; perhaps of several at once, perhaps more than once. Gives what ends it, as `close` does. With
   * `options.tree`, the storage need not watch the other tree; it may still report it.
   */
  watch(listener: (changed: readonly EntryKey[]) => void, options?: WatchOptions): () => void;
  close(): Promise<void>;
}

/** Options of {@link StorageDriver.watch}. */
export interface WatchOptions {
  /** The only tree to report. Default: both. */
  readonly tree?: StorageTree;
}

/** The keys at which changes change something, to be told by {@link StorageDriver.watch}. */
export function changedKeys(changes: readonly StorageChange[]): readonly EntryKey[] {
  const keys: EntryKey[] = [];
  for (const change of changes) {
    keys.push({ tree: change.tree, path: change.path });
    if (change.type === 'move') keys.push(change.to);
  }
  return keys;
}
