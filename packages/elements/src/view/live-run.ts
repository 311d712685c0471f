import { noUsage } from '@utensil/core';
import type { RunLimit, RunProblem, RunStatus, Usage } from '@utensil/core';
import type { CallView, Question } from './call-view.ts';
import type { MessageView } from './message-view.ts';

/** Live view of a run. `foldRun` builds it from events, starting with {@link noRun}. */
export interface LiveRun {
  readonly runId?: string;
  /** `fence` of the last event, if any. */
  readonly fence?: number;
  /** `seq` of the last event; -1 before the first. `run.events(seq + 1)` returns later ones. */
  readonly seq: number;
  /** `idle`: no events yet. */
  readonly status: 'idle' | 'running' | RunStatus;
  /** Messages that the run has added to its thread; the last one may be streaming. */
  readonly messages: readonly MessageView[];
  /** Calls of earlier messages that the run continues. */
  readonly earlierCalls: readonly CallView[];
  /** Open questions, oldest first, including those of nested runs. */
  readonly questions: readonly Question[];
  /** Stored permissions that do not apply. */
  readonly ignored?: readonly IgnoredPermission[];
  /** Number of model turns. */
  readonly step: number;
  readonly model?: string;
  /** The limit reached last. */
  readonly limit?: RunLimit;
  /** The last error. Absent after a later successful turn. */
  readonly error?: RunProblem;
  /** The last error about damage to the stored conversation, which no turn cures. */
  readonly damage?: RunProblem;
  /** Total usage, including nested runs. */
  readonly usage: Usage;
}

/** A stored permission that does not apply to a call, and the reason. */
export interface IgnoredPermission {
  readonly callId: string;
  readonly runId: string;
  readonly reason: string;
}

/** A run without events. */
export const noRun: LiveRun = {
  seq: -1,
  status: 'idle',
  messages: [],
  earlierCalls: [],
  questions: [],
  step: 0,
  usage: noUsage,
};
