import { UtensilError } from '@utensil/core';

/** A host as a message shows it: no query, which may have a secret, and not endless. */
export function shownHost(url: URL): string {
  return url.host.length > 100 ? `${url.host.slice(0, 100)}…` : url.host;
}

/** An address that may not be reached. */
export function blocked(why: string): UtensilError {
  return new UtensilError('fetch_blocked', `Not fetched: ${why}`);
}

/** An address of which nothing usable came. */
export function failed(url: URL, why: string, cause?: unknown): UtensilError {
  return new UtensilError('fetch_failed', `${shownHost(url)} ${why}`, cause === undefined ? {} : { cause });
}

/** A server that took too long. */
export function timedOut(why: string): UtensilError {
  return new UtensilError('fetch_timeout', why, { retryable: true });
}

/** A body that is larger than the limit. */
export function tooLarge(url: URL, maxBytes: number): UtensilError {
  return new UtensilError(
    'fetch_too_large',
    `${shownHost(url)} sent more than ${maxBytes} bytes, which is the limit: ask for a smaller page or a part of it.`,
  );
}
