import type { Mode } from './variants/index.ts';
import type { Work } from './work.ts';

/** What a worker is to measure. */
export interface Job {
  readonly mode: Mode;
  readonly variant: string;
  readonly work: Work;
  /** Calls of the run before the one that is measured. */
  readonly warmUp: number;
  /** Whether to count what is allocated, which disturbs the times. */
  readonly countsHeap: boolean;
  /** Where the server is. */
  readonly url: string;
}

/** What one run took; each figure is for one call. */
export interface Measurement {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** From call 5 to 25. */
  readonly earlyMs: number;
  /** The last 20. */
  readonly lateMs: number;
  readonly allocatedKb?: number;
  /** Of the whole process, from its start. */
  readonly processCpuMs: number;
}

/** One run of a variant. */
export interface Sample extends Measurement {
  readonly mode: Mode;
  readonly variant: string;
  readonly work: Work;
  readonly round: number;
  /** CPUs that others kept busy meanwhile; NaN: the system does not tell. */
  readonly foreignCpus: number;
}
