import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { cut, loopback, sse } from './loopback.ts';

it('records the raw request, and answers each by its number', async () => {
  await using server = await loopback((_, index) => ({ status: 200 + index, headers: { 'x-index': `${index}` } }));
  const first = await fetch(`${server.url}/v1/messages?beta=true`, { method: 'POST', body: '{"a": "ü"}' });
  const second = await fetch(server.url);
  expect([first.status, second.status, second.headers.get('x-index')]).toEqual([200, 201, '1']);
  expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/v1/messages?beta=true', body: '{"a": "ü"}' });
  expect(server.requests[0]?.json()).toEqual({ a: 'ü' });
  expect(server.requests[1]).toMatchObject({ method: 'GET', path: '/', body: '' });
});

it('plays chunks as they are, one by one', async () => {
  const chunks = [Uint8Array.of(0xc3), Uint8Array.of(0xbc), 'x\r\n'];
  await using server = await loopback(() => ({ body: chunks, delay: 5 }));
  const response = await fetch(server.url);
  const seen: number[][] = [];
  for await (const chunk of response.body ?? []) seen.push([...chunk]);
  expect(seen).toEqual([[0xc3], [0xbc], [0x78, 0x0d, 0x0a]]);
});

it('breaks the connection after the body', async () => {
  await using server = await loopback(() => ({ body: 'half', end: 'destroy' }));
  const response = await fetch(server.url);
  await expect(response.text()).rejects.toThrow('terminated');
});

it('leaves a connection open until it is closed, and closes all of them', async () => {
  const server = await loopback((_, index) => (index === 0 ? { body: 'x', end: 'hang' } : new Promise(() => {})));
  const response = await fetch(server.url);
  const unanswered = fetch(server.url);
  unanswered.catch(() => {});
  await expect.poll(() => server.requests.length).toBe(2);
  expect(server.connections()).toBe(2);
  await server.close();
  await expect(response.text()).rejects.toThrow('terminated');
  await expect(unanswered).rejects.toThrow('fetch failed');
  await expect.poll(() => server.connections()).toBe(0);
});

it('breaks the connection when the handler throws', async () => {
  await using server = await loopback(() => {
    throw new Error('no');
  });
  await expect(fetch(server.url)).rejects.toThrow('fetch failed');
});

it('writes events', () => {
  const events = [{ event: 'ping', data: { type: 'ping' } }, { data: '[DONE]' }, { data: 'two\nlines' }];
  expect(sse(events)).toBe('event: ping\ndata: {"type":"ping"}\n\ndata: [DONE]\n\ndata: two\ndata: lines\n\n');
});

it('cuts anywhere and loses nothing', () => {
  expect(cut('aü', [2]).map((chunk) => [...chunk])).toEqual([[0x61, 0xc3], [0xbc]]);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.integer()), (body, offsets) => {
      const chunks = cut(body, offsets);
      expect(chunks.every((chunk) => chunk.length > 0)).toBe(true);
      expect(Buffer.concat(chunks)).toEqual(Buffer.from(body));
    }),
  );
});
