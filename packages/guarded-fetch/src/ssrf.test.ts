// Who tries to reach what is not theirs: a server on this machine, which must hear of none of it.

import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { loopback } from '@utensil/tooling-loopback';
import type { Loopback } from '@utensil/tooling-loopback';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

/** Sends the request, and tells the code of what it throws, or the body. */
async function attempt(address: string, options: NodeGuardOptions = {}): Promise<string> {
  const text = address
    .replaceAll('PORT', canaryPort)
    .replaceAll('ANY', String((anywhere.address() as AddressInfo).port));
  try {
    return await (await guardedFetch(options)(text)).text();
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}

/** Each is this machine in other words. */
const loopbackForms = [
  'http://127.0.0.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://2130706433:PORT/',
  'http://017700000001:PORT/',
  'http://0017700000001:PORT/',
  'http://0x7f000001:PORT/',
  'http://0X7F000001:PORT/',
  'http://0x000000007f000001:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://0177.0.0.01:PORT/',
  'http://0x7f.0x0.0x0.0x1:PORT/',
  'http://0x7f.1:PORT/',
  'http://127.0x1:PORT/',
  'http://127.0.00000000000001:PORT/',
  'http://127.0.0.0x1:PORT/',
  'http://１２７.０.０.１:PORT/',
  'http://127。0。0。1:PORT/',
  'http://127．0．0．1:PORT/',
  'http://127｡0｡0｡1:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://⑫7.0.0.1:PORT/',
  'http://𝟙𝟚𝟟.0.0.1:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://127%2E0%2E0%2E1:PORT/',
  'http://1%32７.0.0.%31:PORT/',
  'http://127.0.0.\u00ad1:PORT/',
  'http://127.0.0.\u200b1:PORT/',
  'http:127.0.0.1:PORT/',
  'http:/127.0.0.1:PORT/',
  'http:///127.0.0.1:PORT/',
  'http:////127.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT\\',
  'http:/\\127.0.0.1:PORT/',
  ' http://127.0.0.1:PORT/ ',
  'ht\ntp://127.0\t.0.\r1:PORT/',
  'HTTP://127.0.0.1:PORT/',
  'http://127.0.0.1:000PORT/',
  'http://127.0.0.1:PORT#@example.com/',
  'http://127.0.0.1:PORT?@example.com/',
  'http://127.0.0.1:PORT\\@example.com/',
];

/** Some are this machine too, some others that nobody may reach, and some are nothing. */
const otherForms = [
  'https://127.0.0.1:PORT/',
  'http://user@127.0.0.1:PORT/',
  'http://example.com@127.0.0.1:PORT/',
  'http://example.com:80@127.0.0.1:PORT/',
  'http://example.com%23@127.0.0.1:PORT/',
  'http://0:ANY/',
  'http://0.0.0.0:ANY/',
  'http://127.0.0.2:ANY/',
  'http://127.127.127.127:ANY/',
  'http://[::1]:ANY/',
  'http://[::]:ANY/',
  'http://[0:0:0:0:0:0:0:1]:ANY/',
  'http://[0000::0001]:ANY/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::FFFF:7F00:0001]:PORT/',
  'http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/',
  'http://[::ffff:0:127.0.0.1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[::7f00:1]:PORT/',
  'http://[64:ff9b::127.0.0.1]:PORT/',
  'http://[64:ff9b::7f00:1]:PORT/',
  'http://[64:ff9b:1::7f00:1]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://[2001:0:7f00:1::]:PORT/',
  'http://[2001:0:53aa:64c:0:0:80ff:fffe]:PORT/',
  'http://[fe80::1]:ANY/',
  'http://[fe80::1%25lo]:ANY/',
  'http://[fe80::1%lo]:ANY/',
  'http://[fc00::1]:ANY/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://[ff02::1]:ANY/',
  'http://10.0.0.1/',
  'http://012.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://0xc0a80001/',
  'http://100.64.0.1/',
  'http://100.100.100.200/latest/meta-data/',
  'http://169.254.169.254/latest/meta-data/',
  'http://169.254.43518/latest/meta-data/',
  'http://2852039166/latest/meta-data/',
  'http://0xA9FEA9FE/latest/meta-data/',
  'http://0251.0376.0251.0376/latest/meta-data/',
  'http://⑯⑨.②⑤④.⑯⑨.②⑤④/latest/meta-data/',
  'http://[::ffff:a9fe:a9fe]/latest/meta-data/',
  'http://169.254.170.2/v2/credentials',
  'http://168.63.129.16/machine?comp=goalstate',
  'http://192.0.0.192/latest/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://240.0.0.1/',
  'http://198.18.0.1/',
  'http://localhost:PORT/',
  'http://LOCALHOST:PORT/',
  'http://localhost.:PORT/',
  'http://ｌｏｃａｌｈｏｓｔ:PORT/',
  'http://ⓛocalhost:PORT/',
  'http://loc%61lhost:PORT/',
  'http://a.localhost:PORT/',
  'http://localhost.localdomain:PORT/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://metadata/computeMetadata/v1/',
  'http://kubernetes.default.svc.local/',
  'file:///etc/passwd',
  'file://127.0.0.1/etc/passwd',
  'ftp://127.0.0.1:PORT/',
  'gopher://127.0.0.1:PORT/_GET%20/',
  'dict://127.0.0.1:PORT/info',
  'ws://127.0.0.1:PORT/',
  'data:text/plain,the%20secret',
  'blob:http://127.0.0.1:PORT/1',
  'javascript:1',
  '//127.0.0.1:PORT/',
  '127.0.0.1:PORT',
  'http://127.0.0.1:PORT:80/',
  'http://127.0.0.1 :PORT/',
  'http://127.0.0.256:PORT/',
  'http://4294967296:PORT/',
  'http://localhost%00.example.com:PORT/',
  'http://[::1:PORT/',
  'http://[127.0.0.1]:PORT/',
];

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

  it('checks a name anew on a redirect to itself', async () => {
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
  it.each([
    'file:///etc/passwd',
    'ftp://127.0.0.1/',
    'data:text/plain,the%20secret',
    'javascript:1',
    'http://127.0.0.1:PORT/',
    '//127.0.0.1:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://017700000001:PORT/',
    'http://127.1:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::1]:ANY/',
    'http://localhost:PORT/',
    'http://private.example:PORT/',
    'http://user:word@public.example:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://public.example:22/',
  ])('refuses the one to %s, whatever its status', async (target) => {
    const location = target
      .replace('PORT', canaryPort)
      .replace('ANY', String((anywhere.address() as AddressInfo).port));
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
