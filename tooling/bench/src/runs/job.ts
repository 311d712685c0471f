import type { Amounts, Figures } from './measurement.ts';

/** Job of a worker. */
export interface Job {
  readonly part: string;
  readonly variant: string;
  readonly amounts: Amounts;
}

/** Results. */
export interface Measurement {
  readonly figures: Figures;
  /** CPU of the whole process since its start. */
  readonly processCpuMs: number;
}

/** A measurement. */
export interface RunsSample {
  readonly part: string;
  readonly variant: string;
  readonly round: number;
  readonly figures: Figures;
  /** Average CPUs used by others; NaN if the system does not report it. */
  readonly foreignCpus: number;
}
