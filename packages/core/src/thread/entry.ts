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
 * A message. Its id is its own: an append throws `entry_exists` if the thread has a message of that id, unless that one is
 * incomplete; then the message takes its place.
 */
export interface MessageEntry {
  readonly type: 'message';
  readonly message: Message;
}

/** A message in another form than it was stored before. It stays in its place. */
export interface RevisionEntry {
  readonly type: 'revision';
  readonly message: Message;
}

/**
 * A message as far as it has come. A thread has one draft: the next one takes its place, and it is gone once its message
 * is there. If another message comes instead, the draft becomes a message before it.
 */
export interface DraftEntry {
  readonly type: 'draft';
  readonly message: Message;
}

/** An event of a call before it had its result. */
export interface CallEntry {
  /** It may have taken effect from here on, or the user has allowed it. */
  readonly type: 'call-begun' | 'call-approved';
  readonly callId: string;
  readonly runId: string;
  /** Of a call that begins: that of the claim under which it did. */
  readonly fence?: number;
  /** What it was begun or allowed with. */
  readonly toolFingerprint?: string;
  /** The call itself, where its message may be lost with the power and this entry is not. */
  readonly call?: ToolCallPart;
  /**
   * Of a `replayable` tool that begins. `logged`: its inner calls are logged. `afresh`: those logged before no longer count.
   * `never`: the tool itself changes something from here on, so it cannot be replayed.
   */
  readonly replay?: 'logged' | 'afresh' | 'never';
  /** Of an approval: proves that the app stored it. See `hmacSeals`. */
  readonly seal?: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** A question that waits for an answer, until its call has a result. */
export interface QuestionEntry extends Question {
  readonly type: 'question';
  /** Proves that the app asked it. See `hmacSeals`. */
  readonly seal?: string;
}

/** An answer to a question. The first valid one in the order of the log counts. */
export interface AnswerEntry {
  readonly type: 'answer';
  readonly questionId: string;
  /** `closed`: nobody waits for one any more. */
  readonly answer: QuestionAnswer | 'closed';
  /** Who gave it, as the host knows them. */
  readonly by?: string;
  /** Proves that the app stored it. See `hmacSeals`. */
  readonly seal?: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** A run begins, waits for answers without a process, or is over. */
export interface RunEntry {
  readonly type: 'run-begun' | 'run-parked' | 'run-ended';
  readonly runId: string;
  /** `RunStatus` of a run that parked or ended. */
  readonly status?: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Nobody wants the result of a call any more that goes on in the background. */
export interface CancelEntry {
  readonly type: 'cancelled';
  readonly callId: string;
  /** Told to the model. */
  readonly reason?: string;
  /** Who cancelled it, as the host knows them. */
  readonly by?: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Requests leave out what was before a message, from here on. */
export interface CompactionEntry {
  readonly type: 'compacted';
  /** The id of the first message that is not left out. */
  readonly before: string;
  /** What the model is told of what is left out. */
  readonly summary?: string;
  readonly runId: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Result of a call that a `replayable` tool made, returned again if the tool is replayed. */
export interface InnerResultEntry {
  readonly type: 'inner-result';
  /** The call whose tool made this one. */
  readonly parentCallId: string;
  /** The call id of the inner call, its name and its result, as the tool got them. */
  readonly result: ToolResultPart;
  /** Value with which the inner call asked to end the run. */
  readonly ends?: { readonly value: Json };
  /** Fingerprint of the input that the tool passed. */
  readonly inputHash: string;
  /** Whether it may have changed something. */
  readonly isEffect: boolean;
  readonly runId: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/**
 * A run inside a call of a `replayable` tool may change something from here on. Its own thread says what it did: the tool
 * is run again after an interruption if it begins the same run again, which goes on there.
 */
export interface InnerRunEntry {
  readonly type: 'inner-run';
  /** The call whose tool began the run. */
  readonly parentCallId: string;
  readonly innerRunId: string;
  readonly runId: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** An entry with its place in the log of its thread. */
export interface StoredEntry {
  /** From 1; 0 for entries about calls in threads of version 0.1, which kept them apart. */
  readonly position: number;
  readonly entry: Exclude<ThreadEntry, DraftEntry>;
}
