import type { Fetch } from '@utensil/core';
import { guardedFetch } from '@utensil/guarded-fetch/node';
import { loopback } from '@utensil/tooling-loopback';
import { afterAll, afterEach, describe, expect, inject, it } from 'vitest';
import type { Loopback } from '@utensil/tooling-loopback';
import { quickjsSandbox } from './node.ts';
import type { Script } from './node.ts';

const worker = new URL(inject('sandboxWorker'));

const servers: Loopback[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(...[handler]: Parameters<typeof loopback>): Promise<Loopback> {
  const server = await loopback(handler);
  servers.push(server);
  return server;
}

const allowed = ({ url }: Loopback): Fetch => guardedFetch({ allowPrivate: [new URL(url).host] });

describe.each(['quickjs-wasi', 'quickjs-emscripten'] as const)('fetch with %s', (engine) => {
  const sandbox = quickjsSandbox({ engine, worker, maxWorkers: 1, limits: { workMs: 60_000 } });
  afterAll(() => sandbox.close());

  async function answer(code: string, script: Omit<Script, 'code'>): Promise<unknown> {
    const { status, text } = await sandbox.run({ code, ...script });
    expect([status, text]).toEqual(['done', expect.any(String)]);
    return JSON.parse(text);
  }

  it('is not there unless it is given, and the error says why', async () => {
    expect(await sandbox.run({ code: 'return typeof fetch + typeof Headers' })).toMatchObject({
      text: 'undefinedundefined',
    });
    const { status, text } = await sandbox.run({ code: `\nreturn (await fetch('https://example.com/')).text()` });
    expect(status).toBe('failed');
    expect(text).toMatch(/^ReferenceError: '?fetch'? is not defined: the network is off in this sandbox\n +at .*:2/);
    const other = await sandbox.run({ code: 'return fetching()' });
    expect(other.text).not.toContain('network');
  });

  it('gives status, headers and the body, as text, JSON and bytes', async () => {
    const server = await serve(({ path }) => {
      if (path === '/moved') return { status: 302, headers: { location: '/json' } };
      if (path === '/json') return { headers: { 'content-type': 'application/json' }, body: '{"a":["ö"]}' };
      if (path === '/bytes') return { body: [Buffer.from([0, 255, 128])] };
      return { status: 404, headers: { 'x-why': 'none' }, body: '\u{feff}gone' };
    });
    const code = `
      const json = await fetch(new URL('/moved', '${server.url}'));
      const bytes = await fetch('${server.url}/bytes');
      const gone = await fetch('${server.url}/gone');
      return [
        [json.ok, json.status, json.redirected, json.url.endsWith('/json'), json.headers.get('Content-Type'), await json.json()],
        [[...await bytes.bytes()], (await bytes.arrayBuffer()).byteLength, (await bytes.text()).length],
        [gone.ok, gone.status, await gone.text(), new Headers([...gone.headers]).get('x-why')],
        [...await json.bytes()].length,
      ]`;
    expect(await answer(code, { fetch: allowed(server) })).toEqual([
      [true, 200, true, true, 'application/json', { a: ['ö'] }],
      [[0, 255, 128], 3, 3],
      [false, 404, 'gone', 'none'],
      12,
    ]);
  });

  it('sends what it is asked to', async () => {
    const server = await serve(({ method, headers, body }) => ({
      body: JSON.stringify([method, headers['content-type'], headers['x-a'], body]),
    }));
    const code = `
      const send = async (request) => (await fetch('${server.url}', request)).json();
      return [
        await send({ method: 'POST', headers: { 'X-A': 1, 'content-type': 'text/csv' }, body: 'a,b' }),
        await send({ method: 'PUT', body: new TextEncoder().encode('bytes') }),
        await send({ method: 'POST', body: new URLSearchParams({ q: 'a b' }) }),
        await send({ body: {} }).catch((error) => error.message),
      ]`;
    expect(await answer(code, { fetch: allowed(server) })).toEqual([
      ['POST', 'text/csv', '1', 'a,b'],
      ['PUT', null, null, 'bytes'],
      ['POST', 'application/x-www-form-urlencoded;charset=UTF-8', null, 'q=a+b'],
      'body must be a string, bytes, or URLSearchParams: use JSON.stringify for an object',
    ]);
  });

  it('throws what the guard says, which code can catch', async () => {
    const code = `
      const errors = [];
      for (const address of ['http://127.0.0.1:9/', 'file:///etc/passwd', 'nowhere', 'http://169.254.169.254/'])
        await fetch(address).catch((error) => errors.push([error instanceof Error, error.code, error.message]));
      return errors`;
    const errors = (await answer(code, { fetch: guardedFetch() })) as [boolean, string, string][];
    expect(errors.map(([isError, thrown]) => [isError, thrown])).toEqual([
      [true, 'fetch_blocked'],
      [true, 'fetch_blocked'],
      [true, expect.stringMatching(/^fetch_/)],
      [true, 'fetch_blocked'],
    ]);
    expect(errors[0]?.[2]).toMatch(/^Not fetched: 127\.0\.0\.1:9 /);
  });

  it('reads no more than ten million bytes, whoever fetches', async () => {
    const server = await serve(() => ({ body: [Buffer.alloc(11 * 1024 * 1024)] }));
    const fetch = guardedFetch({ allowPrivate: [new URL(server.url).host], maxBytes: 50_000_000 });
    const code = `return await fetch('${server.url}').catch((error) => [error.code, error.message])`;
    expect(await answer(code, { fetch })).toEqual([
      'fetch_too_large',
      `The answer of ${new URL(server.url).host} is larger than 10485760 bytes: ask for a part of it.`,
    ]);
  });

  it('has six requests under way at a time, and gives them up when the script is over', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    let seen: () => void = () => undefined;
    const six = new Promise<void>((resolve) => (seen = resolve));
    const fetch: Fetch = (_url, request) => {
      signals.push(request?.signal);
      if (signals.length === 6) seen();
      return new Promise(() => undefined);
    };
    const code = `for (let n = 0; n < 20; n++) void fetch('https://example.com/' + n); await six(); halt('enough')`;
    const { status } = await sandbox.run({ code, fetch, hostFunctions: { six: () => six } });
    expect(status).toBe('halted');
    expect(signals).toHaveLength(6);
    expect(signals.every((signal) => signal?.aborted)).toBe(true);
  });

  it('takes answers from any fetch, of which but data crosses', async () => {
    const fetch: Fetch = async () => ({
      url: 'https://example.com/',
      redirected: false,
      status: 200,
      statusText: 'OK',
      ok: true,
      headers: { get: (name) => (name === 'content-type' ? 'text/plain' : null) },
      body: null,
      arrayBuffer: async () => new ArrayBuffer(0),
      json: async () => null,
      text: async () => '',
    });
    const code = `
      const response = await fetch('https://example.com/');
      return [await response.text(), [...response.headers], response.constructor.constructor('return typeof process')()]`;
    expect(await answer(code, { fetch })).toEqual(['', [['content-type', 'text/plain']], 'undefined']);
  });
});
