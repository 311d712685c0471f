import { noUsage } from '@utensil/core';
import type { RunLimit, RunProblem, RunStatus, Usage } from '@utensil/core';
import type { CallView, Question } from './call-view.ts';
import type { MessageView } from './message-view.ts';

/** A run on a screen, as far as it is. Folded from its events by `foldRun`, beginning with {@link noRun}. */
export interface LiveRun {
  readonly runId?: string;
  /** The `fence` of the last event, if it had one. */
  readonly fence?: number;
  /** The `seq` of the last event; -1 before the first. `run.events(seq + 1)` are those to come. */
  readonly seq: number;
  /** `idle`: nothing has happened. */
  readonly status: 'idle' | 'running' | RunStatus;
  /** What the run has added to its thread, and what is being streamed, which is the last of them. */
  readonly messages: readonly MessageView[];
  /** Calls of messages that were there before, which the run goes on with. */
  readonly earlierCalls: readonly CallView[];
  /** What is asked and not answered, oldest first; by runs inside as well. */
  readonly questions: readonly Question[];
  /** Stored permissions that do not count. */
  readonly ignored?: readonly IgnoredPermission[];
  /** Turns of the model. */
  readonly step: number;
  readonly model?: string;
  /** The limit that was reached last. */
  readonly limit?: RunLimit;
  /** What failed last. Absent once a turn has succeeded since. */
  readonly error?: RunProblem;
  /** What it has taken, runs inside included. */
  readonly usage: Usage;
}

/** A stored permission that does not count for a call, and the reason. */
export interface IgnoredPermission {
  readonly callId: string;
  readonly runId: string;
  readonly reason: string;
}

/** A run of which nothing is known. */
export const noRun: LiveRun = {
  seq: -1,
  status: 'idle',
  messages: [],
  earlierCalls: [],
  questions: [],
  step: 0,
  usage: noUsage,
};
