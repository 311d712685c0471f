import type { Mode } from './variants/index.ts';
import type { Work } from './work.ts';

/** Job of a worker. */
export interface Job {
  readonly mode: Mode;
  readonly variant: string;
  readonly work: Work;
  /** Total calls of the warm-up runs, each at most as long as the measured run. */
  readonly warmUp: number;
  /** True to count allocations, which distorts times. */
  readonly countsAllocations: boolean;
  /** Address of the server. */
  readonly url: string;
}

/** Results of a run, per call. */
export interface Measurement {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Median wall time from one call to the next, in the run of the process, warm-up included, in which it is shortest: V8 may discard compiled code and compile it again at any time. */
  readonly stepMs: number;
  /** The same of the measured run: calls 5 to 25. */
  readonly earlyMs: number;
  /** The last 20 calls. */
  readonly lateMs: number;
  readonly allocatedKb?: number;
  /** CPU of the whole process since its start. */
  readonly processCpuMs: number;
}

/** A run of a variant. */
export interface Sample extends Measurement {
  readonly mode: Mode;
  readonly variant: string;
  readonly work: Work;
  readonly round: number;
  /** Average CPUs used by others; NaN if the system does not report it. */
  readonly foreignCpus: number;
}
