// Attempts to reach a forbidden server on this machine through the tools. It must receive no request. The pages are
// hand-made, the sockets are real.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runTool, textOf } from '@utensil/core';
import type { Fetch, Json } from '@utensil/core';
import { guardedFetch } from '@utensil/guarded-fetch/node';
import type { NodeGuardOptions } from '@utensil/guarded-fetch/node';
import { loopback } from '@utensil/tooling-loopback';
import type { Handler, Loopback, Reply } from '@utensil/tooling-loopback';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { filled, loopbackForms, otherForms, redirectTargets } from '../../../tooling/fixtures/attacks/addresses.ts';
import { askWebTool } from './ask-web.ts';
import { openLinkTool } from './open-link.ts';
import { webSearchTool } from './web-search.ts';

/** Listens wherever addresses of this machine lead, and counts who comes. */
let connections = 0;
let port = '';
const hit = JSON.stringify({ results: [{ title: 'the secret', url: 'https://example.com/' }] });
const canary = createServer((_, response) => response.setHeader('content-type', 'application/json').end(hit));
canary.on('connection', () => connections++);
beforeAll(async () => {
  await new Promise<void>((resolve) => canary.listen(0, resolve));
  port = String((canary.address() as AddressInfo).port);
});
afterAll(() => {
  canary.closeAllConnections();
  canary.close();
});

const open: Loopback[] = [];
afterEach(async () => {
  connections = 0;
  for (const server of open.splice(0)) await server.close();
});

async function serve(handler: Handler): Promise<Loopback> {
  const server = await loopback(handler);
  open.push(server);
  return server;
}

const here = (address: string): string => filled(address, { port, any: port });
const privateForms = [...loopbackForms, ...otherForms];

/** The names that attackers own: of this machine, and of one that nobody has. */
const resolve = async (name: string): Promise<string[]> => [name.startsWith('private') ? '127.0.0.1' : '93.184.215.14'];

interface Seen {
  readonly text: string;
  readonly isError: boolean;
}

async function openWith(url: string, guard: NodeGuardOptions, options: { readonly [id: string]: Json } = {}) {
  const host = { fetch: guardedFetch({ resolve, ...guard }) };
  const { modelParts, isError } = await runTool(openLinkTool, { url }, { host, options });
  return { text: textOf(modelParts), isError } satisfies Seen;
}

/** Calls that were not refused. */
async function notRefused(targets: readonly string[], call: (target: string) => Promise<Seen>): Promise<string[]> {
  const reached: string[] = [];
  for (const target of targets) {
    const { text, isError } = await call(here(target));
    if (!isError || text.includes('the secret')) reached.push(`${target}: ${text}`);
  }
  return reached;
}

it('has at least 60 addresses to try, no two of them the same', () => {
  expect(new Set(privateForms).size).toBe(privateForms.length);
  expect(privateForms.length).toBeGreaterThanOrEqual(60);
});

