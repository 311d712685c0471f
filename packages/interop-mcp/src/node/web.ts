import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';

/**
 * Converts a request of Node.js to the web's form; undefined if that is impossible: an invalid address or host name, or
 * the method `TRACE`. Its signal fires when the client leaves.
 */
export function toRequest(incoming: IncomingMessage, outgoing: ServerResponse): Request | undefined {
  try {
    return incoming.url?.startsWith('/') === true ? requestOf(incoming, outgoing) : undefined;
  } catch {
    return undefined; // anyone can send anything
  }
}

function requestOf(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const { method = 'GET', url = '/', headers } = incoming;
  const address = `http://${headers.host ?? 'localhost'}${url}`;
  const left = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) left.abort(new Error('The client has left.'));
  });
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? '']).map((each): [string, string] => [name, each]),
  );
  return new Request(address, {
    method,
    headers: pairs,
    signal: left.signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' }),
  });
}

/** Sends a response, as fast as the client reads it. */
export async function respond(outgoing: ServerResponse, { status, headers, body }: Response): Promise<void> {
  outgoing.writeHead(status, Object.fromEntries(headers));
  if (body === null) return void outgoing.end();
  outgoing.flushHeaders();
  await pipeline(Readable.fromWeb(body as WebStream), outgoing);
}
