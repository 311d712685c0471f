import type { RunProblem, RunStatus } from '../../tool/run-result.ts';
import type { ToolResult, Control } from '../../tool/result.ts';
import type { Json } from '../../base/json.ts';
import type { QuestionKind } from '../../thread/question.ts';
import type { Message, ToolCallPart } from '../../model/message.ts';
import { noUsage } from '../../model/usage.ts';
import type { FinishReason, ToolChoice } from '../../model/model.ts';
import type { Usage } from '../../model/usage.ts';
import type { Effect } from '../../model/effect.ts';

import type { RunLimit, RunLimits } from '../../tool/run-limits.ts';

/** The end of a run. */
export interface RunEnd {
  readonly status: RunStatus;
  readonly limit?: RunLimit;
  readonly error?: RunProblem;
  /** What a tool ended the run with. */
  readonly value?: Json;
}

/** A call of the turn that is under way. */
export interface CallState {
  readonly call: ToolCallPart;
  readonly phase: 'preparing' | 'asking' | 'ready' | 'running' | 'done';
  readonly effects: Effect;
  /** What it waits for while it is asked about. */
  readonly question?: QuestionKind;
  /** The question is stored, so that it outlives the run. */
  readonly isAsked?: boolean;
  /** How many calls of its tool may run at once. Default: as many as calls may run at all. */
  readonly concurrency?: number;
  /** The answer that stands already, where it will not run. */
  readonly refusal?: ToolResult;
  /** The message with its result, once it is done. */
  readonly message?: Message;
  /** The thread has that message. */
  readonly isStored?: boolean;
  /** What its tool makes of the run. */
  readonly control?: Control;
}

/** A message of the model whose calls are under way. */
export interface CallingTurn {
  /** As far as it came. */
  readonly message: Message;
  /** In call order; no two have the same id. */
  readonly calls: readonly CallState[];
  /** It is still being streamed: more calls may come. */
  readonly isOpen: boolean;
  /** How many of its calls the message has that is stored; 0: none is. */
  readonly stored: number;
}

/** An attempt at a turn. */
export interface Attempt {
  /** Which model is asked: 0 is the run's own, and its fallback follows. */
  readonly model: number;
  /** Attempts at this model before, for this turn. */
  readonly retry: number;
  /** Attempts at any model before, for this turn: they failed. */
  readonly failed: number;
}

/** Calls that go on in the background. */
export interface DetachedCalls {
  /** Those without their result. */
  readonly pending: readonly string[];
  /** Messages with results, which go in before the next turn. */
  readonly late: readonly Message[];
  /** The model has answered, and nothing is left to do but wait for them. */
  readonly isResting: boolean;
}

/** Everything that decides what happens next. Plain data. */
export interface RunState {
  readonly limits: RunLimits;
  readonly toolChoice: ToolChoice;
  /** The arranged history, and what the run added; without the turn that is under way. */
  readonly messages: readonly Message[];
  readonly turn?: CallingTurn | undefined;
  readonly steps: number;
  readonly usage: Usage;
  /** Set once a limit is reached. */
  readonly limit?: RunLimit | undefined;
  /** At a limit the user is asked whether the run goes on. */
  readonly asksAtLimit: boolean;
  /** How many steps the run had taken when the user last let it go on: the limit counts from there. */
  readonly fromStep: number;
  /** The model was told that this is its last turn. */
  readonly isLastTurn: boolean;
  readonly isTimeOver: boolean;
  readonly isStopping: boolean;
  /** Ends as soon as it only waits for answers. */
  readonly isParking: boolean;
  /** Calls that run, and only wait for answers: they can be taken up again. */
  readonly suspended: readonly string[];
  /** How the run ends once the calls under way are answered. */
  readonly ending?: RunEnd | undefined;
  /** Messages of the user that go in before the next turn. */
  readonly waiting: readonly Message[];
  /** Absent: no call goes on in the background. */
  readonly detached?: DetachedCalls | undefined;
  /** One of them dismisses what is asked: until it is in, nothing more is asked about calls. */
  readonly hasMovedOn: boolean;
  /** The user moved on while this run was inside another: nothing more is asked about its calls. */
  readonly isDismissed: boolean;
  /** The turn before was cut off inside a call. */
  readonly wasCutOff: boolean;
  /** How many turns in a row only repeated what was called before. */
  readonly repeatedTurns: number;
  /** How much of the history requests leave out: 0 nothing, and more each time the prompt was too long. */
  readonly shrink: number;
  /** How many models may be asked, one after the other: the run's own, and its fallback. */
  readonly models: number;
  readonly attempt: Attempt;
  /** The next attempt is due once a while has passed. */
  readonly isRetrying: boolean;
  /** What came of an attempt that failed: kept if none succeeds. */
  readonly half?: Message | undefined;
  /** The tool that a structured answer is given with, where one is asked for. */
  readonly answerTool?: string;
  /** The model was made to give its structured answer. */
  readonly wasForced: boolean;
  readonly end?: RunEnd | undefined;
}

