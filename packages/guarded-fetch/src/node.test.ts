// Responses and limits of a guarded fetch, over real sockets.

import { getEventListeners } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { isUtensilError } from '@utensil/core';
import { loopback } from '@utensil/tooling-loopback';
import type { Handler, Loopback } from '@utensil/tooling-loopback';
import { afterEach, describe, expect, it } from 'vitest';
import { guardedFetch } from './node.ts';
import type { NodeGuardOptions } from './node.ts';

const open: (Loopback | Server)[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** A server, and a fetch that may reach it. */
async function serve(handler: Handler, options: NodeGuardOptions = {}) {
  const server = await loopback(handler);
  open.push(server);
  const fetch = guardedFetch({ allowPrivate: [new URL(server.url).host], ...options });
  return { server, url: server.url, fetch };
}

/** A server that answers with these bytes to whatever it is asked, and says no more. */
async function serveRaw(parts: Iterable<string>): Promise<string> {
  const server = createServer((socket) => {
    const waiting = parts[Symbol.iterator]();
    const next = (): void => {
      const { done, value } = waiting.next();
      if (done !== true && !socket.destroyed) socket.write(value, () => setTimeout(next, 5));
    };
    socket.on('error', () => {});
    socket.once('data', next);
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Value of a promise, or its error code. */
async function outcome(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => (isUtensilError(error) ? error.code : error));
}

function* repeat(first: string, then: string): Generator<string> {
  yield first;
  for (;;) yield then;
}

const local = { allowPrivate: ['127.0.0.1'] };

describe('an answer', () => {
  it('is one of the platform, with its status, headers and body', async () => {
    const headers = { 'content-type': 'text/plain; charset=latin1', 'x-name': 'a, b' };
    const { fetch, url } = await serve(() => ({ status: 404, headers, body: [Uint8Array.of(0xe9, 0x0a)] }));
    const response = await fetch(`${url}/a?b=c#d`);
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.ok, response.statusText]).toEqual([404, false, 'Not Found']);
    expect([response.url, response.redirected]).toEqual([`${url}/a?b=c`, false]);
    expect([response.headers.get('content-type'), response.headers.get('x-name')]).toEqual(Object.values(headers));
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(Uint8Array.of(0xe9, 0x0a));
  });

  it('can be cloned, read twice, and knows where it is from', async () => {
    const { fetch, url } = await serve(({ path }) =>
      path === '/' ? { status: 302, headers: { location: '/there' } } : { body: '{"a":1}' },
    );
    const response = await fetch(url);
    const copy = response.clone().clone();
    expect([copy.url, copy.redirected, response.redirected]).toEqual([`${url}/there`, true, true]);
    expect([await copy.json(), await response.text()]).toEqual([{ a: 1 }, '{"a":1}']);
  });

  it.each([204, 205, 304])('has no body with status %d', async (status) => {
    const { fetch, url, server } = await serve(() => ({ status }));
    const response = await fetch(url);
    expect([response.status, response.body]).toEqual([status, null]);
    await expect.poll(server.connections).toBe(0);
  });

  it('has no body for HEAD', async () => {
    const { fetch, url, server } = await serve(() => ({
      headers: { 'content-length': '99', 'content-encoding': 'gzip' },
    }));
    const response = await fetch(url, { method: 'HEAD' });
    expect([response.body, response.headers.get('content-length')]).toEqual([null, '99']);
    await expect.poll(server.connections).toBe(0);
  });

  it.each([
    ['gzip', gzipSync('hello')],
    ['x-gzip', gzipSync('hello')],
    ['GZIP', gzipSync('hello')],
    ['deflate', deflateSync('hello')],
    ['br', brotliCompressSync('hello')],
    ['gzip, br', brotliCompressSync(gzipSync('hello'))],
    ['identity', Buffer.from('hello')],
    ['unheard-of', Buffer.from('hello')],
  ])('is decompressed from %s', async (encoding, body) => {
    const { fetch, url } = await serve(() => ({ headers: { 'content-encoding': encoding }, body: [body] }));
    expect(await (await fetch(url)).text()).toBe('hello');
  });

  it('may be empty where it says to be compressed', async () => {
    const { fetch, url } = await serve(() => ({ headers: { 'content-encoding': 'gzip' } }));
    expect(await (await fetch(url)).text()).toBe('');
  });
});

describe('a request', () => {
  it('has default headers for user agent and content, unless the caller sets them', async () => {
    const { fetch, url, server } = await serve(() => ({}));
    await fetch(url);
    await fetch(url, {
      headers: { 'user-agent': 'mine', accept: 'text/html', 'accept-encoding': 'identity', range: 'bytes=0-9' },
    });
    await fetch(url, { headers: { range: 'bytes=0-9' } });
    const { host } = new URL(url);
    const usual = { accept: '*/*', 'accept-encoding': 'br, gzip', 'user-agent': 'Utensil', host, connection: 'close' };
    expect(server.requests.map(({ headers }) => headers)).toEqual([
      usual,
      { ...usual, 'user-agent': 'mine', accept: 'text/html', 'accept-encoding': 'identity', range: 'bytes=0-9' },
      { ...usual, 'accept-encoding': 'identity', range: 'bytes=0-9' },
    ]);
  });

  it('says what the app wants it to', async () => {
    const { fetch, url, server } = await serve(() => ({}), { userAgent: 'App/1.0 (+https://example.com/)' });
    await fetch(url);
    expect(server.requests[0]?.headers['user-agent']).toBe('App/1.0 (+https://example.com/)');
  });

  it.each(['host', 'connection', 'content-length', 'transfer-encoding', 'proxy-authorization', 'upgrade', 'expect'])(
    'takes no %s header of its caller',
    async (name) => {
      const { fetch, url, server } = await serve(() => ({ body: 'ok' }));
      expect(await (await fetch(url, { headers: { [name]: '99' }, method: 'POST', body: 'a' })).text()).toBe('ok');
      expect(server.requests[0]?.headers[name]).not.toBe('99');
      expect(server.requests[0]?.body).toBe('a');
    },
  );

  it('has any body that the platform takes', async () => {
    const { fetch, url, server } = await serve(() => ({}));
    const form = new FormData();
    form.set('name', 'value');
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('streamed'));
        controller.close();
      },
    });
    await fetch(url, { method: 'POST', body: new URLSearchParams({ a: 'b' }) });
    await fetch(new Request(url, { method: 'PUT', body: 'text', headers: { 'x-a': 'b' } }));
    await fetch(url, { method: 'POST', body: form });
    await fetch(url, { method: 'POST', body: stream, ...{ duplex: 'half' } });
    expect(server.requests.map(({ method, body }) => [method, body])).toEqual([
      ['POST', 'a=b'],
      ['PUT', 'text'],
      ['POST', expect.stringContaining('name="name"\r\n\r\nvalue')],
      ['POST', 'streamed'],
    ]);
    expect(server.requests.map(({ headers }) => headers['content-type'])).toEqual([
      'application/x-www-form-urlencoded;charset=UTF-8',
      'text/plain;charset=UTF-8',
      expect.stringMatching(/^multipart\/form-data; boundary=/),
      undefined,
    ]);
  });

  it.each([
    { method: 'TRACE' },
    { method: 'a b' },
    { body: 'a' },
    { headers: { 'a b': 'c' } },
    { headers: { a: 'b\r\nc: d' } },
  ])('is refused with %o', async (init) => {
    const { fetch, url, server } = await serve(() => ({}));
    await expect(fetch(url, init)).rejects.toMatchObject({ code: 'fetch_failed' });
    expect(server.requests).toEqual([]);
  });
});

