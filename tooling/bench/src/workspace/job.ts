import type { Question, Temperature, Variant } from './catalog.ts';

/** Job of a worker. */
export interface WorkspaceJob {
  readonly root: string;
  readonly question: Question;
  readonly variant: Variant;
  /** Number of repetitions. */
  readonly times: number;
}

/** An answer. */
export interface Answered {
  readonly ms: number;
  /** Time to the first files of a glob. */
  readonly firstMs?: number;
  /** Number of lines, or of files of a glob. */
  readonly found: number;
}

/** A question with its answer. */
export interface WorkspaceSample {
  readonly question: string;
  readonly variant: Variant;
  readonly temperature: Temperature;
  readonly round: number;
  readonly ms: number;
  readonly firstMs?: number;
  readonly found: number;
  /** Average busy CPUs meanwhile, its own included; NaN if the system does not report it. */
  readonly busyCpus: number;
}
