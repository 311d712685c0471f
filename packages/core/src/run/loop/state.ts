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
  /** Value with which a tool ended the run. */
  readonly value?: Json;
}

/** A call of the turn that is under way. */
export interface CallState {
  readonly call: ToolCallPart;
  readonly phase: 'preparing' | 'asking' | 'ready' | 'running' | 'done';
  readonly effects: Effect;
  /** Kind of its open question. */
  readonly question: QuestionKind | undefined;
  /** The question is stored, so that it outlives the run. */
  readonly isAsked: boolean;
  /** Maximum number of concurrent calls of its tool. Default: the run's. */
  readonly concurrency: number | undefined;
  /** The answer that stands already, where it will not run. */
  readonly refusal: ToolResult | undefined;
  /** The message with its result, once it is done. */
  readonly message: Message | undefined;
  /** The thread has that message. */
  readonly isStored: boolean;
  /** Effect of its tool on the run. */
  readonly control: Control | undefined;
}

/** A message of the model whose calls are under way. */
export interface CallingTurn {
  /** The message so far. */
  readonly message: Message;
  /** In call order; no two have the same id. */
  readonly calls: readonly CallState[];
  /** It is still being streamed: more calls may come. */
  readonly isOpen: boolean;
  /** Number of calls in the stored message; 0: it is not stored. */
  readonly stored: number;
}

/** An attempt at a turn. */
export interface Attempt {
  /** Index of the model: 0 is the run's own, and its fallback follows. */
  readonly model: number;
  /** Attempts at this model before, for this turn. */
  readonly retry: number;
  /** Attempts at any model before, for this turn: they failed. */
  readonly failed: number;
}

/** Background calls. */
export interface DetachedCalls {
  /** Ids of calls without a result. */
  readonly pending: readonly string[];
  /** Messages with results, which go in before the next turn. */
  readonly late: readonly Message[];
  /** The model has answered, and nothing is left to do but wait for them. */
  readonly isResting: boolean;
}

/** The complete state that determines the next step. Plain data. */
export interface RunState {
  readonly limits: RunLimits;
  readonly toolChoice: ToolChoice;
  /** The arranged history, and messages of the run; without the current turn. */
  readonly messages: readonly Message[];
  readonly turn?: CallingTurn | undefined;
  readonly steps: number;
  readonly usage: Usage;
  /** Set once a limit is reached. */
  readonly limit?: RunLimit | undefined;
  /** At a limit the user is asked whether the run goes on. */
  readonly asksAtLimit: boolean;
  /** Number of steps when the user last extended the run: the limit counts from there. */
  readonly fromStep: number;
  /** The model was told that this is its last turn. */
  readonly isLastTurn: boolean;
  readonly isTimeOver: boolean;
  readonly isStopping: boolean;
  /** Ends as soon as it only waits for answers. */
  readonly isParking: boolean;
  /** Calls that run, and only wait for answers: they can be taken up again. */
  readonly suspended: readonly string[];
  /** End of the run once its current calls are answered. */
  readonly ending?: RunEnd | undefined;
  /** Messages of the user that go in before the next turn. */
  readonly waiting: readonly Message[];
  /** Absent: no call runs in the background. */
  readonly detached?: DetachedCalls | undefined;
  /** One of them dismisses what is asked: until it is in, nothing more is asked about calls. */
  readonly hasMovedOn: boolean;
  /** The user moved on while this run was inside another: nothing more is asked about its calls. */
  readonly isDismissed: boolean;
  /** The previous turn was truncated inside a call. */
  readonly wasCutOff: boolean;
  /** Number of consecutive turns that only repeated earlier calls. */
  readonly repeatedTurns: number;
  /** Degree to which requests leave out history: 0 is nothing, and it grows each time the prompt was too long. */
  readonly shrink: number;
  /** Number of models that may be asked in turn: the run's own, and its fallback. */
  readonly models: number;
  readonly attempt: Attempt;
  /** The next attempt is due once a while has passed. */
  readonly isRetrying: boolean;
  /** Parts of a failed attempt: kept if none succeeds. */
  readonly half?: Message | undefined;
  /** The tool for a structured answer, if there must be one. */
  readonly answerTool?: string;
  /** The model was made to give its structured answer. */
  readonly wasForced: boolean;
  readonly end?: RunEnd | undefined;
}

