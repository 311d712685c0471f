import type { Message } from '../model/message.ts';
import type { StoredEntry, ThreadEntry } from './entry.ts';

/**
 * A conversation and all that is known of its runs: a log that is appended to by one run at a time, and read by anybody.
 * `openThread` keeps one in records.
 */
export interface Thread {
  readonly id: string;
  /** Entries in the order in which they were stored. */
  read(options?: ReadOptions): Promise<ThreadPage>;
  /**
   * Stores entries in one commit, and returns the position of the last one. Throws `entry_exists` for a message whose id
   * is taken, `thread_changed` if `ifLast` is not the last position, `thread_taken` if the claim is lost, and
   * `thread_deleted` if the thread was removed since it was read here.
   */
  append(entries: readonly ThreadEntry[], options?: AppendOptions): Promise<number>;
  /**
   * Takes the thread for a run. Throws `thread_busy` if another run has it. Watches an owner that has been silent for `ttlMs` as long
   * again, and then takes the thread over.
   */
  claim(options: ClaimOptions): Promise<Claim>;
  /** Who has the thread; undefined if nobody has, or the holder is known to have ended. Absent: that cannot be told. */
  owner?(): Promise<ThreadOwner | undefined>;
  /** Calls the listener after changes by any writer, perhaps more than once, until the returned function is called. */
  watch(listener: () => void): () => void;
  /** The thread of a run inside one of this thread's. It is removed with this one. Absent: runs inside are not kept. */
  child?(runId: string): Thread;
  /** Ids of the runs inside that have a thread here. Absent: they are not known. */
  children?(): Promise<readonly string[]>;
}

/** Page of a thread to read. */
export interface ReadOptions {
  /** Start after this position. Default: 0, the beginning. */
  readonly after?: number;
  /** Maximum number of entries. Default: all. */
  readonly limit?: number;
}

/** Page of a thread. */
export interface ThreadPage {
  /** Unreadable ones are left out, and told to `warn`. */
  readonly entries: readonly StoredEntry[];
  /** Position of the last entry of the page, `after` if it is empty. */
  readonly last: number;
  /** Whether there may be entries after these. */
  readonly more: boolean;
  /** With the last page: the message under way, as far as it has come. */
  readonly draft?: Message;
  /** Of a branch: ids of calls that others have, and none of its own gets. */
  readonly otherCalls?: ReadonlySet<string>;
}

/** Conditions and durability of an append. */
export interface AppendOptions {
  /** Store nothing unless this claim still holds. */
  readonly claim?: Claim;
  /** Store nothing unless this is the position of the last entry. */
  readonly ifLast?: number;
  /** Release `claim` in the same commit. */
  readonly release?: boolean;
  /** Wait until a loss of power cannot undo it. Default: as the storage is set. */
  readonly durable?: boolean;
}

/** Who has a thread. */
export interface ThreadOwner {
  readonly runId: string;
  /** As {@link Holder.id} names it. */
  readonly holder?: string;
  /** When it took the thread, in milliseconds since 1970. Absent: an earlier version took it. */
  readonly since?: number;
  /** When it gave its last sign of life, in milliseconds since 1970. */
  readonly seenAt?: number;
  /** No sign of life came for so long that another run may take the thread over. */
  readonly isSilent?: true;
}

/** Options of {@link Thread.claim}. */
export interface ClaimOptions {
  readonly runId: string;
  /** Milliseconds without renewal after which another run may take the thread over. Default 90,000. */
  readonly ttlMs?: number;
}

/**
 * The process, worker or tab that claims threads, and what it knows of others, so that nobody waits for one that has ended.
 * In Node.js: `processHolder` of `@utensil/storage-filesystem`.
 */
export interface Holder {
  /** Names it, for good: no other holder ever has this id. */
  id(): string | Promise<string>;
  /** Whether the holder with an id lives; undefined if that cannot be known here. */
  isAlive(id: string): boolean | undefined | Promise<boolean | undefined>;
}

/** A thread taken for a run. It renews itself until it is released or lost. */
export interface Claim {
  readonly runId: string;
  /** Larger than that of any claim before. */
  readonly fence: number;
  /**
   * The largest fence whose holder was replaced while it was only silent; 0: none. What was begun under that fence or an
   * earlier one may still be under way somewhere. All later holders have left the thread, or are known to have ended.
   */
  readonly lapsed: number;
  /** Fires if another run has taken the thread over, the thread was removed, or the claim could not be renewed in time. */
  readonly lost: AbortSignal;
  /** Renews the lease now. Throws `thread_taken` if the claim is lost, `thread_deleted` if the thread was removed. */
  renew(): Promise<void>;
  /** Leaves the thread to others; does nothing if the claim is lost. */
  release(): Promise<void>;
}
