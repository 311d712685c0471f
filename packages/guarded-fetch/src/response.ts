import type { GuardedBody } from './body.ts';

/** Origin of a response. */
export interface Source {
  readonly url: URL;
  readonly redirected: boolean;
}

/** Metadata and body of a response. */
interface ResponseParts extends Source {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: GuardedBody | null;
}

/** Creates a `Response` with a URL, which otherwise only the platform's `fetch` can set. */
export function toResponse({ url, redirected, body, ...init }: ResponseParts): Response {
  const address = new URL(url);
  address.hash = '';
  const members = { url: { value: address.href }, redirected: { value: redirected } };
  return withMembers(new Response(body?.stream ?? null, init), { ...members, ...readersOf(body) });
}

function withMembers(response: Response, members: PropertyDescriptorMap): Response {
  const clone = (): Response => withMembers(Response.prototype.clone.call(response), members);
  return Object.defineProperties(response, { ...members, clone: { value: clone } });
}

const readers = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as const;

/** Body readers that report the actual error; Chromium reports only that a stream failed. */
function readersOf(body: GuardedBody | null): PropertyDescriptorMap {
  const present = readers.filter((name) => name in Response.prototype);
  return Object.fromEntries(present.map((name) => [name, { value: readerOf(name, body) }]));
}

function readerOf(name: (typeof readers)[number], body: GuardedBody | null) {
  return async function read(this: Response): Promise<unknown> {
    try {
      return await Response.prototype[name].call(this);
    } catch (error) {
      throw body?.problem() ?? error;
    }
  };
}
