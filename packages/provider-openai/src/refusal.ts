import { isObject } from '@utensil/core';
import type { ClientOptions } from 'openai';

type Fetch = NonNullable<ClientOptions['fetch']>;

/** Some gateways refuse with status 200, which to the SDK is an answer without a word. Such a refusal gets its status. */
export function withStatusOfRefusals(fetch: Fetch): Fetch {
  return async function honestFetch(input, init) {
    const response = await fetch(input, init);
    const { ok, headers } = response;
    if (!ok || !/^application\/json\b/i.test(headers.get('content-type') ?? '')) return response;
    const text = await response.text();
    return new Response(text, { status: statusIn(text), headers });
  };
}

function statusIn(text: string): number {
  try {
    const body: unknown = JSON.parse(text);
    const error = isObject(body) ? body['error'] : undefined;
    if (error === undefined || error === null) return 200;
    const code = Number(isObject(error) ? (error['code'] ?? error['status']) : undefined);
    return Number.isInteger(code) && code >= 400 && code < 600 ? code : 502;
  } catch {
    return 200; // nothing that the API says
  }
}
