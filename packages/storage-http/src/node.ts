import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Adapts a `fetch` handler to a `node:http` server.
 *
 * @example
 * ```ts no-run
 * import { createServer } from 'node:http';
 * import { nodeListener } from '@utensil/storage-http/node';
 * import { bearerTokens, serveStorage } from '@utensil/storage-http/server';
 * import { memoryStorage } from '@utensil/storage-memory';
 *
 * const authorize = bearerTokens([{ token: process.env['STORAGE_TOKEN'] ?? '', canWrite: true }]);
 * createServer(nodeListener(serveStorage(memoryStorage(), { authorize }))).listen(8080);
 * ```
 */
export function nodeListener(handle: (request: Request) => Promise<Response>) {
  return async function listener(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const gone = new AbortController();
    outgoing.once('close', () => outgoing.writableFinished || gone.abort());
    try {
      const response = await handle(toRequest(incoming, gone.signal));
      outgoing.setHeaders(response.headers).writeHead(response.status);
      if (response.body !== null) await send(response.body, outgoing, gone.signal);
      outgoing.end();
    } catch {
      if (!outgoing.headersSent) outgoing.writeHead(400).end();
      else outgoing.destroy();
    }
    incoming.resume(); // discards the unread body
  };
}

/** Sends a body with backpressure. */
async function send(body: ReadableStream<Uint8Array>, outgoing: ServerResponse, gone: AbortSignal): Promise<void> {
  if (gone.aborted) return body.cancel();
  const reader = body.getReader();
  gone.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    if (!outgoing.write(value)) await once(outgoing, 'drain', { signal: gone });
  }
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', headers } = incoming;
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
  const body = hasBody ? { body: bodyOf(incoming), duplex: 'half' } : {};
  return new Request(new URL(url, 'http://localhost'), { method, headers: sent, signal, ...body });
}

/** Reads a body with backpressure; an unwanted body is discarded. */
function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let isWanted = true;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const fail = (): void => controller.error(new Error('The request was truncated.'));
      incoming.pause();
      incoming.on('data', (part: Uint8Array) => {
        if (!isWanted) return;
        controller.enqueue(new Uint8Array(part));
        incoming.pause();
      });
      incoming.once('end', () => isWanted && controller.close());
      incoming.once('error', fail);
      incoming.once('close', () => incoming.complete || fail());
    },
    pull: () => void incoming.resume(),
    cancel() {
      isWanted = false;
      incoming.resume();
    },
  });
}
