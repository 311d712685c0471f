import type { Eventually } from '../../base/eventually.ts';
import { isTooLong } from './asked-wait.ts';

/** How to ask a server again. */
export interface Retries {
  /** How often at the most. */
  readonly maxRetries: number;
  readonly signal: AbortSignal;
  /** Before the next attempt, in milliseconds; undefined if it would not help. The first `retry` is 0. See {@link waitBefore}. */
  wait(thrown: unknown, retry: number): Eventually<number | undefined>;
}

/** Asks a server, and asks again for as long as that may help. Throws what was thrown last. */
export async function asking<Answer>(
  ask: () => PromiseLike<Answer>,
  { maxRetries, signal, wait }: Retries,
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

/** For how long to wait, in milliseconds: as a server asked, else longer from time to time. Undefined: too long. */
export function waitBefore(retry: number, asked?: number): number | undefined {
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
