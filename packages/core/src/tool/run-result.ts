import type { ErrorCode } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import type { Message } from '../model/message.ts';
import type { Usage } from '../model/usage.ts';
import type { RunLimit } from './run-limits.ts';

/** Status of an ended run. */
export type RunStatus =
  | 'complete'
  | 'limit'
  | 'aborted'
  | 'stopped'
  | 'refused'
  | 'error'
  | 'needs-approval'
  | 'needs-input'
  | 'needs-results';

/** An error as carried by events and results. */
export interface RunProblem {
  readonly code: ErrorCode;
  readonly message: string;
}

/** Outcome of a run. */
export interface RunResult<Output = Json> {
  readonly status: RunStatus;
  /** Text of the last assistant message: the run's own, or the thread's if there was nothing left to do. */
  readonly text: string;
  /** Messages added by the run, including the user's, normalized: together with the earlier ones, a valid history. */
  readonly messages: readonly Message[];
  readonly steps: number;
  readonly usage: Usage;
  readonly limit?: RunLimit;
  readonly error?: RunProblem;
  /** The answer in the form of `output`, or the value with which a tool ended the run. */
  readonly value?: Output;
}
