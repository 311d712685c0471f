import type { ClientOptions } from 'openai';

type Fetch = NonNullable<ClientOptions['fetch']>;

/** Shows the SDK what it does not look for: some gateways refuse with status 200, and some ask for a very long wait. */
export function outspoken(fetch: Fetch): Fetch {
  return async function outspokenFetch(input, init) {
    const response = await fetch(input, init);
    const { ok, headers } = response;
    const isOdd = ok
      ? /^application\/json\b/i.test(headers.get('content-type') ?? '')
      : headers.has('retry-after') || headers.has('retry-after-ms');
    if (!isOdd) return response;
    const { spokenOut } = await import('./failures.ts');
    return spokenOut(response);
  };
}
