import type { ErrorCode } from '../errors.ts';
import type { ToolResult } from '../tool-result.ts';
import type { Json } from '../json.ts';
import type { Message, ToolCallPart } from '../message.ts';
import { noUsage } from '../model.ts';
import type { FinishReason, ToolChoice, Usage } from '../model.ts';
import type { Control, Effect } from '../tool.ts';
import type { Limit, Limits } from './limits.ts';
import type { Decision } from './policy.ts';

/** How a run ended. */
export type RunStatus =
  | 'complete'
  | 'limit'
  | 'aborted'
  | 'stopped'
  | 'refused'
  | 'error'
  | 'needs-approval'
  | 'needs-input';

/** An error as an event and a result carry it. */
export interface RunProblem {
  readonly code: ErrorCode;
  readonly message: string;
}

/** The end of a run. */
export interface RunEnd {
  readonly status: RunStatus;
  readonly limit?: Limit;
  readonly error?: RunProblem;
  /** What a tool ended the run with. */
  readonly value?: Json;
}

/** A call of the turn that is under way. */
export interface CallState {
  readonly call: ToolCallPart;
  readonly phase: 'preparing' | 'asking' | 'ready' | 'running' | 'done';
  readonly effects: Effect;
  /** Its answer is the client's to give. */
  readonly clientAnswers: boolean;
  /** The answer that stands already, where it will not run. */
  readonly refusal?: ToolResult;
  /** The message with its result, once it is done. */
  readonly message?: Message;
}

/** A message of the model whose calls are under way. */
export interface CallingTurn {
  readonly message: Message;
  /** In call order; no two have the same id. */
  readonly calls: readonly CallState[];
}

/** Everything that decides what happens next. Plain data. */
export interface RunState {
  readonly limits: Limits;
  readonly toolChoice: ToolChoice;
  /** The arranged history, and what the run added; without the turn that is under way. */
  readonly messages: readonly Message[];
  readonly turn?: CallingTurn | undefined;
  readonly steps: number;
  readonly usage: Usage;
  /** Set once a limit is reached. */
  readonly limit?: Limit;
  /** The model was told that this is its last turn. */
  readonly isLastTurn: boolean;
  readonly isTimeOver: boolean;
  readonly isStopping: boolean;
  readonly isAborting: boolean;
  /** The turn before was cut off inside a call. */
  readonly wasCutOff: boolean;
  readonly control?: Control;
  readonly end?: RunEnd;
}

/** What happened. */
export type RunInput =
  | { readonly type: 'begin' }
  | {
      readonly type: 'turn';
      readonly message: Message;
      readonly reason: FinishReason;
      readonly usage: Usage;
      readonly detail?: string;
    }
  | { readonly type: 'turn-failed'; readonly problem: RunProblem; readonly message?: Message }
  | {
      readonly type: 'prepared';
      readonly call: ToolCallPart;
      readonly effects: Effect;
      readonly clientAnswers: boolean;
      readonly verdict: Verdict;
    }
  | { readonly type: 'approved'; readonly callId: string }
  /** The call has its result, whoever gave it. */
  | { readonly type: 'result'; readonly callId: string; readonly message: Message; readonly result: ToolResult }
  | { readonly type: 'time-over' }
  | { readonly type: 'stop' }
  /** `message`: what came of the turn that is cut short. */
  | { readonly type: 'abort'; readonly message?: Message }
  | { readonly type: 'failed'; readonly problem: RunProblem };

/** What is to become of a prepared call: the policy's decision, or an answer that stands already. */
export type Verdict = Extract<Decision, 'allow' | 'ask'> | { readonly result: ToolResult };

/** What is to be done. */
export type RunEffect =
  | {
      readonly type: 'call-model';
      readonly messages: readonly Message[];
      readonly toolChoice: ToolChoice;
      readonly lastTurn?: Limit;
    }
  | { readonly type: 'prepare-call'; readonly call: ToolCallPart; readonly wasCutOff: boolean }
  | { readonly type: 'ask'; readonly call: ToolCallPart; readonly clientAnswers: boolean }
  | { readonly type: 'execute-call'; readonly call: ToolCallPart }
  /** Gives a call its result without running it. */
  | { readonly type: 'settle-call'; readonly call: ToolCallPart; readonly result: ToolResult }
  | { readonly type: 'cancel-calls' }
  /** Stores a message, in place of an earlier one of the same id; done before the effects behind it. */
  | { readonly type: 'append'; readonly message: Message }
  | { readonly type: 'end'; readonly end: RunEnd };

/** The state that follows, and what is to be done. */
export interface Step {
  readonly state: RunState;
  readonly effects: readonly RunEffect[];
}

/** The state of a run that has not begun. */
export function initialState(start: Pick<RunState, 'limits' | 'toolChoice' | 'messages'>): RunState {
  return {
    ...start,
    steps: 0,
    usage: noUsage,
    isLastTurn: false,
    isTimeOver: false,
    isStopping: false,
    isAborting: false,
    wasCutOff: false,
  };
}
