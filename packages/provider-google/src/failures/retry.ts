import type { Attempt } from '../attempt.ts';
import { toModelError, vendorError } from './errors.ts';

/** In milliseconds. Who asks for more is not asked again: the error tells of it at once. */
const longestWait = 60_000;

/** What asks a server, and how often to ask it again. */
export interface Asking<Answer> {
  readonly ask: () => PromiseLike<Answer>;
  readonly maxRetries: number;
  readonly attempt: Attempt;
}

/** Asks again after what was thrown, for as long as that may help. */
export async function askAgain<Answer>(first: unknown, { ask, maxRetries, attempt }: Asking<Answer>): Promise<Answer> {
  let thrown = first;
  for (let retry = 0; retry < maxRetries; retry++) {
    const wait = toModelError(thrown, attempt).retryable ? waitBefore(retry, thrown) : undefined;
    if (wait === undefined) break;
    await pause(wait, attempt.signal);
    try {
      return await ask();
    } catch (again) {
      thrown = again;
    }
  }
  throw thrown;
}

/** In milliseconds; undefined where it would be too long. Google says it in the body of an error, as `retryDelay`. */
function waitBefore(retry: number, thrown: unknown): number | undefined {
  const asked = /"retryDelay":"([\d.]+)s"/.exec(vendorError(thrown)?.details ?? '')?.[1];
  const wait =
    asked === undefined ? Math.min(500 * 2 ** retry, 8_000) * (1 - Math.random() / 4) : Number(asked) * 1_000;
  return wait <= longestWait ? wait : undefined;
}

/** Ends after a time, and fails when the signal fires. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
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
