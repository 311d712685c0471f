import { errorIn } from './error-in.ts';
import { retryAfter, isTooLong } from './retry-after.ts';

/** The error responses that a vendor's SDK misreads, and how to correct them. */
export interface MisreadResponses {
  /** The status that an error sent with status 200 should have. Default: 502. */
  statusOf(error: unknown): number | undefined;
  /** A header that stops the SDK's retries, or a function that rewrites a response with a `retry-after` header. */
  readonly stop: readonly [name: string, value: string] | ((response: RetryAfterResponse) => Response);
}

/** An error response with a `retry-after` header. */
export interface RetryAfterResponse {
  readonly status: number;
  readonly body: string;
  /** In the body, if it is JSON. */
  readonly error: unknown;
  /** In milliseconds. */
  readonly wait: number;
}

async function opened(response: Response, wait: number): Promise<RetryAfterResponse> {
  const body = await response.text();
  return { status: response.status, body, error: errorIn(body), wait: Math.max(0, wait) };
}

/** The response with a status and headers that the SDK understands. */
export async function correctedResponse(response: Response, { statusOf, stop }: MisreadResponses): Promise<Response> {
  if (response.ok) return withStatus(response, statusOf);
  const wait = retryAfter(response.headers);
  if (typeof stop === 'function') return wait === undefined ? response : stop(await opened(response, wait));
  return isTooLong(wait) ? withHeader(response, stop) : response;
}

async function withStatus(response: Response, statusOf: MisreadResponses['statusOf']): Promise<Response> {
  const text = await response.text();
  const error = errorIn(text);
  const status = error === undefined ? response.status : (statusOf(error) ?? 502);
  return new Response(text, { status, headers: response.headers });
}

function withHeader(response: Response, [name, value]: readonly [string, string]): Response {
  const { body, status, statusText } = response;
  const headers = new Headers(response.headers);
  headers.set(name, value);
  return new Response(body, { status, statusText, headers });
}
