import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';

/** A request as it came over the wire. */
export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  json(): unknown;
}

/** What the server answers. */
export interface Reply {
  /** Default 200. */
  readonly status?: number;
  /** Default content type: `text/event-stream`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Chunks are written one by one, each as it is. */
  readonly body?: string | readonly (string | Uint8Array)[];
  /** Milliseconds between chunks. */
  readonly delay?: number;
  /** After the body: a proper end (the default), a broken connection, or nothing at all until `close()`. */
  readonly end?: 'end' | 'destroy' | 'hang';
}

/** Answers the request with this number, from 0. A promise that never settles is a server that does not answer. */
export type Handler = (request: RecordedRequest, index: number) => Reply | Promise<Reply>;

/** A running server. It keeps no process alive. */
export interface Loopback extends AsyncDisposable {
  /** `http://127.0.0.1:…`, without a slash at its end. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** How many connections are open at the moment. */
  connections(): number;
  /** How many requests were cancelled by their client before the end of the answer. */
  cancelled(): number;
  /** Stops the server and breaks every open connection. */
  close(): Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1. */
export async function loopback(handler: Handler): Promise<Loopback> {
  const requests: RecordedRequest[] = [];
  const connections = new Set<object>();
  let cancelled = 0;
  const server = createServer((incoming, response) => {
    response.on('close', () => (cancelled += response.writableFinished ? 0 : 1));
    record(incoming)
      .then((request) => handler(request, requests.push(request) - 1))
      .then((reply) => play(reply, response))
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.on('connection', (socket) => {
    connections.add(socket.unref());
    socket.on('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => connections.size,
    cancelled: () => cancelled,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function record(incoming: IncomingMessage): Promise<RecordedRequest> {
  let body = '';
  for await (const text of incoming.setEncoding('utf8')) body += text;
  const { method = '', url = '', headers } = incoming;
  return { method, path: url, headers, body, json: () => JSON.parse(body) as unknown };
}

async function play(reply: Reply, response: ServerResponse): Promise<void> {
  const { status = 200, headers, body = [], delay = 0, end = 'end' } = reply;
  response.writeHead(status, { 'content-type': 'text/event-stream', ...headers }).flushHeaders();
  for (const [index, chunk] of (typeof body === 'string' ? [body] : body).entries()) {
    // A turn of the event loop keeps two writes from becoming one.
    if (index > 0) await (delay > 0 ? setTimeout(delay) : setImmediate());
    if (response.destroyed) return;
    await new Promise((resolve) => response.write(chunk, resolve));
  }
  if (end === 'end') response.end();
  if (end === 'destroy') response.destroy();
}

/** One server-sent event. Text goes out as it is, anything else as JSON. */
export interface ServerSentEvent {
  readonly event?: string;
  readonly data: unknown;
}

/** Server-sent events as text. */
export function sse(events: readonly ServerSentEvent[]): string {
  return events.map(frame).join('');
}

function frame({ event, data }: ServerSentEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  const lines = text.split('\n').map((line) => `data: ${line}\n`);
  return `${event === undefined ? '' : `event: ${event}\n`}${lines.join('')}\n`;
}

/** Cuts a body into chunks of bytes, in the middle of characters too. `offsets` may be any numbers, in any order. */
export function cut(body: string, offsets: readonly number[]): Uint8Array[] {
  const bytes = Buffer.from(body);
  const places = offsets.map((offset) => Math.abs(offset) % (bytes.length + 1)).sort((a, b) => a - b);
  return [0, ...places]
    .map((place, index) => new Uint8Array(bytes.subarray(place, places[index] ?? bytes.length)))
    .filter((chunk) => chunk.length > 0);
}
