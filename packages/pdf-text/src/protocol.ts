/** Limits that the worker keeps; the host limits time and heap. */
export interface WorkerLimits {
  readonly pages: number;
  readonly characters: number;
  /** Bytes that may be allocated while one document is read. */
  readonly unpackedBytes: number;
}

/** The one message to a worker. */
export interface ToWorker {
  readonly bytes: Uint8Array;
  readonly limits: WorkerLimits;
}

/** Reason for ending before the last page. */
export type WorkerFailure = 'damaged' | 'password' | 'memory';

/** Messages from a worker, in this order. */
export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'opened'; readonly pages: number }
  | { readonly type: 'page'; readonly text: string }
  | { readonly type: 'end' }
  | { readonly type: 'failed'; readonly reason: WorkerFailure };
