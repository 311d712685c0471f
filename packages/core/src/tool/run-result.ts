import type { ErrorCode } from '../base/errors.ts';
import type { Json } from '../base/json.ts';
import type { Message } from '../model/message.ts';
import type { Usage } from '../model/usage.ts';
import type { RunLimit } from './run-limits.ts';

/** The end of a run. */
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

/** An error as an event and a result carry it. */
export interface RunProblem {
  readonly code: ErrorCode;
  readonly message: string;
}

/** The end of a run, and its outcome. */
export interface RunResult<Output = Json> {
  readonly status: RunStatus;
  /** The text of the last assistant message: the run's own, or, if there was nothing left to do, the thread's. */
  readonly text: string;
  /** What the run added, user's messages included, arranged: a valid history together with what was before. */
  readonly messages: readonly Message[];
  readonly steps: number;
  readonly usage: Usage;
  readonly limit?: RunLimit;
  readonly error?: RunProblem;
  /** The answer in the form of `output`, or what a tool has ended the run with. */
  readonly value?: Output;
}
