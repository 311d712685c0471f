import type { ClientOptions } from '@anthropic-ai/sdk';

type Fetch = NonNullable<ClientOptions['fetch']>;

/** In milliseconds. */
const longestWait = 60_000;

/**
 * The SDK waits before a retry for as long as a server asks, hours even, and nobody is told. Who asks for more than a
 * minute is not asked again: the error tells of it at once.
 */
export function withoutLongWaits(fetch: Fetch): Fetch {
  return async function boundedFetch(input, init) {
    const response = await fetch(input, init);
    if (waitOf(response.headers) <= longestWait) return response;
    const { status, statusText, body } = response;
    const headers = new Headers(response.headers);
    headers.set('x-should-retry', 'false');
    return new Response(body, { status, statusText, headers });
  };
}

function waitOf(headers: Headers): number {
  const milliseconds = Number(headers.get('retry-after-ms'));
  const asked = headers.get('retry-after') ?? '0';
  const seconds = Number(asked);
  return milliseconds || (Number.isNaN(seconds) ? Date.parse(asked) - Date.now() : seconds * 1_000);
}
