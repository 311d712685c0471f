import { isObject } from '@utensil/core';

/** In milliseconds: for as long the SDK waits where a server asks it to. Asked for more, it would ask again much too soon. */
const longestWait = 60_000;

/**
 * The same response as the SDK understands it: a refusal with status 200, which to the SDK is an answer without a word,
 * has its status; and a server that asks for a longer wait is not asked again, so that the error tells of it at once.
 */
export async function spokenOut(response: Response): Promise<Response> {
  const { ok, status, statusText, body } = response;
  const headers = new Headers(response.headers);
  if (ok) {
    const text = await response.text();
    return new Response(text, { status: statusIn(text), headers });
  }
  if (waitOf(headers) <= longestWait) return response;
  headers.set('x-should-retry', 'false');
  return new Response(body, { status, statusText, headers });
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

function waitOf(headers: Headers): number {
  const milliseconds = Number(headers.get('retry-after-ms'));
  const asked = headers.get('retry-after') ?? '0';
  const seconds = Number(asked);
  return milliseconds || (Number.isNaN(seconds) ? Date.parse(asked) - Date.now() : seconds * 1_000);
}
