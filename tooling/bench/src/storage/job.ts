import type { Backend, Scenario } from './catalog.ts';
import type { Timing } from './scenarios.ts';
import type { Amounts } from './work.ts';

/** What a worker is to measure. */
export interface Job {
  readonly backend: Backend;
  readonly variant: string;
  readonly scenario: Scenario;
  readonly amounts: Amounts;
  /** Done before, elsewhere. */
  readonly warmUp: Amounts;
}

/** What it took. */
export interface Measurement {
  readonly timings: readonly Timing[];
  /** Of all processes, from their start. */
  readonly processCpuMs: number;
}

/** One part of the work, done once. */
export interface StorageSample extends Timing {
  readonly backend: Backend;
  readonly variant: string;
  readonly amounts: Amounts;
  readonly round: number;
  /** CPUs that others kept busy meanwhile; NaN: the system does not tell. */
  readonly foreignCpus: number;
}