/** A turn ended early, or was refused. */
export interface TurnFailed {
  readonly type: 'turn-failed';
  readonly problem: RunProblem;
  /** Its parts so far. */
  readonly message?: Message;
  /** The same request may succeed in a moment. */
  readonly isPassing?: boolean;
  /** As long as the server asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** An event in a run. */
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
      readonly concurrency?: number | undefined;
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
  /** The limits do not cover the next turn. */
  | { readonly type: 'limit-reached'; readonly limit: RunLimit }
  | { readonly type: 'limit-answered'; readonly goesOn: boolean }
  /** The user wrote something while the run is under way. */
  | { readonly type: 'send'; readonly message: Message; readonly keepsQuestions?: boolean }
  /** The user wrote something after the end, and before that was told. */
  | { readonly type: 'reopen'; readonly messages: readonly Message[] }
  /** The user turned to something else: what they are asked counts as not approved. */
  | { readonly type: 'dismiss' }
  /** The call has its result, from any source. */
  | { readonly type: 'result'; readonly callId: string; readonly message: Message; readonly result: ToolResult }
  /** The user cancels one call. */
  | { readonly type: 'cancel'; readonly callId: string; readonly reason?: string | undefined }
  /** A replayed call did not do the same as before: the user must decide about it. */
  | { readonly type: 'diverged'; readonly callId: string }
  /** A background call has its result. */
  | { readonly type: 'late-result'; readonly callId: string; readonly message: Message }
  /** Background calls have taken so long that the run must not wait for them here. */
  | { readonly type: 'rest-over' }
  /** A run inside this one has taken this much. */
  | { readonly type: 'spent'; readonly usage: Usage }
  /** The turn so far: it is long, and is stored at intervals. */
  | { readonly type: 'draft'; readonly message: Message }
  /** A tool's call is about to change something: the turn so far must be stored, if it is still being streamed. */
  | { readonly type: 'store' }
  /** `message`: parts of the turn that is being streamed. */
  | { readonly type: 'time-over'; readonly message?: Message }
  | { readonly type: 'stop' }
  /** `isDue`: the questions have waited for so long that the run must not wait here. */
  | { readonly type: 'park'; readonly isDue: boolean; readonly suspended: readonly string[] }
  /** `message`: parts of the turn that is interrupted. */
  | { readonly type: 'abort'; readonly message?: Message }
  | { readonly type: 'failed'; readonly problem: RunProblem };

/** Decision about a prepared call: it runs, a question is asked, or its result is already known. */
export type Verdict = 'allow' | Ask | { readonly result: ToolResult };

/** A question about a call, and its reason, for people. */
export interface Ask {
  readonly ask: QuestionKind;
  readonly reason?: string;
  /** No answer to it counts for later calls. */
  readonly eachTime?: boolean;
}

/** An action for the driver. */
export type RunEffect =
  | {
      readonly type: 'call-model';
      readonly messages: readonly Message[];
      readonly toolChoice: ToolChoice;
      /** As in {@link RunState.shrink}. */
      readonly shrink: number;
      readonly attempt: Attempt;
      readonly lastTurn?: RunLimit;
      /** Note for the model after the history, in this request alone. */
      readonly note?: string;
    }
  /**
   * Reports a failed attempt at a turn, and the next one; waits for as long as the server asks, or a little longer each
   * time.
   */
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
  /** The run only waits for background calls. */
  | { readonly type: 'rest' }
  | { readonly type: 'cancel-calls' }
  /** Cancels a running call: its result comes at once, whatever its tool does. */
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

/** The next state, and the effects to perform. */
export interface Step {
  readonly state: RunState;
  readonly effects: readonly RunEffect[];
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
    // Members that are set later exist from the start: adding one changes the object's shape, and engines recompile the code that reads it.
    turn: undefined,
    limit: undefined,
    ending: undefined,
    detached: undefined,
    half: undefined,
    end: undefined,
    ...start,
  };
}
