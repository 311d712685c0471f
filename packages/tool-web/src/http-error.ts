import { UtensilError } from '@utensil/core';
import type { FetchResponse } from '@utensil/core';
import { cleanLine } from './clean.ts';

const advice: Readonly<Record<number, string>> = {
  401: 'It wants a login.',
  402: 'It wants to be paid.',
  403: 'It refuses: it may want a login, or no programs.',
  404: 'There is no such page.',
  410: 'The page is gone.',
  429: 'It is asked too often: try later.',
  503: 'It is not available: try later.',
};

/** An answer that is none: its code is `http_404` and the like, in the words of its message. */
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
