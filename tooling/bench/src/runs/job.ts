import type { Amounts, Figures } from './measurement.ts';

/** What a worker is to measure. */
export interface Job {
  readonly part: string;
  readonly variant: string;
  readonly amounts: Amounts;
}

/** What came out. */
export interface Measurement {
  readonly figures: Figures;
  /** Of the whole process, from its start. */
  readonly processCpuMs: number;
}

/** One measurement. */
export interface RunsSample {
  readonly part: string;
  readonly variant: string;
  readonly round: number;
  readonly figures: Figures;
  /** CPUs that others kept busy meanwhile; NaN: the system does not tell. */
  readonly foreignCpus: number;
}
