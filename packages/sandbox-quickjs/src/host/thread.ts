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

/** What a worker says, and whoever listens. */
export interface Hearing extends ThreadListener {
  listen(listener: ThreadListener): void;
  /** Nobody hears anything from now on. */
  end(): void;
}

/** Tells each listener of a worker's death, also one that comes after it: a file that cannot be loaded is known before anybody asks. */
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
