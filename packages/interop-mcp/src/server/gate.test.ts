import { describe, expect, it } from 'vitest';
import { address, post, serve, tool, toolsetOf } from '../test-kit/served.ts';
import type { BearerAuth } from './index.ts';

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const legacy = { 'MCP-Protocol-Version': '2025-11-25' };
const served = toolsetOf([tool('echo')]);

describe('host names and origins', () => {
  const page = 'https://app.example.com';
  const handler = serve(served, { allowedHosts: ['localhost', 'mcp.example.com'], allowedOrigins: [page] });

  it.each([
    ['localhost', 200],
    ['LOCALHOST:3000', 200],
    ['mcp.example.com', 200],
    ['evil.example.com', 403],
    ['localhost.evil.com', 403],
    ['localhost@evil.com', 403],
    ['evil.com/localhost', 403],
    ['evil.com#localhost', 403],
    ['127.0.0.1', 403],
    ['[::1', 403],
    ['', 403],
  ])('a request for the host "%s" is answered with %i', async (host, status) => {
    expect((await handler.fetch(post(list, { ...legacy, host }))).status).toBe(status);
  });

  it.each([
    [page, 200],
    ['http://localhost:5173', 200],
    ['https://evil.example.com', 403],
    [`${page}.evil.com`, 403],
    ['http://app.example.com', 403],
    ['http://localhost.evil.com', 403],
    ['null', 403],
    ['file://', 403],
    ['localhost', 403],
  ])('a page of "%s" is answered with %i', async (origin, status) => {
    expect((await handler.fetch(post(list, { ...legacy, origin }))).status).toBe(status);
  });

  it('are told to the browsers of pages that were named, and of no others', async () => {
    const named = await handler.fetch(post(list, { ...legacy, origin: page }));
    expect(named.headers.get('access-control-allow-origin')).toBe(page);
    const local = await handler.fetch(post(list, { ...legacy, origin: 'http://localhost:5173' }));
    expect(local.headers.get('access-control-allow-origin')).toBeNull();
    const asking = { origin: page, 'access-control-request-headers': 'content-type, mcp-method, x-evil' };
    const answer = await handler.fetch(new Request(address, { method: 'OPTIONS', headers: asking }));
    expect(answer.headers.get('access-control-allow-headers')).toBe('content-type, mcp-method');
  });
});

describe('bearer tokens', () => {
  const resource = 'http://localhost/mcp';
  const inAnHour = Date.now() + 3_600_000;
  const tokens = {
    good: { principal: { id: 'ann' }, audience: resource, expiresAt: inAnHour, scopes: ['tools'] },
    slash: { principal: { id: 'ann' }, audience: ['x', `${resource}/`], expiresAt: inAnHour, scopes: ['tools'] },
    other: { principal: { id: 'ann' }, audience: 'https://other.example.com', expiresAt: inAnHour, scopes: ['tools'] },
    none: { principal: { id: 'ann' }, audience: [], expiresAt: inAnHour, scopes: ['tools'] },
    over: { principal: { id: 'ann' }, audience: resource, expiresAt: 1, scopes: ['tools'] },
    less: { principal: { id: 'ann' }, audience: resource, expiresAt: inAnHour },
  };
  const auth: BearerAuth = {
    resource,
    authorizationServers: ['https://auth.example.com'],
    scopes: ['tools'],
    verify: (token) => {
      if (token === 'outage') return Promise.reject(new Error('the issuer is down'));
      return Promise.resolve(Object.hasOwn(tokens, token) ? tokens[token as 'good'] : undefined);
    },
  };
  const handler = serve(served, { auth });
  const status = async (authorization?: string) =>
    (await handler.fetch(post(list, { ...legacy, ...(authorization !== undefined && { authorization }) }))).status;

  it.each([
    [undefined, 401],
    ['Bearer', 401],
    ['Basic good', 401],
    ['Bearer unknown', 401],
    ['Bearer toString', 401],
    ['Bearer good', 200],
    ['bearer slash', 200],
    ['Bearer other', 401],
    ['Bearer none', 401],
    ['Bearer over', 401],
    ['Bearer less', 403],
    ['Bearer outage', 503],
  ])('%s is answered with %i', async (authorization, expected) => {
    expect(await status(authorization)).toBe(expected);
  });

  it('are asked for with the place that says where to get them', async () => {
    const { headers } = await handler.fetch(post(list, legacy));
    const [, place = ''] = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
    const metadata: unknown = await (await handler.fetch(new Request(place))).json();
    expect(metadata).toMatchObject({ resource, authorization_servers: ['https://auth.example.com'] });
  });

  it('decide which tools there are, and reach tools as their principal', async () => {
    const seen: unknown[] = [];
    const who = tool('who', { execute: (_input, _options, { principal }) => void seen.push(principal) });
    const personal = serve(({ principal }) => toolsetOf(principal?.id === 'ann' ? [who] : []), { auth });
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'who' } });
    await (await personal.fetch(post(call, { ...legacy, authorization: 'Bearer good' }))).text();
    expect(seen).toEqual([{ id: 'ann' }]);
  });
});

describe('bodies', () => {
  const handler = serve(served, { maxBodyBytes: 10_000 });

  it('are refused if they are too large, told or not', async () => {
    const large = `{"x":"${'y'.repeat(20_000)}"}`;
    expect((await handler.fetch(post(large))).status).toBe(413);
    const streamed = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('y'.repeat(1_000))),
    });
    expect((await handler.fetch(post(streamed))).status).toBe(413);
  });

  it.each(['', '{', 'null', '7', '[]', '[[]]', '{"jsonrpc":"1.0"}', '{"jsonrpc":"2.0","id":{},"method":7}'])(
    'that are no request get an error: %s',
    async (body) => {
      for (const version of ['2025-11-25', '2026-07-28']) {
        const { status } = await handler.fetch(post(body, { 'MCP-Protocol-Version': version }));
        expect(status).toBe(400);
      }
    },
  );

  it('of another type, and other methods, are refused', async () => {
    expect((await handler.fetch(post(list, { ...legacy, 'Content-Type': 'text/plain' }))).status).toBe(415);
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS'])
      expect((await handler.fetch(new Request(address, { method }))).status).toBe(405);
  });
});
