import type { Mode } from './variants/index.ts';
import type { Work } from './work.ts';

/** Job of a worker. */
export interface Job {
  readonly mode: Mode;
  readonly variant: string;
  readonly work: Work;
  /** Total calls of the warm-up runs, each at most as long as the measured run. */
  readonly warmUp: number;
  /** Bytes between two sampled allocations; 0: they are not counted, which would distort times. */
  readonly samplingInterval: number;
  /** Address of the server. */
  readonly url: string;
}

/** Results of a run, per call. */
export interface Measurement {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Shortest median time between calls of any full run in the process, warm-up included: V8 may recompile at any time. */
  readonly stepMs: number;
  /** Median time between calls 5 to 25 of the measured run. */
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
