import type { ApiName, Reader, WorkName } from './catalog.ts';

/** What a worker is to measure. */
export type Job = StreamJob | RequestJob;

/** Reading a long answer. */
export interface StreamJob {
  readonly kind: 'stream';
  readonly api: ApiName;
  readonly work: WorkName;
  readonly reader: Reader;
  /** How long the answer is. */
  readonly deltas: number;
  readonly pieceBytes: number;
  /** About so many events are read before, and as many are measured. */
  readonly events: number;
}

/** Sending a long thread. */
export interface RequestJob {
  readonly kind: 'request';
  readonly api: ApiName;
  readonly reader: Reader;
  readonly messages: number;
  readonly tools: number;
  /** How many threads are sent, each of them several times. */
  readonly threads: number;
}

/** What it took. */
export interface Measurement {
  /** CPU of an event in microseconds, or of a request that is not the first of its thread. */
  readonly cpuUs: number;
  /** Of the first request of a thread. */
  readonly firstCpuUs?: number;
  /** The length of the body. */
  readonly bytes?: number;
  /** Of the whole process, from its start. */
  readonly processCpuMs: number;
}

/** One measurement of one job. */
export interface MapperSample extends Measurement {
  readonly job: Job;
  readonly round: number;
  /** CPUs that others kept busy meanwhile; NaN: the system does not tell. */
  readonly foreignCpus: number;
}
