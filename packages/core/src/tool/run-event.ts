import type { ToolResult } from './result.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Message } from '../model/message.ts';
import type { FinishReason, ModelInfo, ModelPart } from '../model/model.ts';
import type { SettingName } from '../model/request-settings.ts';
import type { Usage } from '../model/usage.ts';
import type { Effect } from '../model/effect.ts';
import type { RunLimit } from './run-limits.ts';
import type { RunProblem, RunStatus } from './run-result.ts';

/** The run begins. Always the first event. */
export interface RunStart {
  readonly type: 'run-start';
}

/** A turn of the model begins. */
export interface StepStart {
  readonly type: 'step-start';
  /** From 1. */
  readonly step: number;
  /** The recipient of the question. */
  readonly model: Pick<ModelInfo, 'api' | 'id'>;
}

/**
 * A turn of the model failed, and is asked for again: what was streamed of it does not count. A `step-start` of the same
 * step follows.
 */
export interface StepRetry {
  readonly type: 'step-retry';
  readonly step: number;
  /** Attempts at this turn that failed, from 1. */
  readonly attempt: number;
  /** Until the next attempt, in milliseconds. */
  readonly waitMs: number;
  readonly error: RunProblem;
  /** The recipient of the next attempt: the same model, or the next in `fallback`. */
  readonly model: Pick<ModelInfo, 'api' | 'id'>;
}

/** A turn of the model is over. Calls of it may have begun, and ended, before. */
export interface StepEnd {
  readonly type: 'step-end';
  readonly step: number;
  readonly reason: FinishReason;
  readonly usage: Usage;
}

/** A tool is on and cannot be used: the model is not told of it. Once a run for each tool and reason. */
export interface ToolUnavailable {
  readonly type: 'tool-unavailable';
  readonly name: string;
  /** For people. */
  readonly reason: string;
}

/** The model has no field for a setting of the run, or for options of a part: it is asked without. Once a run for each setting and model. */
export interface SettingIgnored {
  readonly type: 'setting-ignored';
  readonly setting: SettingName | 'providerOptions';
  readonly model: Pick<ModelInfo, 'api' | 'id'>;
  /** For people. */
  readonly reason: string;
}

/** The tools are others than with the turn before, or than those that the run had before it was interrupted. */
export interface ToolsChanged {
  readonly type: 'tools-changed';
  readonly added: readonly string[];
  /** Of a run that goes on after an interruption: those that it has called. */
  readonly removed: readonly string[];
  /** They have another definition. */
  readonly changed: readonly string[];
  /** Whether requests begin as before: if not, what providers have cached of them is lost. */
  readonly prefix: 'kept' | 'broken';
}

/** A call begins to run. */
export interface ToolStart {
  readonly type: 'tool-start';
  readonly callId: string;
  readonly name: string;
  /** As it runs: after repair. */
  readonly input: JsonObject;
  readonly title: string;
  readonly icon?: string;
  readonly effects: Effect;
  readonly repairs: readonly string[];
  /** The call whose tool made this one. */
  readonly parentCallId?: string;
}

/** A tool tells how far it is. */
export interface ToolProgress {
  readonly type: 'tool-progress';
  readonly callId: string;
  readonly progress: Json;
}

/**
 * A call has its result, and it is stored: it ran, or it was refused, denied or cancelled (then there was no `tool-start`).
 * A call that a tool made is no message, and not stored.
 */
export interface ToolEnd {
  readonly type: 'tool-end';
  readonly callId: string;
  readonly name: string;
  /** The call whose tool made this one. */
  readonly parentCallId?: string;
  readonly result: ToolResult;
  /** 0 where it did not run. */
  readonly durationMs: number;
  /** It ran before an interruption: its tool was run again and has got that result. There was no `tool-start`. */
  readonly replayed?: true;
}

/** A tool returned after its time was over, while the run went on: what it returned is discarded. */
export interface ToolLate {
  readonly type: 'tool-late';
  readonly callId: string;
  readonly name: string;
}

