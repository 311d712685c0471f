import type { Message } from '../model/message.ts';
import type { StoredEntry, ThreadEntry } from './entry.ts';

/**
 * A conversation with the state of its runs: a log that one run at a time appends to, and anybody can read.
 * `openThread` stores one in records.
 */
export interface Thread {
  readonly id: string;
  /** Reads entries in the order in which they were stored. */
  read(options?: ReadOptions): Promise<ThreadPage>;
  /**
   * Stores entries in one commit and returns the position of the last. Throws `entry_exists` if a message's id is
   * taken, `thread_changed` if `ifLast` is not the last position, `thread_taken` if the claim is lost, and
   * `thread_deleted` if the thread was removed since it was read here.
   */
  append(entries: readonly ThreadEntry[], options?: AppendOptions): Promise<number>;
  /**
   * Claims the thread for a run. Throws `thread_busy` if another run has it. An owner that was silent for `ttlMs` is
   * watched for as long again, then the thread is taken over.
   */
  claim(options: ClaimOptions): Promise<Claim>;
  /**
   * Owner of the thread; undefined if it is free, or the holder is known to have ended. Absent: cannot be determined.
   */
  owner?(): Promise<ThreadOwner | undefined>;
  /** Calls the listener after changes by any writer, possibly more than once, until the returned function is called. */
  watch(listener: () => void): () => void;
  /**
   * The thread of a run inside one of this thread's runs; removed together with it. Absent: inner runs are not stored.
   */
  child?(runId: string): Thread;
  /** Ids of the inner runs that have a thread here. Absent: unknown. */
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
  /** Entries that cannot be read are left out, and reported in `lost` and to `warn`. */
  readonly entries: readonly StoredEntry[];
  /** Position of the last entry of the page; `after` if the page is empty. */
  readonly last: number;
  /** True if more entries may follow. */
  readonly more: boolean;
  /** On the last page: the draft, if there is one. */
  readonly draft?: Message;
  /**
   * First position of each gap: entries are missing there, because their records are damaged, were removed, are of a
   * later version, or have the positions of an earlier one. Absent: no gap.
   */
  readonly lost?: readonly number[];
  /** For a branch: ids of calls in other branches, which its own calls must not reuse. */
  readonly otherCalls?: ReadonlySet<string>;
}

/** Conditions and durability of an append. */
export interface AppendOptions {
  /** Store nothing unless this claim still holds. */
  readonly claim?: Claim;
  /** Store nothing unless this is the last position. */
  readonly ifLast?: number;
  /** Release `claim` in the same commit. */
  readonly release?: boolean;
  /** Wait until the append survives a loss of power. Default: as the storage is configured. */
  readonly durable?: boolean;
}

/** Owner of a thread. */
export interface ThreadOwner {
  /** Empty if it is unknown: its record is damaged, lost or of a later version. */
  readonly runId: string;
  /** As in {@link Holder.id}. */
  readonly holder?: string;
  /** When it took the thread, in milliseconds since 1970. Absent: taken by an earlier version. */
  readonly since?: number;
  /** Time of its last heartbeat, in milliseconds since 1970. */
  readonly seenAt?: number;
  /** True if it has been silent for so long that another run may take over the thread. */
  readonly isSilent?: true;
}

/** Options of {@link Thread.claim}. */
export interface ClaimOptions {
  readonly runId: string;
  /** Milliseconds without renewal after which another run may take over the thread. Default: 90,000. */
  readonly ttlMs?: number;
}

/**
 * The process, worker or tab that claims threads, and its knowledge of other holders, so that nobody waits for a dead
 * one. In Node.js: `processHolder` of `@utensil/storage-filesystem`.
 */
export interface Holder {
  /** Globally unique id, never reused. */
  id(): string | Promise<string>;
  /** Tests whether the holder with an id is alive; undefined if that cannot be determined here. */
  isAlive(id: string): boolean | undefined | Promise<boolean | undefined>;
}

/** A thread claimed for a run. Renews itself until it is released or lost. */
export interface Claim {
  readonly runId: string;
  /** Fencing token: larger than that of any earlier claim. */
  readonly fence: number;
  /**
   * The largest fence whose holder was replaced while merely silent, or whose record was lost; 0: none. Work begun under that fence or an earlier
   * one may still be under way somewhere. All later holders have released the thread, or are known to have ended.
   */
  readonly lapsed: number;
  /** Fires if another run took over the thread, the thread was removed, or the claim could not be renewed in time. */
  readonly lost: AbortSignal;
  /** Renews the lease now. Throws `thread_taken` if the claim is lost, `thread_deleted` if the thread was removed. */
  renew(): Promise<void>;
  /** Releases the thread; does nothing if the claim is lost. */
  release(): Promise<void>;
}
