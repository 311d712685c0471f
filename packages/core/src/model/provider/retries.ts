import type { Eventually } from '../../base/eventually.ts';
import { isTooLong } from './retry-after.ts';

/** Options of {@link withRetries}. */
export interface RetryOptions {
  /** Maximum number of retries. */
  readonly maxRetries: number;
  readonly signal: AbortSignal;
  /** Before the next attempt, in milliseconds; undefined if it would not help. The first `retry` is 0. See {@link retryDelay}. */
  wait(thrown: unknown, retry: number): Eventually<number | undefined>;
}

/** Sends a request, and retries it while `wait` gives a delay. Throws the last error. */
export async function withRetries<Answer>(
  ask: () => PromiseLike<Answer>,
  { maxRetries, signal, wait }: RetryOptions,
): Promise<Answer> {
  for (let retry = 0; ; retry++) {
    try {
      return await ask();
    } catch (thrown) {
      const milliseconds = retry < maxRetries && !signal.aborted ? await wait(thrown, retry) : undefined;
      if (milliseconds === undefined) throw thrown;
      await pause(milliseconds, signal);
    }
  }
}

/** The delay before a retry, in milliseconds: as long as the server asked, else exponential backoff with jitter. Undefined if it is too long. */
export function retryDelay(retry: number, asked?: number): number | undefined {
  const wait = asked ?? Math.min(500 * 2 ** retry, 8_000) * (1 - Math.random() / 4);
  return isTooLong(wait) ? undefined : Math.max(0, wait);
}

/** Ends after a time, and fails if the signal fires. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}
