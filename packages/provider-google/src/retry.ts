import type { VendorError } from './verdicts.ts';

/** In milliseconds. */
const longestWait = 60_000;

/**
 * How long to wait before the next attempt, in milliseconds; undefined where it would be too long. Google says it in the
 * body of an error, as `retryDelay`. `chance` is from 0 to 1.
 */
export function waitBefore(attempt: number, vendor: VendorError | undefined, chance: number): number | undefined {
  const asked = /"retryDelay":"([\d.]+)s"/.exec(vendor?.details ?? '')?.[1];
  const wait = asked === undefined ? Math.min(500 * 2 ** attempt, 8_000) * (1 - chance / 4) : Number(asked) * 1_000;
  return wait <= longestWait ? wait : undefined;
}

/** Ends after a time, and fails when the signal fires. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
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