/** Every request that a fetch makes for one that is redirected with this status, as the server sees them. */
async function hopsOf(fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<string[]> {
  const response = await fetch(url, { ...init, headers: { authorization: 'a', 'content-language': 'de' } });
  return JSON.parse(response.headers.get('x-hops') ?? '') as string[];
}

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])(
    'with status %d change method, body and headers as those of the platform',
    async (status) => {
      const hops: string[] = [];
      const { fetch, url } = await serve(({ path, method, headers, body }) => {
        const kept = ['authorization', 'content-type', 'content-language'].filter((name) => name in headers);
        hops.push([method, body, ...kept].join(' '));
        if (path === '/') return { status, headers: { location: '/there' } };
        return { headers: { 'x-hops': JSON.stringify(hops.splice(0)) } };
      });
      for (const init of [
        {},
        { method: 'HEAD' },
        { method: 'DELETE' },
        { method: 'POST', body: 'a' },
        { method: 'PUT', body: 'a' },
      ])
        expect(await hopsOf(fetch, url, init)).toEqual(await hopsOf(globalThis.fetch, url, init));
    },
  );

  const countdown: Handler = ({ path }) => {
    const left = Number(path.slice(1));
    return left === 0 ? { body: 'there' } : { status: 302, headers: { location: `/${left - 1}` } };
  };

  it.each([0, 1, 2, 3, 4, 5])('are followed if there are %d', async (count) => {
    const { fetch, url, server } = await serve(countdown);
    const response = await fetch(`${url}/${count}#part`);
    expect([await response.text(), response.url, response.redirected]).toEqual(['there', `${url}/0`, count > 0]);
    expect(server.requests.length).toBe(count + 1);
    await expect.poll(server.connections).toBe(0);
  });

  it('leave no connection open whose body nobody reads', async () => {
    const { fetch, url, server } = await serve(({ path }) =>
      path === '/' ? { status: 302, headers: { location: '/there' }, body: 'a', end: 'hang' } : { body: 'there' },
    );
    expect(await (await fetch(url)).text()).toBe('there');
    await expect.poll(server.connections).toBe(0);
  });

  it('are too many if there are 6', async () => {
    const { fetch, url, server } = await serve(countdown);
    await expect(fetch(`${url}/6`)).rejects.toMatchObject({
      code: 'fetch_failed',
      message: `${new URL(url).host} redirects again after 5 redirects, which is the limit.`,
    });
    expect(server.requests.length).toBe(6);
    await expect.poll(server.connections).toBe(0);
  });

  it('are as many as the app says', async () => {
    const { fetch, url } = await serve(countdown, { maxRedirects: 0 });
    expect(await (await fetch(`${url}/0`)).text()).toBe('there');
    await expect(fetch(`${url}/1`)).rejects.toMatchObject({ code: 'fetch_failed' });
  });

  it('are an error or an answer where the caller wants that', async () => {
    const { fetch, url } = await serve(countdown);
    await expect(fetch(`${url}/1`, { redirect: 'error' })).rejects.toMatchObject({ code: 'fetch_failed' });
    const response = await fetch(`${url}/1`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location'), response.redirected]).toEqual([302, '/0', false]);
  });

  it('go where UTF-8 in a header says', async () => {
    const url = await serveRaw(['HTTP/1.1 302 Found\r\nlocation: http://münchen.example:22/\r\n\r\n']);
    await expect(guardedFetch(local)(url)).rejects.toThrow('xn--mnchen-3ya.example');
  });

  it.each([
    [302, {}],
    [300, { location: '/b' }],
    [304, { location: '/b' }],
    [200, { location: '/b' }],
  ])('are none with status %d and %o', async (status, headers) => {
    const { fetch, url } = await serve(() => ({ status, headers }));
    const response = await fetch(url);
    expect([response.status, response.redirected]).toEqual([status, false]);
  });

  it('fail where they lead to no address', async () => {
    const { fetch, url } = await serve(() => ({ status: 302, headers: { location: 'http://[' } }));
    await expect(fetch(url)).rejects.toMatchObject({ code: 'fetch_failed' });
  });

  it('carry no key to another origin, and all of them within one', async () => {
    const there = await serve(() => ({ body: 'ok' }));
    const location = (path: string): string => (path === '/a' ? '/b' : there.url);
    const here = await serve(({ path }) => ({ status: 307, headers: { location: location(path) } }));
    const secrets = { authorization: 'Bearer a', cookie: 'a=b', 'x-api-key': 'a', 'private-token': 'a' };
    const harmless = { accept: 'text/html', 'accept-language': 'de', 'content-type': 'application/json' };
    const fetch = guardedFetch(local);
    await fetch(`${here.url}/a`, { method: 'POST', body: '{}', headers: { ...secrets, ...harmless } });
    expect(here.server.requests.map(({ headers }) => headers)).toEqual([
      expect.objectContaining({ ...secrets, ...harmless }),
      expect.objectContaining({ ...secrets, ...harmless }),
    ]);
    const [arrived] = there.server.requests;
    expect([arrived?.method, arrived?.body]).toEqual(['POST', '{}']);
    expect(arrived?.headers).toMatchObject(harmless);
    for (const name of Object.keys(secrets)) expect(arrived?.headers).not.toHaveProperty(name);
  });
});

