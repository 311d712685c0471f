import { request } from 'node:http';
import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { PassThrough } from 'node:stream';
import { createRegistry, emptySettings, resolveToolset } from '@utensil/core';
import { describe, expect, it, vi } from 'vitest';
import { deferred, tool, toolsetOf } from '../test-kit/served.ts';
import { serveMcpHttp, serveMcpStdio } from './index.ts';
import type { McpHttpOptions } from './index.ts';

const about = { name: 'test', version: '1.0.0' };

/** A call that waits until it is cancelled. */
function waiting() {
  const { promise: begun, resolve: begin } = deferred<AbortSignal>();
  const signals: AbortSignal[] = [];
  const wait = tool('wait', {
    timeoutMs: 0,
    execute: (_input, _options, { signal }) => {
      begin(signal);
      signals.push(signal);
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('left'), { once: true }));
    },
  });
  return { begun, wait, signals };
}

describe('over HTTP', () => {
  const serve = (options: Partial<McpHttpOptions> = {}) =>
    serveMcpHttp(toolsetOf([tool('echo')]), { ...about, ...options });
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

  it.each([
    [{ host: '0.0.0.0' }, 'auth'],
    [{ host: '::' }, 'auth'],
    [{ host: '192.0.2.1', allowedHosts: ['mcp.example.com'] }, 'auth'],
    [{ host: '0.0.0.0', allowUnauthenticated: true }, 'allowedHosts'],
  ])('refuses to start with %j, which other machines could reach', async (options, missing) => {
    await expect(serve(options)).rejects.toMatchObject({
      code: 'invalid_option',
      message: expect.stringContaining(missing) as string,
    });
  });

  it('answers at its path alone, and not after it is closed', async () => {
    const server = await serve();
    expect((await fetch(server.url, { method: 'POST', headers, body: list })).status).toBe(200);
    expect((await fetch(new URL('/', server.url), { method: 'POST', headers, body: list })).status).toBe(404);
    await server.close();
    await expect(fetch(server.url)).rejects.toThrow('fetch failed');
  });

  it('closes connections beyond its most at once, and takes others when one has ended', async () => {
    const server = await serve({ maxConnections: 1 });
    const port = Number(new URL(server.url).port);
    const held = connectSocket(port);
    await once(held, 'connect');
    const refused = connectSocket(port);
    await once(refused, 'close');
    held.destroy();
    await vi.waitFor(
      async () => {
        const socket = connectSocket(port);
        socket.write(`GET /mcp HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
        const [first] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [unknown];
        socket.destroy();
        expect(String(first)).toContain('HTTP/1.1 405');
      },
      { timeout: 100_000 },
    );
    await server.close();
  });

  it('refuses names of hosts that are not its own, as a page that rebinds its name would use them', async () => {
    const server = await serve();
    const { port } = new URL(server.url);
    const status = (host: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const sent = request({ port, path: '/mcp', method: 'POST', headers: { ...headers, host } }, (answer) => {
          resolve(answer.resume().statusCode);
        });
        sent.on('error', reject).end(list);
      });
    expect(await status(`127.0.0.1:${port}`)).toBe(200);
    expect(await status('rebound.example.com')).toBe(403);
    await server.close();
  });

  it.each([
    ['a name and a password before the host', 'POST /mcp', 'a:b@127.0.0.1'],
    ['a host that is none', 'POST /mcp', '127.0.0.1:99999'],
    ['a host with a path', 'POST /mcp', '127.0.0.1/mcp?'],
    ['a method that the web has not', 'TRACE /mcp', '127.0.0.1'],
  ])('%s ended the whole server: it is refused, and the others are answered', async (_, start, host) => {
    const server = await serve();
    const { port } = new URL(server.url);
    const answered = new Promise((resolve) => {
      const socket = connectSocket(Number(port), '127.0.0.1').on('error', resolve);
      socket.write(`${start} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      socket.once('data', (chunk: Buffer) => resolve(chunk.toString().slice(0, 10)));
      socket.once('close', () => resolve('closed'));
    });
    expect(await answered).toMatch(/^HTTP\/1\.1 4/);
    expect((await fetch(server.url, { method: 'POST', headers, body: list })).status).toBe(200);
    await server.close();
  });

  it('cancels a call whose client leaves, and goes on', async () => {
    const { begun, wait } = waiting();
    const server = await serveMcpHttp(toolsetOf([wait, tool('echo')]), about);
    const leaving = new AbortController();
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } });
    const sent = fetch(server.url, { method: 'POST', headers, body: call, signal: leaving.signal }).catch(
      () => undefined,
    );
    const signal = await begun;
    leaving.abort();
    await sent;
    await expect.poll(() => signal.aborted).toBe(true);
    expect((await fetch(server.url, { method: 'POST', headers, body: list })).status).toBe(200);
    await server.close();
  });

  it('of several calls of one id in a batch, only the last ended when their client left', async () => {
    const { signals, wait } = waiting();
    const server = await serveMcpHttp(toolsetOf([wait]), about);
    const leaving = new AbortController();
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } };
    const body = JSON.stringify([call, call, call]);
    const sent = fetch(server.url, { method: 'POST', headers, body, signal: leaving.signal }).catch(() => undefined);
    await expect.poll(() => signals.length).toBe(3);
    leaving.abort();
    await sent;
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
    await server.close();
  });

  it('closes while a client sends its request byte by byte, and while a call is under way', async () => {
    const { begun, wait } = waiting();
    const server = await serveMcpHttp(toolsetOf([wait]), about);
    const { port } = new URL(server.url);
    const slow = connectSocket(Number(port), '127.0.0.1').on('error', () => undefined);
    slow.write(
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
    );
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'wait' } });
    const sent = fetch(server.url, { method: 'POST', headers, body: call }).catch(() => undefined);
    const signal = await begun;
    await server.close();
    slow.destroy();
    await sent;
    await expect.poll(() => signal.aborted).toBe(true);
  });
});

