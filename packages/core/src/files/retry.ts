import type { StorageCommitResult } from './storage/driver.ts';
import { fileError, quotePath } from './file-error.ts';

/** A commit that met a conflict. */
export type Conflict = StorageCommitResult & { readonly ok: false };

/** A result, or the conflict; undefined if the attempt detected it by itself. */
export type Attempt<Result> = { readonly result: Result } | Conflict | undefined;

/** A limit on attempts, not on time, so that slow work has as many as fast work. */
const maxAttempts = 64;

/** In milliseconds. Over {@link maxAttempts} attempts, all pauses add up to about half a minute. */
const longestPause = 1000;

/**
 * Delay before an attempt (the first is number 0), in milliseconds: exponential backoff with full jitter, so that
 * writers that met in one conflict do not meet again. The second attempt follows at once, since most conflicts occur
 * once.
 */
export function pauseBefore(attempt: number, random: () => number = Math.random): number {
  return attempt < 2 ? 0 : random() * Math.min(2 ** attempt, longestPause);
}

/**
 * Retries until an attempt has a result. Throws `EEXIST` for a name that differs only in case, and `ECONFLICT` after 64
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

/** A persistent conflict with a name that differs only in case. */
function refuseTwin({ conflict, entry }: Conflict): void {
  if (entry === undefined || entry.path === conflict.path) return;
  const hint = `${quotePath(entry.path)} differs from it only in case: use that one, or another name.`;
  throw fileError('EEXIST', conflict.path, { hint });
}
