import type { ApiName, Reader, WorkName } from './catalog.ts';

/** Job of a worker. */
export type Job = StreamJob | RequestJob;

/** Reads a long answer. */
export interface StreamJob {
  readonly kind: 'stream';
  readonly api: ApiName;
  readonly work: WorkName;
  readonly reader: Reader;
  /** Length of the answer. */
  readonly deltas: number;
  readonly pieceBytes: number;
  /** Approximate number of events to read for the warm-up, and again for the measurement. */
  readonly events: number;
}

/** Sends a long thread. */
export interface RequestJob {
  readonly kind: 'request';
  readonly api: ApiName;
  readonly reader: Reader;
  readonly messages: number;
  readonly tools: number;
  /** Number of threads, each sent several times. */
  readonly threads: number;
}

/** Results. */
export interface Measurement {
  /** Microseconds of CPU per event, or per request after the first of a thread. */
  readonly cpuUs: number;
  /** The same for the first request of a thread. */
  readonly firstCpuUs?: number;
  /** Length of the body. */
  readonly bytes?: number;
  /** CPU of the whole process since its start. */
  readonly processCpuMs: number;
}

/** A measurement of one job. */
export interface MapperSample extends Measurement {
  readonly job: Job;
  readonly round: number;
  /** Average CPUs used by others; NaN if the system does not report it. */
  readonly foreignCpus: number;
}
