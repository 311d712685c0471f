import { isObject } from '@utensil/core';
import { statusOfType } from './errors.ts';

/** In milliseconds. */
const longestWait = 60_000;

/**
 * The same response as the SDK understands it. A refusal with status 200, which to the SDK is an answer without a word,
 * has its status. And who asks for a wait of more than a minute is not asked again: the SDK would wait for hours even,
 * and nobody is told; so the error tells of it at once.
 */
export async function spokenOut(response: Response): Promise<Response> {
  const { ok, status, statusText, body } = response;
  const headers = new Headers(response.headers);
  const isLong = waitOf(headers) > longestWait;
  if (isLong) headers.set('x-should-retry', 'false');
  if (ok && /^application\/json\b/i.test(headers.get('content-type') ?? '')) {
    const text = await response.text();
    return new Response(text, { status: statusIn(text), headers });
  }
  return isLong ? new Response(body, { status, statusText, headers }) : response;
}

function statusIn(text: string): number {
  try {
    const body: unknown = JSON.parse(text);
    const error = isObject(body) ? body['error'] : undefined;
    if (error === undefined || error === null) return 200;
    return statusOfType.get(isObject(error) ? error['type'] : undefined) ?? 502;
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
