// Acceptance of both tools on hand-made pages, through the guarded fetch, over real sockets.

import { createRegistry, emptySettings, resolveToolset, run, runTool, textOf } from '@utensil/core';
import type { Fetch, Json, JsonObject } from '@utensil/core';
import { scriptedModel } from '@utensil/core/testing';
import { guardedFetch } from '@utensil/guarded-fetch/node';
import { loopback } from '@utensil/tooling-loopback';
import type { Handler, Loopback, Reply } from '@utensil/tooling-loopback';
import { afterEach, expect, it } from 'vitest';
import { openLinkTool } from './open-link.ts';
import { webSearchTool } from './web-search.ts';

const open: Loopback[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

interface Setting {
  readonly maxRedirects?: number;
  readonly options?: { readonly [id: string]: Json };
}

/** Pages of a server as shown to the model, by path; the path of a search service starts with its host. */
async function serve(handler: Handler, { maxRedirects = 5, options = {} }: Setting = {}) {
  const server = await loopback(handler);
  open.push(server);
  const { host } = new URL(server.url);
  const fetch = guardedFetch({ allowPrivate: [host], maxRedirects });
  const search: Fetch = (address, request) => {
    const { host: service, pathname, search: query } = new URL(address);
    return fetch(`${server.url}/${service}${pathname}${query}`, request);
  };
  const openLink = (path: string, more: JsonObject = {}) =>
    runTool(
      openLinkTool,
      { url: URL.canParse(path) ? path : `${server.url}${path}`, ...more },
      { host: { fetch }, options },
    );
  const see = async (path: string, more?: JsonObject): Promise<string> =>
    textOf((await openLink(path, more)).modelParts).replaceAll(host, 'HOST');
  const find = async (query: string): Promise<string> =>
    textOf((await runTool(webSearchTool, { query }, { host: { fetch: search } })).modelParts).replaceAll(host, 'HOST');
  return { server, see, find, openLink, searchFetch: search };
}

const page = (body: Reply['body'], type = 'text/html', more: Partial<Reply> = {}): Reply => ({
  body: body ?? '',
  headers: { 'content-type': type },
  ...more,
});

const latin = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

const liteResult = `<a class='result-link' href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.com%2Flite">Lite</a><p class='result-snippet'>A</p>`;
const htmlResult = `<a class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.com%2Fhtml">Html</a><a class="result__snippet">B</a>`;
const apiResult = JSON.stringify({
  Heading: 'Api',
  AbstractText: 'C',
  AbstractURL: 'https://example.com/api',
  RelatedTopics: [],
});

/** Pages of the test server, besides redirects. */
const pages: Readonly<Record<string, Reply>> = {
  '/0': page('<p>There.</p>'),
  '/to-file': { status: 302, headers: { location: 'file:///etc/passwd' } },
  '/to-loopback': { status: 302, headers: { location: 'http://127.0.0.1:9/' } },
  '/12000': page('x'.repeat(12_000), 'text/plain'),
  '/12001': page('x'.repeat(12_001), 'text/plain'),
  '/700k': page('x'.repeat(700_000), 'text/plain'),
  '/701k': page('x'.repeat(701_000), 'text/plain'),
  '/latin': page([latin('<p>Crème brûlée')], 'text/html; charset=iso-8859-1'),
  '/gone': page('<h1>Nothing</h1>', 'text/html', { status: 404 }),
  '/image': page([new Uint8Array(3)], 'image/png'),
  '/slow': page(['<p>A'], 'text/html', { end: 'hang' }),
  '/page': page(
    '<html><head><style>a{}</style><script>b()</script></head><body><p>A &lt;b&gt; &amp;   c&nbsp;d &quot;e&quot; &#39;f&#39;</p></body></html>',
  ),
  '/said': page('<html><p>g</p></html>', 'application/octet-stream'),
};

const site: Handler = ({ path }) => {
  const times = /^\/([1-9])$/.exec(path)?.[1];
  if (times !== undefined) return { status: 302, headers: { location: `/${Number(times) - 1}` } };
  return pages[path] ?? { status: 500 };
};

const impatient: Setting = { options: { timeoutSeconds: 1 } };
const tooLate = 'Failed to fetch URL: HOST took more than 1 s.';
const notFound = 'http_404: HOST answered 404 Not Found. The page does not exist.';
const isPrivate = 'Failed to fetch URL: Not fetched: 127.0.0.1:9 is not on the public internet.';
const tooOften = 'Failed to fetch URL: HOST redirects again after 3 redirects, which is the limit.';

it('[A1-03] searches and opens pages of every kind that went wrong before', async () => {
  const searches: readonly (readonly [lite: string, html: string, api: string, text: string])[] = [
    [liteResult, '', '{}', 'Found 1 results for "q":\n\n1. Lite\n   https://example.com/lite\n   A'],
    ['', htmlResult, '{}', 'Found 1 results for "q":\n\n1. Html\n   https://example.com/html\n   B'],
    ['', '', apiResult, 'Found 1 results for "q":\n\n1. Api\n   https://example.com/api\n   C'],
    ['', '', '{}', 'No search results found for "q". Try other words.'],
  ];
  for (const [lite, html, api, text] of searches) {
    const { find } = await serve(({ path }) =>
      page(path.startsWith('/lite') ? lite : path.startsWith('/html') ? html : api),
    );
    expect(await find('q')).toBe(text);
  }

  const { see } = await serve(site);
  for (const times of [0, 1, 2, 3, 4, 5])
    expect(await see(`/${times}`)).toMatch(/\/0(?: \(redirected from .*\/[1-5]\))?\n\nThere\.$/);
  expect(await see('/6')).toContain('after 5 redirects, which is the limit.');
  expect(await see('/to-file')).toMatch(/^Failed to fetch URL: Not fetched: /);
  expect(await see('/to-loopback')).toContain(isPrivate);
  expect(await see('/12001')).toContain('[characters 0–12000 of 12001]');
  expect(await see('/701k')).toContain('[characters 0–12000 of 700000]');
  expect(await see('/latin')).toMatch(/\n\nCrème brûlée$/);
  expect(await see('/gone')).toBe(notFound);
  expect(await (await serve(site, impatient)).see('/slow')).toBe(tooLate);
});

it('[S1-10] opens a page within limits of time, size, redirects and text, and says what is cut and what is refused', async () => {
  const { see } = await serve(site, { maxRedirects: 3 });
  expect(openLinkTool.options).toMatchObject({
    timeoutSeconds: { default: 10 },
    maxKilobytes: { default: 700 },
    maxCharacters: { default: 12_000 },
  });
  expect(await see('/page')).toMatch(/\n\nA \\<b> & c\u00a0d "e" 'f'$/);
  expect(await see('/said')).toMatch(/\n\ng$/);
  expect(await see('/latin')).toMatch(/\n\nCrème brûlée$/);
  expect([await see('/3'), await see('/4')]).toEqual([expect.stringMatching(/There\.$/), tooOften]);
  expect(await see('/12000')).not.toContain('[characters');
  expect(await see('/12001')).toMatch(
    /\[characters 0–12000 of 12001\]\nx{12000}\n\[More follows: continue at offset 12000\.\]$/,
  );
  expect(await see('/12001', { offset: 12_000 })).toMatch(/\nx$/);
  expect(await see('/700k')).not.toContain('Truncated');
  expect(await see('/701k')).toMatch(
    /\[Truncated: only the first 700,000 of (?:more than 700,000|701,000) bytes were read\.\]/,
  );
  expect(await see('/to-file')).toMatch(/^Failed to fetch URL: Not fetched: /);
  expect(await see('/to-loopback')).toContain(isPrivate);
  expect(await (await serve(site, impatient)).see('/slow')).toBe(tooLate);
  expect(await see('/gone')).toBe(notFound);
  const texts = await Promise.all(
    ['', 'no address', 'file:///x'].map(async (url) => {
      const { modelParts, isError } = await runTool(
        openLinkTool,
        { url },
        { host: { fetch: () => Promise.reject(new Error('asked')) } },
      );
      return `${isError} ${textOf(modelParts)}`;
    }),
  );
  expect(texts).toEqual([
    expect.stringMatching(/^true missing_url: /),
    expect.stringMatching(/^true Invalid URL format \(invalid_url\): /),
    expect.stringMatching(/^true unsupported_protocol: /),
  ]);
});

it('[S1-11] says how it went, and shows a person the host, what was cut and the first 4,000 characters', async () => {
  const { openLink } = await serve(site);
  const { status, userView, modelParts } = await openLink('/701k');
  expect(status).toMatch(/^Successfully fetched content from 127\.0\.0\.1:\d+$/);
  expect(textOf(modelParts).startsWith(`${status}\n`)).toBe(true);
  const view = String(userView);
  expect(view.startsWith(`${status}\n`)).toBe(true);
  expect(view).toMatch(/\[Truncated: only the first 700,000 of .* bytes were read\.\]/);
  const [, text = ''] = view.split('\n\n');
  expect(text).toHaveLength(4_000 + '...content truncated'.length);
  expect(text.endsWith('x...content truncated')).toBe(true);
  const wrong = await runTool(
    openLinkTool,
    { url: '::' },
    { host: { fetch: () => Promise.reject(new Error('asked')) } },
  );
  expect([wrong.isError, wrong.status]).toEqual([true, expect.stringContaining('Invalid URL format')]);
});

it('[D2-08] reads no page without end and waits for none, and asks once for each', async () => {
  let taken = 0;
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      taken += 10_000;
      controller.enqueue(new Uint8Array(10_000).fill(97));
    },
  });
  const fetch: Fetch = async () => new Response(endless, { headers: { 'content-type': 'text/plain' } });
  const { output } = await runTool(openLinkTool, { url: 'https://example.com' }, { host: { fetch } });
  expect(output).toMatchObject({ notes: ['Truncated: only the first 700,000 of more than 700,000 bytes were read.'] });
  expect(taken).toBeLessThan(800_000);

  const { server, see } = await serve(site, impatient);
  expect(await see('/slow')).toBe(tooLate);
  expect(server.requests).toHaveLength(1);
});

it('[S1-03] has tools that search the web and open what they find, which a model can use in one run', async () => {
  const { server, searchFetch } = await serve((request) =>
    request.path.startsWith('/lite.duckduckgo.com') ? page(liteResult) : page('<p>How to bake.</p>'),
  );
  const toolset = resolveToolset(createRegistry([webSearchTool, openLinkTool]), emptySettings, { fetch: searchFetch });
  const calls = [
    { name: 'web_search', input: { query: 'bread' } },
    { name: 'open_link', input: { url: 'https://example.com/lite' } },
  ];
  const model = scriptedModel([...calls.map((call) => ({ calls: [call] })), { text: 'Done.' }]);
  const { messages, status } = await run({ model, toolset, messages: 'How do I bake?' }).result;
  const texts = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-result' ? [textOf(part.modelParts)] : [])),
  );
  expect(status).toBe('complete');
  expect(texts).toEqual([
    expect.stringContaining('https://example.com/lite'),
    expect.stringMatching(/\n\nHow to bake\.$/),
  ]);
  expect(server.requests).toHaveLength(2);
});