describe('over stdio', () => {
  /** A server on streams of its own, and a client that writes lines. */
  async function open(served: Parameters<typeof serveMcpStdio>[0], more: object = {}) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const server = await serveMcpStdio(served, { ...about, streams: { input, output }, ...more });
    const lines: { id?: number; method?: string; result?: unknown; error?: { code: number } }[] = [];
    let rest = '';
    output.on('data', (chunk: Buffer) => {
      const texts = (rest + chunk.toString()).split('\n');
      rest = texts.pop() ?? '';
      lines.push(...texts.map((text) => JSON.parse(text) as object));
    });
    const send = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const answer = async (id: number) => {
      await expect.poll(() => lines.some((each) => each.id === id), { interval: 1 }).toBe(true);
      return lines.find((each) => each.id === id);
    };
    const clientInfo = { name: 'lines', version: '1' };
    async function initialize(capabilities: object = {}) {
      send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities, clientInfo } });
      await answer(0);
      send({ method: 'notifications/initialized' });
    }
    return { server, input, output, lines, send, answer, initialize };
  }

  it('[S2-41] initializes, answers pings, lists and calls, and gives bad calls their errors', async () => {
    const { send, answer, initialize, server, input } = await open(toolsetOf([tool('echo')]));
    await initialize();
    input.write('this is no JSON\n');
    send({ id: 1, method: 'ping' });
    send({ id: 2, method: 'tools/list' });
    send({ id: 3, method: 'tools/call', params: { name: 'echo' } });
    send({ id: 4, method: 'tools/call', params: { name: 'nothing' } });
    send({ id: 5, method: 'no/such/method' });
    expect(await answer(1)).toMatchObject({ result: {} });
    expect(await answer(2)).toMatchObject({
      result: { tools: [{ name: 'echo', annotations: { readOnlyHint: true } }] },
    });
    expect(await answer(3)).toMatchObject({ result: { content: [{ type: 'text', text: 'echo' }] } });
    expect(await answer(4)).toMatchObject({ error: { code: -32_602 } });
    expect(await answer(5)).toMatchObject({ error: { code: -32_601 } });
    await server.close();
  });

  it('asks a client of 2025 in the middle of its call', async () => {
    const ran: unknown[] = [];
    const save = tool('save', { effects: 'write', execute: (input) => void ran.push(input) });
    const { send, answer, initialize, lines, server } = await open(toolsetOf([save]));
    await initialize({ elicitation: {} });
    send({ id: 1, method: 'tools/call', params: { name: 'save', arguments: { n: 1 } } });
    await expect.poll(() => lines.some(({ method }) => method === 'elicitation/create')).toBe(true);
    const { id } = lines.find(({ method }) => method === 'elicitation/create') ?? {};
    expect(ran).toEqual([]);
    send({ id, result: { action: 'accept', content: { permission: 'once' } } });
    expect(await answer(1)).not.toMatchObject({ result: { isError: true } });
    expect(ran).toEqual([{ n: 1 }]);
    await server.close();
  });

  it('cancels a call that the client cancels, and all that are left when its input ends', async () => {
    const one = waiting();
    const { send, initialize, server, input } = await open(toolsetOf([one.wait]));
    await initialize();
    send({ id: 1, method: 'tools/call', params: { name: 'wait' } });
    const signal = await one.begun;
    send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await expect.poll(() => signal.aborted).toBe(true);
    input.end();
    await server.closed;
  });

  it('of several calls of one id, only the last ended with the connection', async () => {
    const { signals, wait } = waiting();
    const { send, initialize, server, input } = await open(toolsetOf([wait]));
    await initialize();
    for (let count = 0; count < 3; count++) send({ id: 1, method: 'tools/call', params: { name: 'wait' } });
    await expect.poll(() => signals.length).toBe(3);
    input.end();
    await server.closed;
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  it('tells the client that its tools have changed, once for many changes', async () => {
    const registry = createRegistry([tool('first')]);
    const { send, answer, initialize, lines, server } = await open(() => resolveToolset(registry, emptySettings, {}), {
      subscribe: (listener: () => void) => registry.subscribe(listener),
    });
    await initialize();
    send({ id: 1, method: 'tools/list' });
    await answer(1);
    registry.register(tool('second'));
    await expect.poll(() => lines.filter(({ method }) => method === 'notifications/tools/list_changed').length).toBe(1);
    send({ id: 2, method: 'tools/list' });
    expect(await answer(2)).toMatchObject({ result: { tools: [{ name: 'first' }, { name: 'second' }] } });
    await server.close();
  });

  it('answers 2,000 calls that come at once', async () => {
    const { send, answer, initialize, lines, server } = await open(toolsetOf([tool('echo')]));
    await initialize();
    for (let id = 1; id <= 2_000; id++) send({ id, method: 'tools/call', params: { name: 'echo' } });
    await answer(2_000);
    expect(lines.filter(({ result }) => result !== undefined)).toHaveLength(2_001);
    await server.close();
  });

  it('ends the connection where a message is larger than it may be', async () => {
    const { input, server } = await open(toolsetOf([]), { maxMessageBytes: 1_000 });
    input.write('x'.repeat(5_000));
    expect(await server.closed).toBeUndefined();
  });
});
