import { errorIn } from './error-in.ts';
import { askedWait, isTooLong } from './asked-wait.ts';

/** How a vendor refuses, and how its SDK can be told so. */
export interface Refusals {
  /** The status that an error has which came with status 200. Default: 502. */
  statusOf(error: unknown): number | undefined;
  /** A header that keeps the SDK from asking again; or what else shows it the wait for which a server asks, in milliseconds. */
  readonly stop: readonly [name: string, value: string] | ((refusal: OpenRefusal) => Response);
}

/** A refusal whose server asks to wait. */
export interface OpenRefusal {
  readonly status: number;
  readonly body: string;
  /** In the body, if it is JSON. */
  readonly error: unknown;
  /** In milliseconds. */
  readonly wait: number;
}

async function opened(response: Response, wait: number): Promise<OpenRefusal> {
  const body = await response.text();
  return { status: response.status, body, error: errorIn(body), wait: Math.max(0, wait) };
}

/** The same response as an SDK understands it. */
export async function spokenOut(response: Response, { statusOf, stop }: Refusals): Promise<Response> {
  if (response.ok) return withStatus(response, statusOf);
  const wait = askedWait(response.headers);
  if (typeof stop === 'function') return wait === undefined ? response : stop(await opened(response, wait));
  return isTooLong(wait) ? withHeader(response, stop) : response;
}

async function withStatus(response: Response, statusOf: Refusals['statusOf']): Promise<Response> {
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
