import type { FetchLimits } from './options.ts';
import { shownHost, timedOut } from './refusal.ts';

/** Deadline and cancellation of one `fetch` call. */
export interface Deadline {
  /** Aborts with the error for the caller of `fetch`. */
  readonly signal: AbortSignal;
  /** Starts the timeout for a server to respond. Returns a function that ends it. */
  awaitHeaders(url: URL): () => void;
  /** Settles with the promise, or rejects as soon as the signal aborts. */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  /** Removes all timers and listeners. */
  end(): void;
}

/** Starts the deadline of a call. */
export function createDeadline({ timeoutMs, headersTimeoutMs }: FetchLimits, caller?: AbortSignal): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const giveUp = (): void => controller.abort(caller?.reason);
  const total = setTimeout(() => {
    controller.abort(timedOut(`The page did not arrive within ${timeoutMs} ms. Try again later.`));
  }, timeoutMs);
  const end = (): void => {
    clearTimeout(total);
    caller?.removeEventListener('abort', giveUp);
  };
  signal.addEventListener('abort', end, { once: true });
  caller?.addEventListener('abort', giveUp, { once: true });
  if (caller?.aborted === true) giveUp();

  return {
    signal,
    awaitHeaders(url) {
      const timer = setTimeout(() => {
        controller.abort(timedOut(`${shownHost(url)} did not respond within ${headersTimeoutMs} ms. Try again later.`));
      }, headersTimeoutMs);
      signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
      return () => clearTimeout(timer);
    },
    race: (promise) => raceAbort(promise, signal),
    end,
  };
}

async function raceAbort<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([aborted, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
