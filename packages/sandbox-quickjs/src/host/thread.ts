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

/** Passes the messages of a worker to its current listener. */
export interface Hearing extends ThreadListener {
  listen(listener: ThreadListener): void;
  /** Stops all listening. */
  end(): void;
}

/** Listeners that come after a worker's death are told of it too: a file may fail to load before anybody listens. */
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

/** Starts a worker, with nothing in it yet. Throws where the platform refuses one. */
export type SpawnThread = () => Thread | Promise<Thread>;
