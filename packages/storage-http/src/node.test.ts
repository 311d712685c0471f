// Malformed requests over a socket.

import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { memoryStorage } from '@utensil/storage-memory';
import { afterEach, expect, it } from 'vitest';
import { nodeListener } from './node.ts';
import { bearerTokens, serveStorage } from './server.ts';

const token = 'the-token-of-the-writer';
const authorize = bearerTokens([{ token, canWrite: true }]);
const head = `Host: x\r\nAuthorization: Bearer ${token}\r\n`;
const commitHead = `${head}Content-Type: application/vnd.utensil.commit\r\nIdempotency-Key: a-key-that-is-one\r\n`;

let close = async (): Promise<void> => {};
afterEach(() => close());

/** A server, and its response to some bytes before either side closes the connection. */
async function serve(options = {}) {
  const storage = memoryStorage();
  const server = createServer(nodeListener(serveStorage(storage, { authorize, ...options })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const { port } = server.address() as AddressInfo;
  const tell = (text: string | readonly string[], { isCut = false } = {}): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let answer = '';
      socket.on('data', (part) => (answer += String(part)));
      socket.on('error', () => {});
      socket.on('close', () => resolve(answer));
      for (const part of [text].flat()) socket.write(part);
      if (isCut) socket.end();
    });
  return { storage, tell };
}

it.each([
  'GET //evil.example/v1/stat HTTP/1.1',
  'GET http://evil.example/v1/stat HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'GET /v1/read?path=%ff%00%zz HTTP/1.1',
  'GET http:// HTTP/1.1',
  'TRACE /v1/stat HTTP/1.1',
  'GET /v1/list?tree=files&path=/&depth=1&limit=1 HTTP/1.1',
])('continues after %s', async (line) => {
  const { tell } = await serve();
  const answer = await tell(`${line}\r\n${head}Connection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 (?:200|4\d\d) /);
  const next = await tell(
    `GET /v1/list?tree=files&path=/&depth=1&limit=1 HTTP/1.1\r\n${head}Connection: close\r\n\r\n`,
  );
  expect(next).toMatch(/^HTTP\/1\.1 200 /);
});

it('commits nothing of a request that ends in its middle', async () => {
  const { storage, tell } = await serve();
  const line = '{"expect":[],"changes":[{"type":"write","tree":"files","path":"/a","size":5}],"time":0}\n';
  await tell(`POST /v1/commit HTTP/1.1\r\n${commitHead}Content-Length: ${line.length + 5}\r\n\r\n${line}hel`, {
    isCut: true,
  });
  expect(await storage.stat([{ tree: 'files', path: '/a' }])).toEqual([undefined]);
  const whole = `POST /v1/commit HTTP/1.1\r\n${commitHead}Content-Length: ${line.length + 5}\r\nConnection: close\r\n\r\n`;
  expect(await tell([whole, line, 'hel', 'lo'])).toMatch(/^HTTP\/1\.1 200 /);
});

it('reads no more of a body than it takes', async () => {
  const { tell } = await serve({ maxBodyBytes: 1000 });
  const part = `${(100_000).toString(16)}\r\n${'x'.repeat(100_000)}\r\n`;
  const start = `POST /v1/commit HTTP/1.1\r\n${commitHead}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
  expect(await tell([start, part, part, part, '0\r\n\r\n'])).toMatch(/^HTTP\/1\.1 413 /);
});

it('answers an unauthorized client without reading its body', async () => {
  const { tell } = await serve();
  const start = `POST /v1/commit HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\nConnection: close\r\n\r\n`;
  expect(await tell([start, 'x'.repeat(3_000_000)])).toMatch(/^HTTP\/1\.1 401 /);
});

it('ends early if the storage does', async () => {
  const failing = async (): Promise<Response> =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('half')),
        pull: (controller) => controller.error(new Error('no more')),
      }),
    );
  const server = createServer(nodeListener(failing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => new Promise((resolve) => void server.close(() => resolve()));
  const { port } = server.address() as AddressInfo;
  await expect(fetch(`http://127.0.0.1:${port}/`).then((response) => response.text())).rejects.toThrow(
    /terminated|fetch failed/,
  );
});
