import type { ContentPart, Effect, ErrorCode, Json, JsonObject } from '@utensil/core';

/**
 * State of a call: receiving input, queued, waiting for a person, running, ended in one of five ways, or left without a
 * result by its run.
 */
export type CallStatus = 'input' | 'waiting' | 'asking' | 'running' | CallOutcome | 'left';

/** Outcome of a call. `cancelled`: by a person, or never started. `interrupted`: started, with an unknown effect. */
export type CallOutcome = 'done' | 'failed' | 'declined' | 'cancelled' | 'interrupted';

/** Outcomes other than failures, by result code. */
const outcomes: { readonly [Code in ErrorCode]?: CallOutcome } = {
  tool_denied: 'declined',
  tool_cancelled: 'cancelled',
  tool_interrupted: 'interrupted',
};

/** Outcome of a call with this result. */
export function outcomeOf({ isError, code }: Pick<CallResult, 'isError' | 'code'>): CallOutcome {
  if (!isError) return 'done';
  return (code === undefined ? undefined : outcomes[code]) ?? 'failed';
}

const open: ReadonlySet<CallStatus> = new Set(['input', 'waiting', 'asking', 'running', 'left']);

/** True if a call has its result. */
export function isOver({ status }: Pick<CallView, 'status'>): boolean {
  return !open.has(status);
}

/** A question of a run about a call. */
export interface Question {
  /**
   * Subject of the question: permission to run; the answer, if the tool leaves that to the client; or the effect before
   * an interruption.
   */
  readonly kind: 'approval' | 'input' | 'recovery';
  /** For `run.answer(questionId, answer)`. */
  readonly questionId: string;
  readonly callId: string;
  /** The run that asks, possibly a nested one. */
  readonly runId: string;
  readonly name: string;
  readonly title: string;
  readonly input: JsonObject;
  readonly effects: Effect;
  /** Effect of the call, from its tool. */
  readonly preview?: Json;
  /** Reason of the question: the deciding rule. */
  readonly reason?: string;
  /** Possible answers by name. Absent: all of this kind. */
  readonly answers?: readonly string[];
  /** Reason that a stored permission does not apply. */
  readonly ignored?: string;
  /** Sources of outside content that may have led to the call: tools and files that the run has read. */
  readonly taintedBy?: readonly string[];
}

/** View of a call. */
export interface CallView {
  readonly callId: string;
  /** The run that made the call, if it is nested: its call ids are its own. */
  readonly runId?: string;
  readonly name: string;
  readonly title: string;
  readonly icon?: string;
  readonly status: CallStatus;
  /** Raw input text of the model, while it streams or if it is invalid. */
  readonly inputText?: string;
  readonly input?: JsonObject;
  readonly repairs?: readonly string[];
  readonly progress?: Json;
  /** Latest text of a nested run. */
  readonly saying?: string;
  /** The latest turn of a nested run. */
  readonly turn?: InnerTurn;
  readonly question?: Question;
  readonly result?: CallResult;
  readonly durationMs?: number;
  /** Calls that its tool made, and those of nested runs. */
  readonly inner: readonly CallView[];
}

/** State of a call when a nested turn started, restored if the turn fails. */
export interface InnerTurn {
  readonly runId: string;
  readonly saying: string;
  /** Number of nested calls. */
  readonly calls: number;
}

/** Result of a call: the tool's output, the part sent to the model, and the view for people. */
export interface CallResult {
  readonly isError: boolean;
  /** Error code. */
  readonly code?: ErrorCode;
  readonly output: Json;
  readonly modelParts: readonly ContentPart[];
  readonly userView?: Json;
  /** One-line status. */
  readonly status?: string;
}

/**
 * Path of a call for `run.cancel`: the calls whose tools started the enclosing runs, and its own id. `outer` is the
 * enclosing call, and `path` that call's own path.
 */
export function pathOf(call: CallView, outer?: CallView, path: readonly string[] = []): readonly string[] {
  const isOfSameRun = outer !== undefined && outer.runId === call.runId;
  return [...(isOfSameRun ? path.slice(0, -1) : path), call.callId];
}
