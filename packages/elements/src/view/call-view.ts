import type { ContentPart, Effect, ErrorCode, Json, JsonObject } from '@utensil/core';

/**
 * The state of a call: its input comes in, it waits for its turn, asks a person, runs, is over in one of five ways, or was
 * left without a result by a run that ended.
 */
export type CallStatus = 'input' | 'waiting' | 'asking' | 'running' | CallOutcome | 'left';

/**
 * How a call ended. `cancelled`: a person cancelled it, or it never began. `interrupted`: it had begun, and nobody knows whether
 * it took effect.
 */
export type CallOutcome = 'done' | 'failed' | 'declined' | 'cancelled' | 'interrupted';

/** The outcomes that are no failure of the tool, by the code of the result. */
const outcomes: { readonly [Code in ErrorCode]?: CallOutcome } = {
  tool_denied: 'declined',
  tool_cancelled: 'cancelled',
  tool_interrupted: 'interrupted',
};

/** How a call with this result ended. */
export function outcomeOf({ isError, code }: Pick<CallResult, 'isError' | 'code'>): CallOutcome {
  if (!isError) return 'done';
  return (code === undefined ? undefined : outcomes[code]) ?? 'failed';
}

const open: ReadonlySet<CallStatus> = new Set(['input', 'waiting', 'asking', 'running', 'left']);

/** True if a call has its result. */
export function isOver({ status }: Pick<CallView, 'status'>): boolean {
  return !open.has(status);
}

/** Something that a run asks a person about a call. */
export interface Question {
  /** May it run; what is its answer (its tool leaves that to the client); or did it take effect before an interruption. */
  readonly kind: 'approval' | 'input' | 'recovery';
  /** For `run.answer(questionId, answer)`. */
  readonly questionId: string;
  readonly callId: string;
  /** The run that asks: one inside the run, if a tool began it. */
  readonly runId: string;
  readonly name: string;
  readonly title: string;
  readonly input: JsonObject;
  readonly effects: Effect;
  /** What the call would do, as its tool says it. */
  readonly preview?: Json;
  /** Why it is asked: the rule that decided. */
  readonly reason?: string;
  /** Names of the answers that are possible. Absent: all of its kind. */
  readonly answers?: readonly string[];
  /** Reason for which a stored permission does not count. */
  readonly ignored?: string;
  /** Sources of outside content that may have led to the call: tools and files that the run has read. */
  readonly taintedBy?: readonly string[];
}

/** A call with all that is known of it, for a screen. */
export interface CallView {
  readonly callId: string;
  /** The run that made it, where that is one inside the run: its call ids are its own. */
  readonly runId?: string;
  readonly name: string;
  readonly title: string;
  readonly icon?: string;
  readonly status: CallStatus;
  /** The model's own text of the input, while it comes in, or where it could not be read. */
  readonly inputText?: string;
  readonly input?: JsonObject;
  readonly repairs?: readonly string[];
  readonly progress?: Json;
  /** What a run inside it says, as it comes: the end of it. */
  readonly saying?: string;
  /** The turn of a run inside that began last. */
  readonly turn?: InnerTurn;
  readonly question?: Question;
  readonly result?: CallResult;
  readonly durationMs?: number;
  /** Calls that its tool made, and those of runs that its tool began. */
  readonly inner: readonly CallView[];
}

/** What there was of a call when a turn of a run inside it began: so much is left if the turn fails. */
export interface InnerTurn {
  readonly runId: string;
  readonly saying: string;
  /** How many calls there were inside it. */
  readonly calls: number;
}

/** What came of a call: what the tool returned, what the model was given of it, and what is shown to people. */
export interface CallResult {
  readonly isError: boolean;
  /** Why it failed, for programs. */
  readonly code?: ErrorCode;
  readonly output: Json;
  readonly modelParts: readonly ContentPart[];
  readonly userView?: Json;
  /** One line on how it went. */
  readonly status?: string;
}

/**
 * A call as `run.cancel` names it: the calls whose tools began the runs around it, and its own id. `outer` is the call that
 * it is inside of, and `path` that call's own.
 */
export function pathOf(call: CallView, outer?: CallView, path: readonly string[] = []): readonly string[] {
  const isOfSameRun = outer !== undefined && outer.runId === call.runId;
  return [...(isOfSameRun ? path.slice(0, -1) : path), call.callId];
}