describe('open_link', () => {
  it('[D1-06] reaches no private address, however it is written', async () => {
    expect(await notRefused(privateForms, (url) => openWith(url, {}))).toEqual([]);
    expect(connections).toBe(0);
  });

  it('would have reached it, if the app allows it', async () => {
    const guard = { allowPrivate: [`127.0.0.1:${port}`] };
    const seen: Seen[] = [];
    for (const form of loopbackForms) seen.push(await openWith(here(form), guard));
    expect(loopbackForms.filter((_, index) => seen[index]?.text.includes('the secret') !== true)).toEqual([]);
    expect(connections).toBe(loopbackForms.length);
  });

  it('reaches none by a redirect, at once or at the end of several, with whatever status', async () => {
    const statuses = [301, 302, 303, 307, 308];
    for (const hops of [1, 5]) {
      const server = await serve(({ path }, index) => {
        const left = Number(/\d+/.exec(path)?.[0]);
        const location = left > 1 ? `/${left - 1}?${path.split('?')[1]}` : decodeURIComponent(path.split('?')[1] ?? '');
        return { status: statuses[index % 5] ?? 302, headers: { location } };
      });
      const guard = { allowPrivate: [new URL(server.url).host] };
      const through = (to: string): Promise<Seen> => openWith(`${server.url}/${hops}?${encodeURIComponent(to)}`, guard);
      expect(await notRefused([...redirectTargets, 'https://127.0.0.1:PORT/'], through)).toEqual([]);
      expect(server.requests.length).toBeGreaterThanOrEqual(hops * redirectTargets.length);
      const allowed = { allowPrivate: [...guard.allowPrivate, `127.0.0.1:${port}`] };
      expect(connections).toBe(0);
      const to = encodeURIComponent(here('http://127.1:PORT/'));
      expect((await openWith(`${server.url}/${hops}?${to}`, allowed)).text).toContain('the secret');
      connections = 0;
    }
  });

  it('ends redirects that go on, in a circle or not', async () => {
    const server = await serve(({ path }, index) => ({
      status: 302,
      headers: { location: path.startsWith('/circle') ? (path === '/circle' ? '/circle2' : '/circle') : `/${index}` },
    }));
    const guard = { allowPrivate: [new URL(server.url).host] };
    for (const path of ['/circle', '/0']) {
      const { text, isError } = await openWith(`${server.url}${path}`, guard);
      expect([isError, text]).toEqual([true, expect.stringContaining('after 5 redirects, which is the limit.')]);
    }
    expect(server.requests).toHaveLength(12);
  });

  it('connects to what was looked up, and to nothing that the name means a moment later', async () => {
    const answers = [['192.0.2.1'], ['127.0.0.1'], ['127.0.0.1']];
    const changing = async (): Promise<string[]> => answers.shift() ?? [];
    const url = here('http://rebound.example:PORT/');
    const guard = { resolve: changing, allowPrivate: ['rebound.example'] };
    expect((await openWith(url, { ...guard, headersTimeoutMs: 300 })).isError).toBe(true); // 192.0.2.1 is nobody's
    expect([connections, answers.length]).toEqual([0, 2]);
    expect((await openWith(url, guard)).text).toContain('the secret');
    expect([connections, answers.length]).toEqual([1, 1]);
    expect((await openWith(url, { resolve: changing })).isError).toBe(true); // no longer allowed, and private
    expect([connections, answers.length]).toEqual([1, 0]);
  });

  it('reaches no name of which one address is private, or was public before a redirect to it', async () => {
    const server = await serve(() => ({ status: 302, headers: { location: here('http://second.example:PORT/') } }));
    const lookups: string[][] = [['93.184.215.14', '127.0.0.1'], ['127.0.0.1'], ['::ffff:127.0.0.1']];
    const changing = async (): Promise<string[]> => lookups.shift() ?? [];
    const first = `first.example:${new URL(server.url).port}`;
    const guard = { resolve: changing, allowPrivate: [first] };
    expect((await openWith(here('http://mixed.example:PORT/'), guard)).isError).toBe(true);
    expect((await openWith(`http://${first}/`, guard)).isError).toBe(true);
    expect([connections, lookups.length, server.requests.length]).toEqual([0, 0, 1]);
  });

  it('follows nothing that a page says to load or to go to', async () => {
    const secret = here('http://127.0.0.1:PORT/');
    const html = `<html manifest="${secret}"><head><base href="${secret}"><meta http-equiv="refresh" content="0;url=${secret}">
      <link rel="preload stylesheet icon dns-prefetch preconnect" href="${secret}"><script src="${secret}"></script>
      <style>@import '${secret}'; p { background: url(${secret}) }</style></head>
      <body background="${secret}" onload="location='${secret}'"><p>Seen <img src="${secret}" srcset="${secret} 2x" alt="x">.</p>
      <iframe src="${secret}"></iframe><object data="${secret}"></object><video src="${secret}" autoplay></video>
      <a href="${secret}" ping="${secret}">a</a><script>fetch('${secret}')</script></body></html>`;
    const headers = { 'content-type': 'text/html', refresh: `0;url=${secret}`, link: `<${secret}>; rel=preload` };
    const server = await serve(() => ({ headers, body: html }));
    const guard = { allowPrivate: [new URL(server.url).host, `127.0.0.1:${port}`] }; // it could
    for (const keepImages of [false, true])
      expect((await openWith(server.url, guard, { keepImages })).text).toMatch(/Seen .*\./s);
    expect([connections, server.requests.length]).toEqual([0, 2]);
  });
});