/** A turn broke off, or was refused. */
export interface TurnFailed {
  readonly type: 'turn-failed';
  readonly problem: RunProblem;
  /** What had come of it. */
  readonly message?: Message;
  /** The same request may succeed in a moment. */
  readonly isPassing?: boolean;
  /** As long as the server asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** What happened. */
export type RunInput =
  | { readonly type: 'begin' }
  /** A call is complete while its turn is still being streamed; `message`: the turn so far. */
  | { readonly type: 'call'; readonly call: ToolCallPart; readonly message: Message }
  | {
      readonly type: 'turn';
      readonly message: Message;
      readonly reason: FinishReason;
      readonly usage: Usage;
      readonly detail?: string;
    }
  | TurnFailed
  /** The time before the next attempt at a turn has passed; `failed`: that of the attempt. */
  | { readonly type: 'retry-due'; readonly failed: number }
  | {
      readonly type: 'prepared';
      readonly call: ToolCallPart;
      readonly effects: Effect;
      readonly concurrency?: number;
      readonly verdict: Verdict;
    }
  /** The question about a call is stored, and waits for its answer. */
  | { readonly type: 'asked'; readonly callId: string }
  /** `changed`: the call as the user wants it. */
  | {
      readonly type: 'approved';
      readonly callId: string;
      readonly changed?: { readonly call: ToolCallPart; readonly effects: Effect };
    }
  /** There is not enough left for the turn that was to be asked for. */
  | { readonly type: 'limit-reached'; readonly limit: RunLimit }
  | { readonly type: 'limit-answered'; readonly goesOn: boolean }
  /** The user wrote something while the run is under way. */
  | { readonly type: 'send'; readonly message: Message; readonly keepsQuestions?: boolean }
  /** The user wrote something after the end, and before that was told. */
  | { readonly type: 'reopen'; readonly messages: readonly Message[] }
  /** The user turned to something else: what they are asked counts as not approved. */
  | { readonly type: 'dismiss' }
  /** The call has its result, whoever gave it. */
  | { readonly type: 'result'; readonly callId: string; readonly message: Message; readonly result: ToolResult }
  /** The user cancels one call. */
  | { readonly type: 'cancel'; readonly callId: string; readonly reason?: string | undefined }
  /** A call that was run again does something else than before: the user is asked what is to become of it. */
  | { readonly type: 'diverged'; readonly callId: string }
  /** A call that went on in the background has its result. */
  | { readonly type: 'late-result'; readonly callId: string; readonly message: Message }
  /** Calls in the background have taken so long that the run is not to wait for them here. */
  | { readonly type: 'rest-over' }
  /** A run inside this one has taken this much. */
  | { readonly type: 'spent'; readonly usage: Usage }
  /** The turn as far as it came: it is long, and is stored now and then. */
  | { readonly type: 'draft'; readonly message: Message }
  /** What a tool calls is about to change something: the turn so far is to be stored, if it is still being streamed. */
  | { readonly type: 'store' }
  /** `message`: what came of the turn that is being streamed. */
  | { readonly type: 'time-over'; readonly message?: Message }
  | { readonly type: 'stop' }
  /** `isDue`: nobody has answered for so long that the run is not to wait here. */
  | { readonly type: 'park'; readonly isDue: boolean; readonly suspended: readonly string[] }
  /** `message`: what came of the turn that is cut short. */
  | { readonly type: 'abort'; readonly message?: Message }
  | { readonly type: 'failed'; readonly problem: RunProblem };

/** What is to become of a prepared call: it runs, a question is asked, or its answer stands already. */
export type Verdict = 'allow' | Ask | { readonly result: ToolResult };

/** A question about a call, and what people are told of its reason. */
export interface Ask {
  readonly ask: QuestionKind;
  readonly reason?: string;
  /** No answer to it counts for later calls. */
  readonly eachTime?: boolean;
}

/** What is to be done. */
export type RunEffect =
  | {
      readonly type: 'call-model';
      readonly messages: readonly Message[];
      readonly toolChoice: ToolChoice;
      /** As in {@link RunState.shrink}. */
      readonly shrink: number;
      readonly attempt: Attempt;
      readonly lastTurn?: RunLimit;
      /** What the model is told behind the history, in this request alone. */
      readonly note?: string;
    }
  /** Tells of a failed attempt at a turn, and of the next one; waits for as long as the server asks, or a little longer each time. */
  | {
      readonly type: 'retry-turn';
      readonly attempt: Attempt;
      readonly problem: RunProblem;
      readonly retryAfterMs?: number | undefined;
    }
  | { readonly type: 'prepare-call'; readonly call: ToolCallPart; readonly wasCutOff: boolean }
  | { readonly type: 'ask'; readonly call: ToolCallPart; readonly question: QuestionKind }
  | { readonly type: 'execute-call'; readonly call: ToolCallPart }
  /** Gives a call its result without running it. */
  | { readonly type: 'settle-call'; readonly call: ToolCallPart; readonly result: ToolResult }
  /** Nothing is left to do but wait for calls in the background. */
  | { readonly type: 'rest' }
  | { readonly type: 'cancel-calls' }
  /** Gives up on a call that runs: its result comes at once, whatever its tool does. */
  | { readonly type: 'cancel-call'; readonly callId: string; readonly reason?: string | undefined }
  /** Leaves calls that run, to be taken up again; done before the effects behind it. */
  | { readonly type: 'leave-calls'; readonly callIds: readonly string[] }
  /** Asks whether the run goes on for as much again. */
  | { readonly type: 'ask-limit'; readonly limit: RunLimit }
  /**
   * Stores a message, in place of an earlier one of the same id; done before the effects behind it. A draft is of a turn
   * that is still being streamed, and without calls that have begun.
   */
  | { readonly type: 'append'; readonly message: Message; readonly isDraft?: boolean }
  | { readonly type: 'end'; readonly end: RunEnd };

/** The state that follows, and what is to be done. */
export interface Step {
  readonly state: RunState;
  readonly effects: readonly RunEffect[];
}

/** A step that is being made: its state is a copy, which changes as a whole or in parts, and its effects come in their order. */
export interface Draft {
  readonly state: { -readonly [Name in keyof RunState]: RunState[Name] };
  readonly effects: RunEffect[];
}

/** The state of a run that has not begun. */
export function initialState(
  start: Pick<RunState, 'limits' | 'toolChoice' | 'messages'> & Partial<RunState>,
): RunState {
  return {
    steps: 0,
    usage: noUsage,
    isLastTurn: false,
    isTimeOver: false,
    isStopping: false,
    isParking: false,
    suspended: [],
    waiting: [],
    hasMovedOn: false,
    isDismissed: false,
    wasCutOff: false,
    repeatedTurns: 0,
    shrink: 0,
    wasForced: false,
    models: 1,
    attempt: { model: 0, retry: 0, failed: 0 },
    isRetrying: false,
    asksAtLimit: false,
    fromStep: 0,
    ...start,
  };
}
