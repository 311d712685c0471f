/** Where an answer is from. */
export interface Source {
  readonly url: URL;
  readonly redirected: boolean;
}

/** What an answer was sent as, and its body as it is given on. */
interface ResponseParts extends Source {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
}

/** A `Response` that says where it is from, as only one of the platform's own `fetch` does by itself. */
export function toResponse({ url, redirected, body, ...init }: ResponseParts): Response {
  return withSource(new Response(body, init), { url, redirected });
}

function withSource(response: Response, source: Source): Response {
  const url = new URL(source.url);
  url.hash = '';
  return Object.defineProperties(response, {
    url: { value: url.href },
    redirected: { value: source.redirected },
    clone: { value: () => withSource(Response.prototype.clone.call(response), source) },
  });
}
