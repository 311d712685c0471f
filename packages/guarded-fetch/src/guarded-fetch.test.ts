// The entry for browsers, with a platform's fetch that answers what a browser would.

import { isUtensilError } from '@utensil/core';
import { describe, expect, it } from 'vitest';
import { guardedFetch } from './guarded-fetch.ts';
import type { BrowserGuardOptions } from './guarded-fetch.ts';

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

/** A fetch of a platform that always answers this, from that address. */
function platform(answer: () => Response | Promise<Response>, from?: string) {
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const url = String(input);
    sent.push({ url, init });
    const response = await answer();
    return Object.defineProperties(response, {
      url: { value: from ?? url },
      redirected: { value: from !== undefined },
    });
  };
  return { sent, fetch };
}

/** Text of a response, or the error code. */
async function outcome(address: string, options: BrowserGuardOptions): Promise<string> {
  try {
    return await (await guardedFetch(options)(address)).text();
  } catch (error) {
    return isUtensilError(error) ? error.code : String(error);
  }
}

it('is not a guard on a server, and names the one that is', () => {
  expect(() => guardedFetch()).toThrow(
    expect.objectContaining({
      code: 'invalid_option',
      message: expect.stringContaining('@utensil/guarded-fetch/node'),
    }),
  );
});

describe('directly', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::1]/',
    'http://192.168.1.1/',
    'http://169.254.169.254/',
    'http://localhost:3000/',
    'http://router.lan/',
    'http://intranet/',
    'http://user:word@example.com/',
    'http://example.com:25/',
    'http://denied.example/',
    'file:///etc/passwd',
    'data:text/plain,a',
    '/relative',
  ])('sends nothing to %s', async (address) => {
    const { sent, fetch } = platform(() => new Response('secret'));
    expect(await outcome(address, { fetch, denyHosts: ['denied.example'] })).toBe('fetch_blocked');
    expect(sent).toEqual([]);
  });

  it('sends what was asked for, and nothing of the user or the page', async () => {
    const { sent, fetch } = platform(() => new Response('text', { status: 201, headers: { 'x-a': 'b' } }));
    const init = { method: 'POST', body: 'a', headers: { 'x-b': 'c' }, credentials: 'include' } as const;
    const response = await guardedFetch({ fetch })('https://example.com/a#b', init);
    expect([response.status, response.url, response.redirected]).toEqual([201, 'https://example.com/a', false]);
    expect([response.headers.get('x-a'), await response.text()]).toEqual(['b', 'text']);
    const [request] = sent;
    expect(request?.init).toMatchObject({
      method: 'POST',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'follow',
    });
    expect(new Headers(request?.init.headers).get('x-b')).toBe('c');
    expect(new TextDecoder().decode(request?.init.body as Uint8Array)).toBe('a');
  });

  it('takes a Request', async () => {
    const { sent, fetch } = platform(() => new Response('text'));
    await guardedFetch({ fetch })(new Request('https://example.com/', { method: 'PUT', body: 'a', redirect: 'error' }));
    expect(sent[0]).toMatchObject({ url: 'https://example.com/', init: { method: 'PUT', redirect: 'error' } });
  });

  it.each(['http://127.0.0.1/', 'http://router.lan/', 'https://denied.example/'])(
    'gives nothing of an answer from %s, to which it was redirected',
    async (from) => {
      let isCancelled = false;
      const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
      const { fetch } = platform(() => new Response(body), from);
      expect(await outcome('https://example.com/', { fetch, denyHosts: ['denied.example'] })).toBe('fetch_blocked');
      expect(isCancelled).toBe(true);
    },
  );

  it('says where it was redirected to', async () => {
    const { fetch } = platform(() => new Response('text'), 'https://www.example.com/b');
    const response = await guardedFetch({ fetch })('https://example.com/');
    expect([response.url, response.redirected]).toEqual(['https://www.example.com/b', true]);
  });

  it('lets the browser follow no redirects where there may be none', async () => {
    const { sent, fetch } = platform(() => new Response('text'));
    await guardedFetch({ fetch, maxRedirects: 0 })('https://example.com/');
    await guardedFetch({ fetch, maxRedirects: 0 })('https://example.com/', { redirect: 'manual' });
    expect(sent.map(({ init }) => init.redirect)).toEqual(['error', 'manual']);
  });

  it('gives a redirect that is not to be followed as the browser shows it', async () => {
    const opaque = Response.error();
    const { fetch } = platform(() => opaque, '');
    expect(await guardedFetch({ fetch })('https://example.com/', { redirect: 'manual' })).toBe(opaque);
  });

  it('tells the app what to do if the browser gives no reason', async () => {
    const { fetch } = platform(() => Promise.reject(new TypeError('Failed to fetch')));
    await expect(guardedFetch({ fetch })('https://example.com/?token=secret')).rejects.toMatchObject({
      code: 'fetch_failed',
      message:
        'example.com could not be read: it is unreachable, redirects to a blocked address, or does not allow other sites to read it (CORS). To read other sites, the app needs to pass a proxy to guardedFetch.',
    });
  });

  it('keeps the limits of size and time', async () => {
    const large = platform(() => new Response('x'.repeat(11)));
    expect(await outcome('https://example.com/', { fetch: large.fetch, maxBytes: 10 })).toBe('fetch_too_large');
    expect((await outcome('https://example.com/', { fetch: large.fetch, maxBytes: 11 })).length).toBe(11);
    const silent = platform(() => new Promise(() => {}));
    expect(await outcome('https://example.com/', { fetch: silent.fetch, headersTimeoutMs: 20 })).toBe('fetch_timeout');
    expect(silent.sent[0]?.init.signal?.aborted).toBe(true);
    const endless = platform(() => new Response(new ReadableStream()));
    expect(await outcome('https://example.com/', { fetch: endless.fetch, timeoutMs: 20 })).toBe('fetch_timeout');
  });

  it('gives up with its caller', async () => {
    const { sent, fetch } = platform(() => new Promise(() => {}));
    const controller = new AbortController();
    const answer = guardedFetch({ fetch })('https://example.com/', { signal: controller.signal });
    await expect.poll(() => sent.length).toBe(1);
    controller.abort('enough');
    await expect(answer).rejects.toBe('enough');
    expect(sent[0]?.init.signal?.aborted).toBe(true);
  });
});

