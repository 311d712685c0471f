import { errorIn, retryAfter } from './response-error.ts';

/** Error responses that a vendor's SDK misreads, and their correction. */
export interface MisreadResponses {
  /** Correct status of an error sent with status 200. Default: 502. */
  statusOf(error: unknown): number | undefined;
  /** Replacement for a response with a `retry-after` header, if the SDK drops the headers of errors. */
  keepWait?(response: RetryAfterResponse): Response;
}

/** An error response with a `retry-after` header. */
export interface RetryAfterResponse {
  readonly status: number;
  readonly body: string;
  /** Parsed body, if it is JSON. */
  readonly error: unknown;
  /** In milliseconds. */
  readonly wait: number;
}

async function opened(response: Response, wait: number): Promise<RetryAfterResponse> {
  const body = await response.text();
  return { status: response.status, body, error: errorIn(body), wait: Math.max(0, wait) };
}

/** A response with a status and headers that the SDK understands. */
export async function correctedResponse(
  response: Response,
  { statusOf, keepWait }: MisreadResponses,
): Promise<Response> {
  if (response.ok) return withStatus(response, statusOf);
  const wait = retryAfter(response.headers);
  return wait === undefined || keepWait === undefined ? response : keepWait(await opened(response, wait));
}

async function withStatus(response: Response, statusOf: MisreadResponses['statusOf']): Promise<Response> {
  const text = await response.text();
  const error = errorIn(text);
  const status = error === undefined ? response.status : (statusOf(error) ?? 502);
  return new Response(text, { status, headers: response.headers });
}
