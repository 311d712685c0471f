import type { FetchLimits } from './options.ts';
import { shownHost, timedOut } from './refusal.ts';

/** How long one call of `fetch` goes on: until its time is up, or its caller has enough. */
export interface Patience {
  /** Aborts with what the caller of `fetch` is to be told. */
  readonly signal: AbortSignal;
  /** Begins the time in which a server has to answer. The function ends it. */
  awaitHeaders(url: URL): () => void;
  /** Settles as the promise does, or rejects as soon as the signal aborts. */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  /** Ends it: no timer and no listener is left. */
  end(): void;
}

/** The patience for a call that begins now. */
export function createPatience({ timeoutMs, headersTimeoutMs }: FetchLimits, caller?: AbortSignal): Patience {
  const controller = new AbortController();
  const { signal } = controller;
  const giveUp = (): void => controller.abort(caller?.reason);
  const total = setTimeout(() => {
    controller.abort(timedOut(`The page did not arrive within ${timeoutMs} ms. It may later.`));
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
        controller.abort(timedOut(`${shownHost(url)} did not answer within ${headersTimeoutMs} ms. It may later.`));
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
