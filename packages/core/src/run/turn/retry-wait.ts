import type { Environment } from '../../base/environment.ts';
import { afterTimeout } from '../../base/pauses.ts';

/** Maximum delay in milliseconds. For a longer one, the error is reported at once. */
const longestWait = 60_000;

/** True if a wait is too long for a person. */
export function isTooLong(wait = 0): boolean {
  return wait > longestWait;
}

/**
 * Delay before a retry, in milliseconds: as requested by the server, else exponential backoff with jitter. The first
 * `retry` is 0.
 */
export function retryDelay(retry: number, asked?: number): number {
  return Math.max(0, asked ?? Math.min(500 * 2 ** retry, 8_000) * (1 - Math.random() / 4));
}

/** Resolves after a delay; rejects if the signal fires. */
export async function pause(
  milliseconds: number,
  signal: AbortSignal,
  after: NonNullable<Environment['after']> = afterTimeout,
): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const stop = () => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = after(milliseconds, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}
