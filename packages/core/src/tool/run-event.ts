import type { ToolResult } from './result.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Message } from '../model/message.ts';
import type { FinishReason, ModelInfo, ModelPart } from '../model/model.ts';
import type { SettingName } from '../model/request-settings.ts';
import type { Usage } from '../model/usage.ts';
import type { Effect } from '../model/effect.ts';
import type { RunLimit } from './run-limits.ts';
import type { RunProblem, RunStatus } from './run-result.ts';

/** The run has begun. Always the first event. */
export interface RunStart {
  readonly type: 'run-start';
}

/** A turn of the model begins. */
export interface StepStart {
  readonly type: 'step-start';
  /** From 1. */
  readonly step: number;
  /** The model that is asked. */
  readonly model: Pick<ModelInfo, 'api' | 'id'>;
}

/**
 * A turn of the model failed and will be retried; what was streamed of it does not count. A `step-start` of the same
 * step follows.
 */
export interface StepRetry {
  readonly type: 'step-retry';
  readonly step: number;
  /** Number of failed attempts at this turn, from 1. */
  readonly attempt: number;
  /** Delay until the next attempt, in milliseconds. */
  readonly waitMs: number;
  readonly error: RunProblem;
  /** The model of the next attempt: the same one, or the next in `fallback`. */
  readonly model: Pick<ModelInfo, 'api' | 'id'>;
}

/** A turn of the model is over. Its calls may have begun, and ended, before. */
export interface StepEnd {
  readonly type: 'step-end';
  readonly step: number;
  readonly reason: FinishReason;
  readonly usage: Usage;
}

/** An enabled tool cannot be used; the model is not told about it. Once per run for each tool and reason. */
export interface ToolUnavailable {
  readonly type: 'tool-unavailable';
  readonly name: string;
  /** For people. */
  readonly reason: string;
}

/**
 * The model does not support a setting of the run, or options of a part, so the request omits it. Once per run for each
 * setting and model.
 */
export interface SettingIgnored {
  readonly type: 'setting-ignored';
  readonly setting: SettingName | 'providerOptions';
  readonly model: Pick<ModelInfo, 'api' | 'id'>;
  /** For people. */
  readonly reason: string;
}

/** The tools differ from those of the previous turn, or from those before the run was interrupted. */
export interface ToolsChanged {
  readonly type: 'tools-changed';
  readonly added: readonly string[];
  /** After an interruption, only tools that the run has called. */
  readonly removed: readonly string[];
  /** Tools with a changed definition. */
  readonly changed: readonly string[];
  /** True if requests still begin with the same prefix; if not, providers' prompt caches are lost. */
  readonly prefix: 'kept' | 'broken';
}

/** A call has begun to run. */
export interface ToolStart {
  readonly type: 'tool-start';
  readonly callId: string;
  readonly name: string;
  /** Input as executed, after repair. */
  readonly input: JsonObject;
  readonly title: string;
  readonly icon?: string;
  readonly effects: Effect;
  readonly repairs: readonly string[];
  /** Id of the call whose tool made this call. */
  readonly parentCallId?: string;
}

/** A tool reports progress. */
export interface ToolProgress {
  readonly type: 'tool-progress';
  readonly callId: string;
  readonly progress: Json;
}

/**
 * A call has a result, which is stored: it ran, or was refused, denied or cancelled (then there was no `tool-start`).
 * The result of an inner call is neither a message nor stored.
 */
export interface ToolEnd {
  readonly type: 'tool-end';
  readonly callId: string;
  readonly name: string;
  /** Id of the call whose tool made this call. */
  readonly parentCallId?: string;
  readonly result: ToolResult;
  /** 0 if it did not run. */
  readonly durationMs: number;
  /**
   * True if it ran before an interruption and its result was returned again to the replayed tool. There was no
   * `tool-start`.
   */
  readonly replayed?: true;
}

/** A tool returned after its time limit while the run went on; its result is discarded. */
export interface ToolLate {
  readonly type: 'tool-late';
  readonly callId: string;
  readonly name: string;
}