describe('through a proxy', () => {
  const proxy = (url: URL): URL => new URL(`https://app.example/fetch?url=${encodeURIComponent(url.href)}`);

  it('asks the proxy alone, and answers as the page would', async () => {
    const { sent, fetch } = platform(() => new Response('text'));
    const response = await guardedFetch({ fetch, proxy })('https://example.com/a?b=c#d');
    expect([response.url, response.redirected]).toEqual(['https://example.com/a?b=c', false]);
    expect(await response.text()).toBe('text');
    expect(sent.map(({ url }) => url)).toEqual([
      'https://app.example/fetch?url=https%3A%2F%2Fexample.com%2Fa%3Fb%3Dc%23d',
    ]);
    expect(sent[0]?.init).not.toHaveProperty('credentials');
  });

  it.each(['http://10.0.0.1/', 'http://localhost/', 'file:///etc/passwd'])(
    'does not even ask it for %s',
    async (address) => {
      const { sent, fetch } = platform(() => new Response('text'));
      expect(await outcome(address, { fetch, proxy })).toBe('fetch_blocked');
      expect(sent).toEqual([]);
    },
  );

  it('can be on this machine, if no page may be', async () => {
    const { fetch } = platform(() => new Response('text'));
    const here = (url: URL): URL => new URL(`http://localhost:3000/${url.host}`);
    expect(await outcome('https://example.com/', { fetch, proxy: here })).toBe('text');
  });

  it('says that it was the proxy that failed', async () => {
    const { fetch } = platform(() => Promise.reject(new TypeError('Failed to fetch')));
    await expect(guardedFetch({ fetch, proxy })('https://example.com/')).rejects.toMatchObject({
      code: 'fetch_failed',
      message: 'example.com could not be read: the proxy of this app does not respond.',
    });
  });
});
