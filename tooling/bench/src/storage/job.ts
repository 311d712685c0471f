import type { Backend, Scenario } from './catalog.ts';
import type { Timing } from './scenarios.ts';
import type { Amounts } from './work.ts';

/** Job of a worker. */
export interface Job {
  readonly backend: Backend;
  readonly variant: string;
  readonly scenario: Scenario;
  readonly amounts: Amounts;
  /** Prepared elsewhere. */
  readonly warmUp: Amounts;
}

/** Results. */
export interface Measurement {
  readonly timings: readonly Timing[];
  /** CPU of all processes since their start. */
  readonly processCpuMs: number;
}

/** A measured part of the work. */
export interface StorageSample extends Timing {
  readonly backend: Backend;
  readonly variant: string;
  readonly amounts: Amounts;
  readonly round: number;
  /** Average CPUs used by others; NaN if the system does not report it. */
  readonly foreignCpus: number;
}
