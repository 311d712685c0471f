import { UtensilError } from '@utensil/core';
import type { FetchResponse } from '@utensil/core';
import { cleanLine } from './clean.ts';

const advice: Readonly<Record<number, string>> = {
  401: 'It requires a login.',
  402: 'It requires payment.',
  403: 'It refused access: it may require a login, or block programs.',
  404: 'The page does not exist.',
  410: 'The page has been removed.',
  429: 'It received too many requests: try later.',
  503: 'It is unavailable: try later.',
};

/** Error for an unsuccessful response, with a code such as `http_404` in its message. */
export function httpError({ status, statusText, url }: FetchResponse): UtensilError {
  const host = URL.canParse(url) ? new URL(url).host : 'The server';
  const said = [`http_${status}: ${host} answered ${status} ${cleanLine(statusText, 60)}`.trimEnd(), advice[status]];
  return new UtensilError(
    'fetch_failed',
    said
      .filter(Boolean)
      .join('. ')
      .replace(/(?<!\.)$/, '.'),
    {
      retryable: status === 429 || status >= 500,
    },
  );
}
