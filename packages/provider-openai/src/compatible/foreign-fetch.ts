import { isObject } from '@utensil/core';
import type { Connection } from '../transport.ts';

type Fetch = NonNullable<Connection['fetch']>;

/** In place of a key, for the SDK wants one. It is never sent. */
export const noKey = 'none';

/**
 * A `fetch` for servers that are not OpenAI's. The SDK sends headers about itself, which make browsers ask first and
 * servers refuse; it cannot do without a key; and a refusal with status 200 is to it an answer without a word.
 */
export function foreignFetch(given: Fetch = fetch): Fetch {
  return async function fetchForeign(input, init) {
    const headers = new Headers(init?.headers);
    for (const name of [...headers.keys()]) if (/^(?:x-stainless|openai)-/.test(name)) headers.delete(name);
    if (headers.get('authorization') === `Bearer ${noKey}`) headers.delete('authorization');
    return withItsStatus(await given(input, { ...init, headers }));
  };
}

async function withItsStatus(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (!response.ok || !/^application\/json\b/i.test(headers.get('content-type') ?? '')) return response;
  const text = await response.text();
  const error = errorIn(text);
  if (error === undefined) return new Response(text, { status, headers });
  return new Response(JSON.stringify({ error }), { status: statusOf(error), headers });
}

function errorIn(text: string): object | undefined {
  try {
    const body: unknown = JSON.parse(text);
    const error = isObject(body) ? body['error'] : undefined;
    return typeof error === 'string' ? { message: error } : isObject(error) ? error : undefined;
  } catch {
    return undefined;
  }
}

/** One that says nothing of its kind is the server's own. */
function statusOf(error: object): number {
  const code = 'code' in error ? Number(error.code) : Number.NaN;
  return Number.isInteger(code) && code >= 400 && code < 600 ? code : 502;
}
