import type { StorageCommitResult } from './storage/driver.ts';
import { fileError, quotePath } from './file-error.ts';

/** A commit that something stood in the way of. */
export type Conflict = StorageCommitResult & { readonly ok: false };

/** A result, or what came in between; undefined if the attempt noticed that itself. */
export type Attempt<Result> = { readonly result: Result } | Conflict | undefined;

/** A bound on attempts, not on time, so that work that takes long has as many as work that does not. */
const maxAttempts = 64;

/** In milliseconds. With {@link maxAttempts}, all pauses together take about half a minute. */
const longestPause = 1000;

/**
 * Milliseconds to wait before an attempt, the first of which is number 0: exponential backoff with full jitter, so that
 * many writers who met the same conflict do not meet again. Most conflicts happen once, so the second attempt follows at
 * once.
 */
export function pauseBefore(attempt: number, random: () => number = Math.random): number {
  return attempt < 2 ? 0 : random() * Math.min(2 ** attempt, longestPause);
}

/**
 * Makes attempts until one has a result. Throws `EEXIST` for a name that differs only in case, and `ECONFLICT` after 64
 * attempts.
 */
export async function retry<Result>(
  path: string,
  attempt: (number: number) => Promise<Attempt<Result>>,
): Promise<Result> {
  for (let number = 0; number < maxAttempts; number++) {
    if (number > 1) await pause(pauseBefore(number));
    const outcome = await attempt(number);
    if (outcome === undefined) continue;
    if ('result' in outcome) return outcome.result;
    refuseTwin(outcome);
  }
  const hint = 'Others keep changing it: try again in a moment.';
  throw fileError('ECONFLICT', path, { hint, retryable: true });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/** A name that differs from the wanted one only in case stays in its way. */
function refuseTwin({ conflict, entry }: Conflict): void {
  if (entry === undefined || entry.path === conflict.path) return;
  const hint = `${quotePath(entry.path)} differs from it only in case: use that one, or another name.`;
  throw fileError('EEXIST', conflict.path, { hint });
}
