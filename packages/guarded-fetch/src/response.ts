import type { GuardedBody } from './body.ts';

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
  readonly body: GuardedBody | null;
}

/** A `Response` that says where it is from, as only one of the platform's own `fetch` does by itself. */
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

/** Chromium says of every stream that failed only that it failed: these say why. */
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
