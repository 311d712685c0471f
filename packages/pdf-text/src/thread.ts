import type { FromWorker, ToWorker } from './protocol.ts';

/** A worker, as the host sees it. */
export interface Thread {
  post(message: ToWorker): void;
  /** Ends it at once, even in the middle of its work. */
  end(): void;
}

/** Receives what a worker sends. */
export interface ThreadListener {
  message(message: FromWorker): void;
  /** Called once if it ends by itself, or cannot start. */
  ended(): void;
}

/** Starts a worker that reads one document. Throws if the platform refuses one. */
export type StartThread = (listener: ThreadListener) => Thread;
