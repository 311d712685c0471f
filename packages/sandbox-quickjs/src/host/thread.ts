import type { Mailbox } from '../worker/mailbox.ts';
import type { FromWorker, ToWorker } from '../worker/protocol.ts';

/** A worker with an engine, as the host sees it. */
export interface Thread {
  /** Where code that waits is answered, if it can be made to wait. */
  readonly mailbox?: Mailbox;
  post(message: ToWorker): void;
  /** Who hears what the worker says, and that it has died, with the reason. One at a time. */
  listen(listener: ThreadListener): void;
  /** Whether the process should stay for it. */
  hold(isBusy: boolean): void;
  terminate(): void;
}

/** Hears a thread. */
export interface ThreadListener {
  message(message: FromWorker): void;
  died(reason: string): void;
}

/** Starts a worker, with nothing in it yet. Throws where the platform refuses one. */
export type SpawnThread = () => Thread | Promise<Thread>;
