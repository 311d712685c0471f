import type { ContentPart, Effect, Json, JsonObject } from '@utensil/core';

/** How far a call is: its input comes in, it waits (for a person, where it has a `question`), it runs, or it is over. */
export type CallStatus = 'input' | 'waiting' | 'running' | 'done' | 'failed';

/** Something that a run asks a person about a call. */
export interface Question {
  /** May it run; what is its answer (its tool leaves that to the client); or did it take effect before an interruption. */
  readonly kind: 'approval' | 'input' | 'recovery';
  readonly callId: string;
  /** The run that asks: one inside the run, where a tool began it. For `run.answer(callId, answer, runId)`. */
  readonly runId: string;
  readonly name: string;
  readonly title: string;
  readonly input: JsonObject;
  readonly effects: Effect;
  /** What the call would do, as its tool says it. */
  readonly preview?: Json;
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
  readonly question?: Question;
  readonly result?: CallResult;
  readonly durationMs?: number;
  /** Calls that its tool made, and those of runs that its tool began. */
  readonly inner: readonly CallView[];
}

/** What came of a call: what the tool returned, what the model was given of it, and what is shown to people. */
export interface CallResult {
  readonly isError: boolean;
  readonly output: Json;
  readonly modelParts: readonly ContentPart[];
  readonly userView?: Json;
  /** One line on how it went. */
  readonly status?: string;
}
