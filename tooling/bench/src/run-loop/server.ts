// A server on loopback for OpenAI's wire format: `/{session}/v1/responses` and `/{session}/v1/chat/completions`,
// streamed or not. It ignores the content of requests: each is the next one of its session, whose name describes the
// work.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerOf } from './wire.ts';
import type { Work } from './work.ts';

/** Counters of a session. */
export interface Session {
  requests: number;
  /** Raw bodies, if the session's name asks to keep them. */
  readonly bodies: string[];
}

export interface Server extends AsyncDisposable {
  /** `http://127.0.0.1:…` */
  readonly url: string;
  readonly sessions: ReadonlyMap<string, Session>;
}

/** Path of a session. Its name must be new. */
export function sessionPath({ calls, tools }: Work, name: string, keeps = false): string {
  return `${name}.${calls}.${tools}${keeps ? '.keep' : ''}`;
}

export async function startServer(): Promise<Server> {
  const sessions = new Map<string, Session>();
  const server = createServer((request, response) => {
    respond(request, response, sessions).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Map<string, Session>,
): Promise<void> {
  const [, path = '', ...rest] = (request.url ?? '').split('/');
  if (request.method === 'GET') return void response.end(JSON.stringify(sessions.get(path)));
  const [, calls, tools, keep] = path.split('.');
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const session = sessions.get(path) ?? { requests: 0, bodies: [] };
  sessions.set(path, session);
  const body = Buffer.concat(chunks);
  if (keep !== undefined) session.bodies.push(body.toString());
  const work = { calls: Number(calls), tools: Number(tools) };
  const isChat = rest.at(-1) === 'completions';
  const { type, text } = answerOf(session.requests++, work, !isChat ? 'responses' : isStream(body) ? 'chat' : 'json');
  response.writeHead(200, { 'content-type': type }).end(text);
}

function isStream(body: Buffer): boolean {
  return body.includes('"stream":true');
}
