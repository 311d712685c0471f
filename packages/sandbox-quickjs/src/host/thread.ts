import type { Mailbox } from '../worker/mailbox.ts';
import type { FromWorker, ToWorker } from '../worker/protocol.ts';

/** A worker with an engine, from the host's side. */
export interface Thread {
  /** Answers code that blocks, if it can block. */
  readonly mailbox?: Mailbox;
  post(message: ToWorker): void;
  /** Sets the listener for messages of the worker, and for its death with the reason. One at a time. */
  listen(listener: ThreadListener): void;
  /** Sets whether the worker keeps the process alive. */
  hold(isBusy: boolean): void;
  terminate(): void;
}

export interface ThreadListener {
  message(message: FromWorker): void;
  died(reason: string): void;
}

/** Passes the messages of a worker to its current listener. */
export interface Hearing extends ThreadListener {
  listen(listener: ThreadListener): void;
  /** Stops all listening. */
  end(): void;
}

/** Listeners added after a worker's death are also notified: a file may fail to load before anybody listens. */
export function createHearing(): Hearing {
  let listener: ThreadListener | undefined;
  let death: string | undefined;
  let isOver = false;
  return {
    message: (message) => listener?.message(message),
    died(reason) {
      if (isOver || death !== undefined) return;
      death = reason;
      listener?.died(reason);
    },
    listen(next) {
      listener = next;
      const reason = death;
      if (reason !== undefined) queueMicrotask(() => listener === next && next.died(reason));
    },
    end() {
      listener = undefined;
      isOver = true;
    },
  };
}

/** Starts an empty worker. Throws if the platform refuses. */
export type SpawnThread = () => Thread | Promise<Thread>;
