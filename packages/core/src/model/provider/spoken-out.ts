import { isObject } from '../../base/json.ts';
import { askedWait, isTooLong } from './wait.ts';

/** What an SDK has to be shown. */
export interface Refusals {
  /** The status that an error has which came with status 200. Default: 502. */
  statusOf(error: unknown): number | undefined;
  /** A header that keeps the SDK from asking again. */
  readonly stop: readonly [name: string, value: string];
}

/**
 * The same response as an SDK understands it: a refusal with status 200, which to the SDK is an answer without a word, has
 * its status; and a server that asks for more than a minute is not asked again, so that the error says so at once.
 */
export async function spokenOut(response: Response, { statusOf, stop }: Refusals): Promise<Response> {
  const { ok, status, statusText, body } = response;
  if (ok) return withStatus(response, statusOf);
  if (!isTooLong(askedWait(response.headers))) return response;
  const headers = new Headers(response.headers);
  headers.set(...stop);
  return new Response(body, { status, statusText, headers });
}

/** The same response with the status of the error that its body is, if it is one. */
export async function withStatus(response: Response, statusOf: Refusals['statusOf']): Promise<Response> {
  const text = await response.text();
  const error = errorIn(text);
  const status = error === undefined ? response.status : (statusOf(error) ?? 502);
  return new Response(text, { status, headers: response.headers });
}

/** The error in the body of a response; undefined if there is none, or if the body is no JSON. */
export function errorIn(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return (isObject(value) ? value['error'] : undefined) ?? undefined;
  } catch {
    return undefined;
  }
}
