// Attempts to reach a forbidden server on this machine, which must receive no request.

import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { loopback } from '@utensil/tooling-loopback';
import type { Loopback } from '@utensil/tooling-loopback';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { filled, loopbackForms, otherForms, redirectTargets } from '../../../tooling/fixtures/attacks/addresses.ts';
import { guardedFetch } from './node.ts';
import type { NodeGuardOptions } from './node.ts';
import { addressesOf, pinnedLookup } from './node/resolve.ts';

let canary: Loopback;
let canaryPort: string;
let connections = 0;
/** Listens where IPv6 and every other address of this machine lead. */
const anywhere = createServer((socket) => {
  connections++;
  socket.destroy();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => anywhere.listen(0, resolve));
});
afterAll(() => void anywhere.close());

beforeEach(async () => {
  canary = await loopback(() => ({ body: 'the secret' }));
  canaryPort = new URL(canary.url).port;
});
afterEach(() => canary.close());

function withPorts(address: string): string {
  return filled(address, { port: canaryPort, any: String((anywhere.address() as AddressInfo).port) });
}

/** Sends a request. Resolves to the body or the error code. */
async function attempt(address: string, options: NodeGuardOptions = {}): Promise<string> {
  try {
    return await (await guardedFetch(options)(withPorts(address))).text();
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

describe('by the address', () => {
  it.each([...loopbackForms, ...otherForms])('refuses %j', async (address) => {
    expect(await attempt(address)).toBe('fetch_blocked');
    expect([canary.requests.length, connections]).toEqual([0, 0]);
  });

  it.each(loopbackForms)('would have reached the server by %j', async (address) => {
    expect(await attempt(address, { allowPrivate: [`127.0.0.1:${canaryPort}`] })).toBe('the secret');
    expect(canary.requests.length).toBe(1);
  });
});

describe('by a name', () => {
  it.each([
    [['127.0.0.1']],
    [['::1']],
    [['::ffff:127.0.0.1']],
    [['::ffff:7f00:1']],
    [['64:ff9b::7f00:1']],
    [['10.0.0.1']],
    [['169.254.169.254']],
    [['fe80::1%1']],
    [['0.0.0.0']],
    [['93.184.215.14', '127.0.0.1']],
    [['2606:4700::1111', '93.184.215.14', '::1']],
    [['0x7f.1']],
    [['localhost']],
    [['']],
  ])('refuses one that stands for %j', async (addresses) => {
    const resolve = async (): Promise<string[]> => addresses;
    expect(await attempt('http://innocent.example:PORT/', { resolve })).toBe('fetch_blocked');
    expect([canary.requests.length, connections]).toEqual([0, 0]);
  });

  it('says nothing of the address that it stands for', async () => {
    const fetch = guardedFetch({ resolve: async () => ['10.1.2.3'] });
    const error: unknown = await fetch('http://innocent.example/?q=1').catch((thrown: unknown) => thrown);
    expect(String(error)).toBe(
      'UtensilError: Not fetched: innocent.example is not on the public internet. Only the app can allow it.',
    );
    expect(inspect(error, { depth: 9 })).not.toContain('10.1.2.3');
  });

  it('asks once for each request, and connects to what was answered then', async () => {
    const asked: string[] = [];
    const answers = ['127.0.0.1', '192.0.2.1'];
    const resolve = async (name: string): Promise<string[]> => [answers[asked.push(name) - 1] ?? ''];
    const allowPrivate = [`rebound.example:${canaryPort}`];
    expect(await attempt('http://rebound.example:PORT/', { resolve, allowPrivate })).toBe('the secret');
    expect(asked).toEqual(['rebound.example']);
    expect(canary.requests[0]?.headers.host).toBe(`rebound.example:${canaryPort}`);
  });

  it('gives a socket the checked addresses alone, in whatever way it looks them up', () => {
    const lookup = pinnedLookup(['93.184.215.14', '2606:4700::1111']);
    const found: unknown[] = [];
    lookup('localhost', { all: true }, (...answer) => found.push(answer));
    lookup('localhost', {}, (...answer) => found.push(answer));
    expect(found).toEqual([
      [
        null,
        [
          { address: '93.184.215.14', family: 4 },
          { address: '2606:4700::1111', family: 6 },
        ],
      ],
      [null, '93.184.215.14', 4],
    ]);
  });

  it('checks a name again on a redirect to itself', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.1', '10.0.0.1']];
    const server = await loopback(() => ({
      status: 302,
      headers: { location: 'http://second.example:PORT/'.replace('PORT', canaryPort) },
    }));
    const { port } = new URL(server.url);
    const options = { resolve: async () => answers.shift() ?? [], allowPrivate: [`first.example:${port}`] };
    expect(await attempt(`http://first.example:${port}/`, options)).toBe('fetch_blocked');
    expect([server.requests.length, canary.requests.length, answers.length]).toEqual([1, 0, 0]);
    await server.close();
  });

  it('takes a name that nobody knows for no host', async () => {
    const unknown = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    expect(await attempt('http://unknown.example/', { resolve: () => Promise.reject(unknown) })).toBe('fetch_failed');
    expect(await attempt('http://unknown.example/', { resolve: async () => [] })).toBe('fetch_failed');
  });

  it('looks up no address, and no dot at the end', async () => {
    const asked: string[] = [];
    const resolve = async (name: string): Promise<string[]> => [String(asked.push(name))];
    expect(await addressesOf(new URL('http://0x7f.1/'), resolve)).toEqual(['127.0.0.1']);
    expect(await addressesOf(new URL('http://[::1]/'), resolve)).toEqual(['::1']);
    expect(await addressesOf(new URL('http://example.com./'), resolve)).toEqual(['1']);
    expect(asked).toEqual(['example.com']);
  });
});

describe('by a redirect', () => {
  it.each(redirectTargets)('refuses the one to %s, whatever its status', async (target) => {
    const location = withPorts(target);
    const statuses = [301, 302, 303, 307, 308];
    const server = await loopback((_, index) => ({ status: statuses[index] ?? 500, headers: { location } }));
    const resolve = async (name: string): Promise<string[]> => [
      name.startsWith('private') ? '127.0.0.1' : '93.184.215.14',
    ];
    const fetch = guardedFetch({ resolve, allowPrivate: [new URL(server.url).host] });
    for (const _ of statuses) await expect(fetch(server.url)).rejects.toMatchObject({ code: 'fetch_blocked' });
    expect([server.requests.length, canary.requests.length, connections]).toEqual([5, 0, 0]);
    await server.close();
  });

  it('refuses the one at the end of several', async () => {
    const server = await loopback((_, index) => ({
      status: 302,
      headers: { location: index < 3 ? `/${index}` : `http://127.0.0.1:${canaryPort}/` },
    }));
    const fetch = guardedFetch({ allowPrivate: [new URL(server.url).host] });
    await expect(fetch(server.url)).rejects.toMatchObject({ code: 'fetch_blocked' });
    expect([server.requests.length, canary.requests.length]).toEqual([4, 0]);
    await server.close();
  });

  it('refuses the one to a host that the app denies', async () => {
    const server = await loopback(() => ({ status: 302, headers: { location: `http://127.0.0.1:${canaryPort}/` } }));
    const fetch = guardedFetch({ allowPrivate: ['127.0.0.1'], denyHosts: [`127.0.0.1:${canaryPort}`] });
    await expect(fetch(server.url)).rejects.toMatchObject({ code: 'fetch_blocked' });
    expect(canary.requests.length).toBe(0);
    await server.close();
  });
});