/** A call that a question is about. */
export interface AskedCall {
  /** For `run.answer(questionId, …)` and `answerQuestion`. */
  readonly questionId: string;
  readonly callId: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly title: string;
  /** Not `destructive` if the preview shows that all of it can be undone. */
  readonly effects: Effect;
  /** Reason for the question: the rule that decided, in one sentence for people. */
  readonly reason?: string;
  /** Names of the possible answers, see `Question`. Absent: all of its kind. */
  readonly answers?: readonly string[];
  /** Outside content read by the run that may have led to the call, by tool and file. Absent if there is none. */
  readonly taintedBy?: readonly string[];
  /** Id of the call whose tool made this call. */
  readonly parentCallId?: string;
  /** Names of the people who may answer. Absent: everybody. */
  readonly answerers?: readonly string[];
  /** Expiry, in milliseconds since 1970; a later answer is refused. */
  readonly expiresAt?: number;
}

/** The answer to a question. */
export interface AnswerGiven {
  readonly questionId: string;
  readonly callId: string;
  /** Name of the person who answered, if given. */
  readonly by?: string;
}

/** Asks the user to approve a call: `run.answer(questionId, 'once' | 'run' | 'always' | 'deny' | { input })`. */
export interface ApprovalRequest extends AskedCall {
  readonly type: 'approval-request';
  /** Preview of the call, if its tool provides one: a {@link Preview}, or any other JSON. */
  readonly preview?: Json;
}

/** The user answered an approval. */
export interface ApprovalAnswer extends AnswerGiven {
  readonly type: 'approval-answer';
  /** `once`, `run`, `always`, `deny`, or `input` for a changed input. */
  readonly answer: string;
}

/**
 * A stored grant is ignored, because it may not come from the user: the call is asked about as if there were none. Or a
 * new grant could not be stored: it counts for this run only.
 */
export interface PermissionIgnored {
  readonly type: 'permission-ignored';
  readonly callId: string;
  readonly name: string;
  /** For people: the end of a sentence about the grant. */
  readonly reason: string;
}

/** Asks the client for the output of a tool without `execute`: `run.answer(questionId, { output } | 'deny')`. */
export interface InputRequest extends AskedCall {
  readonly type: 'input-request';
  /** Data that the client needs to answer, if the tool provides it: a URL to visit, or any other JSON. */
  readonly preview?: Json;
}

/** The client answered. */
export interface InputAnswer extends AnswerGiven {
  readonly type: 'input-answer';
  /** `output` or `deny`. */
  readonly answer: string;
}

/**
 * Asks about a call that had begun before an interruption and may have taken effect: `run.answer(questionId, 'accept' |
 * 'reject' | 'again')`.
 */
export interface RecoveryRequest extends AskedCall {
  readonly type: 'recovery-request';
}

/** The user decided about an interrupted call. */
export interface RecoveryAnswer extends AnswerGiven {
  readonly type: 'recovery-answer';
  /** `accept`, `reject` or `again`. */
  readonly answer: string;
}

/** An event of a run that a tool began inside this one. */
export interface SubRunEvent {
  readonly type: 'sub-run';
  /** Id of the call whose tool began it. */
  readonly callId: string;
  readonly event: RunEvent;
}

/**
 * A message was added to the thread: a user's, a turn's, or a result. It replaces one with the same id. Drafts are not
 * reported.
 */
export interface MessageAdded {
  readonly type: 'message';
  readonly message: Message;
}

/** A limit is reached; the last turn follows. */
export interface LimitReached {
  readonly type: 'limit';
  readonly limit: RunLimit;
}

/** Something failed. The run continues unless `run-end` follows. */
export interface RunError {
  readonly type: 'error';
  readonly error: RunProblem;
}

/** The run has ended. Always the last event. */
export interface RunEnded {
  readonly type: 'run-end';
  readonly status: RunStatus;
}

/** An event of a run, without its envelope. */
export type RunEventBody =
  | RunStart
  | StepStart
  | ModelPart
  | StepRetry
  | StepEnd
  | ToolUnavailable
  | SettingIgnored
  | ToolsChanged
  | ToolStart
  | ToolProgress
  | ToolEnd
  | ToolLate
  | ApprovalRequest
  | ApprovalAnswer
  | PermissionIgnored
  | InputRequest
  | InputAnswer
  | RecoveryRequest
  | RecoveryAnswer
  | SubRunEvent
  | MessageAdded
  | LimitReached
  | RunError
  | RunEnded;

/**
 * An event of a run with its envelope. If the run continues in another process, `fence` is larger there, and `seq`
 * starts again from 0 without gaps: together they are the position of an event.
 */
export type RunEvent = RunEventBody & {
  readonly runId: string;
  /** Fence of the run's claim on its thread. Absent without a thread. */
  readonly fence?: number;
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly time: number;
};