/** A call that is asked about. */
export interface AskedCall {
  /** For `run.answer(questionId, …)` and `answerQuestion`. */
  readonly questionId: string;
  readonly callId: string;
  readonly name: string;
  readonly input: JsonObject;
  readonly title: string;
  /** Not `destructive` if the preview shows that all of it can be undone. */
  readonly effects: Effect;
  /** Why it is asked, in one sentence for people: the rule that decided. */
  readonly reason?: string;
  /** Names of the answers that are possible, see `Question`. Absent: all of its kind. */
  readonly answers?: readonly string[];
  /** Outside content that the run has read, by tool and file, and that may have led to the call. Absent where there is none. */
  readonly taintedBy?: readonly string[];
  /** The call whose tool made this one. */
  readonly parentCallId?: string;
  /** Names of those who may answer. Absent: everybody. */
  readonly answerers?: readonly string[];
  /** Milliseconds since 1970; an answer that comes later is refused. */
  readonly expiresAt?: number;
}

/** The answer to a question. */
export interface AnswerGiven {
  readonly questionId: string;
  readonly callId: string;
  /** Who gave it, if they were named. */
  readonly by?: string;
}

/** The user is asked whether a call may run: `run.answer(questionId, 'once' | 'run' | 'always' | 'deny' | { input })`. */
export interface ApprovalRequest extends AskedCall {
  readonly type: 'approval-request';
  /** What it would do, where its tool says that: a {@link Preview}, or any JSON of the tool's. */
  readonly preview?: Json;
}

/** The user answered. */
export interface ApprovalAnswer extends AnswerGiven {
  readonly type: 'approval-answer';
  /** `once`, `run`, `always`, `deny`, or `input` for another input. */
  readonly answer: string;
}

/**
 * A permission that is stored does not count, as it may not be the user's word: the call is asked about as if there were none.
 * Or one that was just given cannot be stored: it counts for this run alone.
 */
export interface PermissionIgnored {
  readonly type: 'permission-ignored';
  readonly callId: string;
  readonly name: string;
  /** For people: the end of a sentence about the permission. */
  readonly reason: string;
}

/** The client is to answer a call of a tool that has no `execute`: `run.answer(questionId, { output } | 'deny')`. */
export interface InputRequest extends AskedCall {
  readonly type: 'input-request';
  /** What the client needs to answer, if the tool says that: an address to visit, or any JSON of the tool's. */
  readonly preview?: Json;
}

/** The client answered. */
export interface InputAnswer extends AnswerGiven {
  readonly type: 'input-answer';
  /** `output` or `deny`. */
  readonly answer: string;
}

/** A call had begun before an interruption and may have taken effect: `run.answer(questionId, 'accept' | 'reject' | 'again')`. */
export interface RecoveryRequest extends AskedCall {
  readonly type: 'recovery-request';
}

/** The user said what is to become of it. */
export interface RecoveryAnswer extends AnswerGiven {
  readonly type: 'recovery-answer';
  /** `accept`, `reject` or `again`. */
  readonly answer: string;
}

/** Something happened in a run that a tool began inside this one. */
export interface SubRunEvent {
  readonly type: 'sub-run';
  /** The call whose tool began it. */
  readonly callId: string;
  readonly event: RunEvent;
}

/** A message is part of the thread now: the user's, a turn's, or a result. One of the same id replaces it. Drafts of a turn are not told. */
export interface MessageAdded {
  readonly type: 'message';
  readonly message: Message;
}

/** A limit is reached: the last turn follows. */
export interface LimitReached {
  readonly type: 'limit';
  readonly limit: RunLimit;
}

/** Something failed. The run goes on unless `run-end` follows. */
export interface RunError {
  readonly type: 'error';
  readonly error: RunProblem;
}

/** The run is over. Always the last event. */
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
 * What happened in a run, which, and when. A run that goes on in another process has a larger `fence` there, and its `seq`
 * counts from 0 without a gap again: together, they are the position of an event.
 */
export type RunEvent = RunEventBody & {
  readonly runId: string;
  /** That of the run's claim on its thread. Absent without a thread. */
  readonly fence?: number;
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly time: number;
};
