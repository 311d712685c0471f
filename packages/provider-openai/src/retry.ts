import type { Connection } from './transport.ts';

type Fetch = NonNullable<Connection['fetch']>;

/** In milliseconds: for as long the SDK waits where a server asks it to. Asked for more, it would ask again much too soon. */
const longestWait = 60_000;

/** A server that asks for a longer wait is not asked again: the error tells of it at once. */
export function withoutHaste(fetch: Fetch): Fetch {
  return async function patientFetch(input, init) {
    const response = await fetch(input, init);
    if (response.ok || waitOf(response.headers) <= longestWait) return response;
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
