import type { Connection } from '../transport.ts';

type Fetch = NonNullable<Connection['fetch']>;

/** In place of a key, for the SDK wants one. It is never sent. */
export const noKey = 'none';

/**
 * A `fetch` for servers that are not OpenAI's. The SDK sends headers about itself, for which browsers ask servers first,
 * and the names of OpenAI's organizations, which are nobody else's business; and it cannot do without a key.
 */
export function foreignFetch(given: Fetch = fetch): Fetch {
  return function fetchForeign(input, init) {
    const headers = new Headers(init?.headers);
    for (const name of [...headers.keys()]) if (/^(?:x-stainless|openai)-/.test(name)) headers.delete(name);
    if (headers.get('authorization') === `Bearer ${noKey}`) headers.delete('authorization');
    return given(input, { ...init, headers });
  };
}