describe('sizes', () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000));

  it('are counted after decompression', async () => {
    expect(bomb.length).toBeLessThan(20_000);
    const { fetch, url, server } = await serve(() => ({ headers: { 'content-encoding': 'gzip' }, body: [bomb] }), {
      maxBytes: 1_000_000,
    });
    const response = await fetch(url);
    await expect(response.text()).rejects.toMatchObject({
      code: 'fetch_too_large',
      message: expect.stringContaining('sent more than 1000000 bytes'),
    });
    await expect.poll(server.connections).toBe(0);
  });

  it('hold if it is compressed twice, and no more than three times', async () => {
    const { fetch, url } = await serve(
      ({ path }) => ({
        headers: { 'content-encoding': path.slice(1) },
        body: [gzipSync(gzipSync(Buffer.alloc(10_000_000)))],
      }),
      { maxBytes: 1000 },
    );
    await expect((await fetch(`${url}/gzip,gzip`)).text()).rejects.toMatchObject({ code: 'fetch_too_large' });
    await expect(fetch(`${url}/gzip,gzip,gzip,gzip`)).rejects.toMatchObject({ code: 'fetch_failed' });
  });

  it.each([
    [0, 0],
    [0, 1],
    [9, 10],
    [10, 10],
    [11, 10],
    [1_000_000, 999_999],
  ])('of %d bytes and a limit of %d', async (size, maxBytes) => {
    const { fetch, url } = await serve(() => ({ body: ['x'.repeat(size)] }), { maxBytes });
    const length = outcome(fetch(url).then(async (response) => (await response.text()).length));
    expect(await length).toBe(size > maxBytes ? 'fetch_too_large' : size);
  });

  it('give what there is space for before they fail', async () => {
    const { fetch, url } = await serve(() => ({ body: ['abc', 'def', 'ghi'] }), { maxBytes: 5 });
    const reader = (await fetch(url)).body?.getReader();
    let text = '';
    const reading = async (): Promise<void> => {
      for (;;) {
        const part = await reader?.read();
        if (part === undefined || part.done) return;
        text += new TextDecoder().decode(part.value);
      }
    };
    await expect(reading()).rejects.toMatchObject({ code: 'fetch_too_large' });
    expect(text).toBe('abcde');
  });

  it('are not those of a server that never stops', async () => {
    const url = await serveRaw(repeat('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(100_000)));
    const response = await guardedFetch({ ...local, maxBytes: 1_000_000 })(url);
    await expect(response.arrayBuffer()).rejects.toMatchObject({ code: 'fetch_too_large' });
  });
});