describe('web_search', () => {
  /** Result of a search for a reply of its service. */
  async function searchAt(reply: (path: string) => Reply, query = 'x'): Promise<Seen> {
    const server = await serve(({ path }) => reply(path));
    const guarded = guardedFetch({ resolve, allowPrivate: [new URL(server.url).host] });
    const fetch: Fetch = (address, request) => guarded(`${server.url}/${new URL(address).host}`, request);
    const { modelParts, isError } = await runTool(webSearchTool, { query }, { host: { fetch } });
    return { text: textOf(modelParts), isError };
  }

  it('follows its services to no private address', async () => {
    const redirect = (location: string) => searchAt(() => ({ status: 302, headers: { location } }));
    expect(await notRefused(redirectTargets, redirect)).toEqual([]);
    expect(connections).toBe(0);
  });

  it('loads none of its results', async () => {
    const results = privateForms
      .map((form) => `<a class="result-link" href="${here(form).replaceAll('"', '')}">Result</a>`)
      .join('');
    const reply = { headers: { 'content-type': 'text/html' }, body: results };
    const { text } = await searchAt(() => reply);
    expect(text).toContain('Found 8 results');
    expect(connections).toBe(0);
  });

  it('asks no service at a private address, unless the app allows it', async () => {
    const search = async (searxngAddress: string, guard: NodeGuardOptions = {}): Promise<Seen> => {
      const host = { fetch: guardedFetch({ resolve, ...guard }) };
      const options = { engine: 'searxng', searxngAddress };
      const { modelParts, isError } = await runTool(webSearchTool, { query: 'x' }, { host, options });
      return { text: textOf(modelParts), isError };
    };
    expect(await notRefused(privateForms, search)).toEqual([]);
    expect(connections).toBe(0);
    const allowed = await search(here('http://127.1:PORT/'), { allowPrivate: [`127.0.0.1:${port}`] });
    expect([allowed.text, connections]).toEqual([expect.stringContaining('the secret'), 1]);
  });
});

describe('ask_web', () => {
  it('follows its service to no private address, and takes its key nowhere else', async () => {
    const other = await serve(() => ({ body: '{"choices":[{"message":{"content":"the secret"}}]}' }));
    const askAt = async (location: string, allowed: readonly string[] = []): Promise<Seen> => {
      const server = await serve(() => ({ status: 307, headers: { location } }));
      const guarded = guardedFetch({ resolve, allowPrivate: [new URL(server.url).host, ...allowed] });
      const fetch: Fetch = (_, request) => guarded(server.url, request);
      const host = { fetch, secrets: { get: async () => 'key-1' } };
      const { modelParts, isError } = await runTool(
        askWebTool,
        { messages: [{ role: 'user', content: 'x' }] },
        { host },
      );
      return { text: textOf(modelParts), isError };
    };
    expect(await notRefused(redirectTargets, (target) => askAt(target))).toEqual([]);
    expect(connections).toBe(0);
    const { text } = await askAt(other.url, [new URL(other.url).host]);
    expect([text, other.requests.length]).toEqual(['the secret', 1]);
    expect(JSON.stringify(other.requests)).not.toContain('key-1');
  });
});
