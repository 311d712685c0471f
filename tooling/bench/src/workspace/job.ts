import type { Question, Temperature, Variant } from './catalog.ts';

/** What a worker is to answer. */
export interface WorkspaceJob {
  readonly root: string;
  readonly question: Question;
  readonly variant: Variant;
  /** How many times, one after the other. */
  readonly times: number;
}

/** An answer. */
export interface Answered {
  readonly ms: number;
  /** Until the first files of a glob. */
  readonly firstMs?: number;
  /** Lines, or files of a glob. */
  readonly found: number;
}

/** A question, answered. */
export interface WorkspaceSample {
  readonly question: string;
  readonly variant: Variant;
  readonly temperature: Temperature;
  readonly round: number;
  readonly ms: number;
  readonly firstMs?: number;
  readonly found: number;
  /** CPUs that were busy meanwhile, its own among them; NaN: the system does not tell. */
  readonly busyCpus: number;
}
