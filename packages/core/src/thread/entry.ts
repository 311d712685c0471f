import type { Json } from '../base/json.ts';
import type { Message, ToolCallPart, ToolResultPart } from '../model/message.ts';
import type { Question, QuestionAnswer } from './question.ts';

/** An entry of a thread. */
export type ThreadEntry =
  | MessageEntry
  | RevisionEntry
  | DraftEntry
  | CallEntry
  | QuestionEntry
  | AnswerEntry
  | RunEntry
  | CancelEntry
  | CompactionEntry
  | InnerResultEntry
  | InnerRunEntry;

/**
 * A message. Ids are unique: an append throws `entry_exists` if the thread has a complete message with this id; an
 * incomplete one is replaced.
 */
export interface MessageEntry {
  readonly type: 'message';
  readonly message: Message;
}

/** A new form of a stored message. It keeps its position. */
export interface RevisionEntry {
  readonly type: 'revision';
  readonly message: Message;
}

/**
 * Current state of a message that is being streamed. A thread has one draft; the next replaces it, and its message
 * removes it. If another message comes instead, the draft is kept as a message before it.
 */
export interface DraftEntry {
  readonly type: 'draft';
  readonly message: Message;
}

/** An event of a call that has no result yet. */
export interface CallEntry {
  /** `begun`: the call may have taken effect. Otherwise the user has allowed it. */
  readonly type: 'call-begun' | 'call-approved';
  readonly callId: string;
  readonly runId: string;
  /** Fence of the claim under which the call began. */
  readonly fence?: number;
  /** Input with which it was begun or allowed. */
  readonly toolFingerprint?: string;
  /** The call itself, if a loss of power may take its message but not this entry. */
  readonly call?: ToolCallPart;
  /**
   * Replay state of a `replayable` tool's call. `logged`: its inner calls are logged. `afresh`: earlier log entries no
   * longer count. `never`: the tool itself changes something from here on, so it cannot be replayed.
   */
  readonly replay?: 'logged' | 'afresh' | 'never';
  /** Seal of an approval: proves that the app stored it. See `hmacSeals`. */
  readonly seal?: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** A question that is open until its call has a result. */
export interface QuestionEntry extends Question {
  readonly type: 'question';
  /** Proves that the app asked it. See `hmacSeals`. */
  readonly seal?: string;
}

/** An answer to a question. The first valid one in log order counts. */
export interface AnswerEntry {
  readonly type: 'answer';
  readonly questionId: string;
  /** `closed`: no answer is awaited any more. */
  readonly answer: QuestionAnswer | 'closed';
  /** The person who answered, as named by the host. */
  readonly by?: string;
  /** Proves that the app stored it. See `hmacSeals`. */
  readonly seal?: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** A run begins, parks, or ends. */
export interface RunEntry {
  readonly type: 'run-begun' | 'run-parked' | 'run-ended';
  readonly runId: string;
  /** `RunStatus` of a parked or ended run. */
  readonly status?: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Cancellation of a background call. */
export interface CancelEntry {
  readonly type: 'cancelled';
  readonly callId: string;
  /** Reason, for the model. */
  readonly reason?: string;
  /** The person who cancelled it, as named by the host. */
  readonly by?: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** From here on, requests leave out everything before a message. */
export interface CompactionEntry {
  readonly type: 'compacted';
  /** Id of the first message that requests keep. */
  readonly before: string;
  /** Summary of the omitted part, for the model. */
  readonly summary?: string;
  readonly runId: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Result of an inner call of a `replayable` tool, returned again if the tool is replayed. */
export interface InnerResultEntry {
  readonly type: 'inner-result';
  /** Id of the outer call. */
  readonly parentCallId: string;
  /** Id, name and result of the inner call, as the tool received them. */
  readonly result: ToolResultPart;
  /** Value with which the inner call ended the run, if it did. */
  readonly ends?: { readonly value: Json };
  /** Fingerprint of the input passed by the tool. */
  readonly inputHash: string;
  /** True if it may have changed something. */
  readonly isEffect: boolean;
  readonly runId: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/**
 * From here on, a run inside a call of a `replayable` tool may change something. Its own thread records what it did:
 * after an interruption the tool runs again, and if it begins the same run, that run continues.
 */
export interface InnerRunEntry {
  readonly type: 'inner-run';
  /** Id of the call whose tool began the run. */
  readonly parentCallId: string;
  readonly innerRunId: string;
  readonly runId: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** An entry with its position in the log. */
export interface StoredEntry {
  /** From 1; 0 for entries about calls in threads of version 0.1, which were stored separately. */
  readonly position: number;
  readonly entry: Exclude<ThreadEntry, DraftEntry>;
}
