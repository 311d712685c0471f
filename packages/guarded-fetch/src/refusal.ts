import { UtensilError } from '@utensil/core';

/** Host as shown in messages: shortened, and without the query, which may contain a secret. */
export function shownHost(url: URL): string {
  return url.host.length > 100 ? `${url.host.slice(0, 100)}…` : url.host;
}

/** Error for a blocked address. */
export function blocked(why: string): UtensilError {
  return new UtensilError('fetch_blocked', `Not fetched: ${why}`);
}

/** Error for an address without a usable response. */
export function failed(url: URL, why: string, cause?: unknown): UtensilError {
  return new UtensilError('fetch_failed', `${shownHost(url)} ${why}`, cause === undefined ? {} : { cause });
}

/** Error for a slow server. */
export function timedOut(why: string): UtensilError {
  return new UtensilError('fetch_timeout', why, { retryable: true });
}

/** Error for an oversized body. */
export function tooLarge(url: URL, maxBytes: number): UtensilError {
  return new UtensilError(
    'fetch_too_large',
    `${shownHost(url)} sent more than ${maxBytes} bytes, which is the limit: ask for a smaller page or a part of it.`,
  );
}