describe('time', () => {
  const never = new Promise<never>(() => {});

  it('ends for a server that does not answer', async () => {
    const { fetch, url, server } = await serve(() => never, { headersTimeoutMs: 50 });
    await expect(fetch(url)).rejects.toMatchObject({ code: 'fetch_timeout', retryable: true });
    await expect.poll(server.connections).toBe(0);
  });

  it.each([
    ['its headers', 'HTTP/1.1 200 OK\r\nx: ', 'x'],
    ['its status', '', 'H'],
    ['ever more interim answers', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('ends for a server that sends %s bit by bit', async (_, first, then) => {
    const url = await serveRaw(repeat(first, then));
    const limits = { ...local, headersTimeoutMs: 100 };
    await expect(guardedFetch(limits)(url)).rejects.toMatchObject({
      code: expect.stringMatching(/^fetch_(?:timeout|failed)$/),
    });
  });

  it('ends for a body that comes bit by bit', async () => {
    const url = await serveRaw(repeat('HTTP/1.1 200 OK\r\n\r\n', 'x'));
    const fetch = guardedFetch({ ...local, timeoutMs: 200 });
    expect(await outcome(fetch(url).then((response) => response.text()))).toBe('fetch_timeout');
  });

  it('ends for a body that nobody reads', async () => {
    const { fetch, url, server } = await serve(() => ({ body: 'a', end: 'hang' }), { timeoutMs: 3_000 });
    const response = await fetch(url);
    await expect.poll(server.connections).toBe(0);
    expect(await outcome(response.text())).toBe('fetch_timeout');
  });

  it('ends for redirects that each take their time', async () => {
    const slow: Handler = async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return { status: 302, headers: { location: `/${index}` } };
    };
    const { fetch, url } = await serve(slow, { maxRedirects: 1000, timeoutMs: 300 });
    await expect(fetch(url)).rejects.toMatchObject({ code: 'fetch_timeout' });
  });

  it('ends for a name that is looked up for ever, and for a body that is never sent', async () => {
    const resolve = (): Promise<never> => never;
    await expect(guardedFetch({ resolve, headersTimeoutMs: 20 })('http://a.example/')).rejects.toMatchObject({
      code: 'fetch_timeout',
    });
    const body = { method: 'POST', body: new ReadableStream(), duplex: 'half' };
    await expect(guardedFetch({ timeoutMs: 20 })('http://a.example/', body)).rejects.toMatchObject({
      code: 'fetch_timeout',
    });
  });

  it('is the server’s for headers, and not counted on for the body', async () => {
    const { fetch, url } = await serve(() => ({ body: ['a', 'b'], delay: 2_500 }), { headersTimeoutMs: 2_000 });
    expect(await (await fetch(url)).text()).toBe('ab');
  });
});

describe('giving up', () => {
  const reason = new Error('enough');

  it('sends nothing if it was cancelled before', async () => {
    const { fetch, url, server } = await serve(() => ({}));
    await expect(fetch(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    await expect(fetch(new Request(url, { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(server.requests).toEqual([]);
  });

  it('ends a request that is not answered yet', async () => {
    const controller = new AbortController();
    const { fetch, url, server } = await serve(() => {
      controller.abort(reason);
      return new Promise(() => {});
    });
    await expect(fetch(url, { signal: controller.signal })).rejects.toBe(reason);
    await expect.poll(server.connections).toBe(0);
  });

  it('ends a body in its middle', async () => {
    const controller = new AbortController();
    const { fetch, url, server } = await serve(() => ({ body: 'a', end: 'hang' }));
    const reader = (await fetch(url, { signal: controller.signal })).body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('a');
    const rest = reader?.read();
    controller.abort(reason);
    await expect(rest).rejects.toBe(reason);
    await expect.poll(server.connections).toBe(0);
  });

  it('cancels a body', async () => {
    const { fetch, url, server } = await serve(() => ({ body: 'a', end: 'hang' }));
    await (await fetch(url)).body?.cancel();
    await expect.poll(server.connections).toBe(0);
  });
});

describe('failures', () => {
  it('name the host and nothing else if nobody listens', async () => {
    const { server, url } = await serve(() => ({}));
    await server.close();
    await expect(guardedFetch(local)(`${url}/?token=secret`)).rejects.toMatchObject({
      code: 'fetch_failed',
      message: `${new URL(url).host} could not be reached, or sent an invalid response.`,
    });
  });

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['a status that there is not', 'HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: a\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['endless headers', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}\r\n`],
  ])('are answers with %s', async (_, text) => {
    const url = await serveRaw([text]);
    await expect(guardedFetch(local)(url)).rejects.toMatchObject({ code: 'fetch_failed' });
  });

  it.each([
    ['is cut off', 'content-length: 9\r\n\r\nabc'],
    ['is no gzip', 'content-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc'],
  ])('are bodies that say more than they have: one that %s', async (_, rest) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
    });
    open.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const response = await guardedFetch(local)(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await expect(response.text()).rejects.toMatchObject({ code: 'fetch_failed' });
  });

  it('are servers that do not speak TLS', async () => {
    const { url } = await serve(() => ({}));
    await expect(guardedFetch(local)(url.replace('http', 'https'))).rejects.toMatchObject({ code: 'fetch_failed' });
  });
});

it('asks for the certificate of the name, whatever its address', async () => {
  let hello = '';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      hello = bytes.toString('latin1');
      socket.destroy();
    });
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const fetch = guardedFetch({ resolve: async () => ['127.0.0.1'], allowPrivate: ['secure.example'] });
  await outcome(fetch(`https://secure.example:${(server.address() as AddressInfo).port}/`));
  expect(hello).toContain('secure.example');
});

it('leaves nothing on the signal of a caller who goes on', async () => {
  const { fetch, url } = await serve(({ path }) => (path === '/' ? { body: 'a' } : { body: 'a', end: 'hang' }), {
    timeoutMs: 3_000,
  });
  const { signal } = new AbortController();
  await (await fetch(url, { signal })).text();
  await (await fetch(`${url}/hang`, { signal })).body?.cancel();
  await outcome(fetch(`${url}/hang`, { signal }));
  await outcome(fetch('http://10.0.0.1/', { signal }));
  await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
});

it('keeps calls apart that are made at the same time', async () => {
  const { fetch, url, server } = await serve(
    ({ path }) => {
      const [, kind, number] = path.split('/');
      if (kind === 'bomb') return { body: ['x'.repeat(2000)] };
      if (kind === 'away') return { status: 302, headers: { location: 'http://10.0.0.1/' } };
      if (kind === 'moved') return { status: 302, headers: { location: `/plain/${number}` } };
      return { body: [`${number}`, ' is', ' here'] };
    },
    { maxBytes: 1000 },
  );
  const kinds = ['plain', 'moved', 'bomb', 'away'];
  const asked = Array.from({ length: 100 }, (_, index) => `/${kinds[index % 4]}/${index}`);
  const found = await Promise.all(asked.map((path) => outcome(fetch(url + path).then((response) => response.text()))));
  const expected = (index: number) =>
    [`${index} is here`, `${index} is here`, 'fetch_too_large', 'fetch_blocked'][index % 4];
  expect(found).toEqual(asked.map((_, index) => expected(index)));
  await expect.poll(server.connections).toBe(0);
});
