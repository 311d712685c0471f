import type { HttpOptions } from '@google/genai';

type Fetch = NonNullable<HttpOptions['fetch']>;

/**
 * Shows the SDK what it does not look for: some gateways refuse with status 200, and some say in a header how long to
 * wait, which Google says in the body.
 */
export function outspoken(fetch: Fetch): Fetch {
  return async function outspokenFetch(input, init) {
    const response = await fetch(input, init);
    const isOdd = response.ok
      ? response.headers.get('content-type')?.startsWith('application/json')
      : response.headers.has('retry-after');
    if (isOdd !== true) return response;
    const { spokenOut } = await import('./failures.ts');
    return spokenOut(response);
  };
}
