import { failed } from './refusal.ts';

/** One request of a redirect chain. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

/** Request options of the caller, apart from the {@link Hop}. */
export interface FetchRequest {
  readonly hop: Hop;
  readonly redirect: RequestRedirect;
}

/** Reads the request options for `url`. The body is buffered, so that it can be sent twice. */
export async function toFetchRequest(
  url: URL,
  input: RequestInfo | URL,
  init: RequestInit | undefined,
): Promise<FetchRequest> {
  const given = input instanceof Request ? input : url;
  const request = toRequest(url, given, init);
  const { method, headers, redirect } = request;
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  return { hop: { url, method, headers: new Headers(headers), body }, redirect };
}

/** The abort signal of a request. */
export function signalOf(input: RequestInfo | URL, init: RequestInit | undefined): AbortSignal | undefined {
  return init?.signal ?? (input instanceof Request ? input.signal : undefined);
}

function toRequest(url: URL, given: Request | URL, init: RequestInit | undefined): Request {
  try {
    return new Request(given, { ...init, signal: null }); // a Request would listen to the signal for as long as the caller keeps it
  } catch (error) {
    throw failed(url, 'cannot be requested: the method, the headers or the body are invalid.', error);
  }
}

const redirecting: readonly number[] = [301, 302, 303, 307, 308];

/** Headers that may be sent to another origin: who asks and for what, never credentials. */
const impersonal: readonly string[] = [
  'accept',
  'accept-encoding',
  'accept-language',
  'content-language',
  'content-type',
  'range',
  'user-agent',
];

/** Target of a redirect; undefined for other responses. */
export function redirectOf({ url }: Hop, status: number, location: string | undefined): URL | undefined {
  if (location === undefined || !redirecting.includes(status)) return undefined;
  if (!URL.canParse(location, url)) throw failed(url, 'redirects to an invalid address.');
  return new URL(location, url);
}

/** The request after a redirect: https://fetch.spec.whatwg.org/#http-redirect-fetch */
export function nextHop({ url, method, headers, body }: Hop, status: number, next: URL): Hop {
  const becomesGet =
    status === 303 ? method !== 'GET' && method !== 'HEAD' : [301, 302].includes(status) && method === 'POST';
  const kept = [...headers].filter(
    ([name]) =>
      (url.origin === next.origin || impersonal.includes(name)) && !(becomesGet && name.startsWith('content-')),
  );
  return {
    url: next,
    method: becomesGet ? 'GET' : method,
    headers: new Headers(kept),
    body: becomesGet ? undefined : body,
  };
}
