// The answers here are hand-made after the public documents of the service. They come over real sockets, through the guarded
// fetch that apps are told to use; only the name of the service leads to this machine.

import { createRegistry, emptySettings, resolveToolset, runTool, textOf } from '@utensil/core';
import type { Fetch, Json, JsonObject } from '@utensil/core';
import { toolSuite } from '@utensil/core/testing';
import { guardedFetch } from '@utensil/guarded-fetch/node';
import { cut, loopback } from '@utensil/tooling-loopback';
import type { Loopback, Reply } from '@utensil/tooling-loopback';
import { afterEach, describe, expect, it, test } from 'vitest';
import { askWeb, askWebTool } from './ask-web.ts';
import { openLinkTool } from './open-link.ts';
import { webSearchTool } from './web-search.ts';

const open: Loopback[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

interface Circumstances {
  readonly options?: { readonly [id: string]: Json };
  readonly key?: string;
  readonly tool?: ReturnType<typeof askWeb>;
}

/** The tool's result, as shown to the model, for a reply of the service. */
async function serve(reply: Reply, { options = {}, key = 'k1', tool = askWebTool }: Circumstances = {}) {
  const asked: string[] = [];
  const server = await loopback(() => reply);
  open.push(server);
  const guarded = guardedFetch({ allowPrivate: [new URL(server.url).host] });
  const fetch: Fetch = (address, request) => {
    asked.push(String(address));
    return guarded(`${server.url}${new URL(address).pathname}`, request);
  };
  const host = { fetch, secrets: { get: async (id: string) => (id === 'ask_web.perplexityKey' ? key : undefined) } };
  const call = (input: JsonObject) => runTool(tool, input, { host, options });
  const see = async (content = 'Who bakes?'): Promise<string> =>
    textOf((await call({ messages: [{ role: 'user', content }] })).modelParts);
  return { server, asked, call, see };
}

const found = [
  { title: 'Bread', url: 'https://example.com/bread', date: '2026-01-31' },
  { title: 'A trap', url: 'javascript:alert(1)' },
  { title: 'Oven', url: 'https://example.com/oven' },
];
const chunk = (content: string, more: object = {}): string =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { role: 'assistant', content } }], ...more })}\r\n\r\n`;
const stream = [
  `data: ${JSON.stringify({ object: 'chat.reasoning', choices: [{ index: 0, delta: { content: '', reasoning_steps: [{ thought: 'x' }] } }] })}\r\n\r\n`,
  chunk('Bakers'),
  chunk(' bäke\u202e [1][3].', { search_results: [] }),
  `data: ${JSON.stringify({ object: 'chat.completion.done', choices: [{ index: 0, delta: { content: '' }, message: { content: 'Bakers bäke [1][3].' } }], search_results: found, usage: { total_tokens: 9 } })}\r\n\r\n`,
  'data: [DONE]\r\n\r\n',
].join('');
const answered =
  'Bakers bäke [1][3].\n\nSources:\n[1] Bread https://example.com/bread\n[2] A trap\n[3] Oven https://example.com/oven';

const json = (body: unknown, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

describe('ask_web', () => {
  it('gives an answer as it is streamed, with the numbers of its sources, however it is cut', async () => {
    for (const offsets of [[], [1, 60, 300, 305], [200, 201, 202]]) {
      const { call, server, asked } = await serve({ body: cut(stream, offsets) });
      const messages = [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Who is at the oven?' },
        { role: 'assistant', content: 'People.' },
        { role: 'user', content: 'Who bakes?' },
      ];
      const { modelParts, userView, status, isError } = await call({ messages });
      expect([isError, textOf(modelParts), userView, status]).toEqual([
        false,
        answered,
        answered,
        'Answered from 3 sources',
      ]);
      expect(asked).toEqual(['https://api.perplexity.ai/chat/completions']);
      expect(server.requests[0]?.headers.authorization).toBe('Bearer k1');
      expect(server.requests[0]?.json()).toEqual({
        model: 'sonar',
        messages,
        stream: true,
        stream_mode: 'concise',
      });
    }
  });

  it('asks the model that the user chose, and takes an answer in one piece, with addresses alone', async () => {
    const body = { choices: [{ message: { content: 'Yes [1].' } }], citations: ['https://example.com/', 7] };
    const { see, server } = await serve(json(body), { options: { perplexityModel: 'sonar-pro' } });
    expect(await see()).toBe('Yes [1].\n\nSources:\n[1] https://example.com/\n[2]');
    expect(server.requests[0]?.json()).toMatchObject({ model: 'sonar-pro' });
  });

  it.each([
    [json({ error: { message: 'k1 is wrong' } }, 401), /^Asking the web failed: http_401: .* It requires a login\.$/],
    [json({}, 429), /^Asking the web failed: http_429: .* It received too many requests: try later\.$/],
    [json({ choices: [] }), /^Asking the web failed: api\.perplexity\.ai sent an empty answer\.$/],
    [{ body: 'data: {"choices":[{"delta":{"content":7}}]}\n\ndata: nonsense\n' }, /sent an empty answer\.$/],
    [{ body: '<html>' }, /sent an empty answer\.$/],
    [
      { body: [chunk('A')], end: 'destroy' },
      /^Asking the web failed: .* closed the connection in the middle of its response\.$/,
    ],
  ] satisfies [Reply, RegExp][])('says why there is no answer: %#', async (reply, text) => {
    const { call, server } = await serve(reply);
    const { isError, modelParts } = await call({ messages: [{ role: 'user', content: 'x' }] });
    expect([isError, textOf(modelParts)]).toEqual([true, expect.stringMatching(text)]);
    expect(textOf(modelParts)).not.toContain('k1');
    expect(server.requests).toHaveLength(1);
  });

  it('asks nothing without a key, or if the last message is not a question', async () => {
    const { call, see, asked } = await serve({ body: stream }, { key: '' });
    expect(await see()).toBe(
      'Asking the web failed: Perplexity needs a key. The user can set it in the options of this tool.',
    );
    const { isError, modelParts } = await call({ messages: [{ role: 'assistant', content: 'x' }] });
    expect([isError, textOf(modelParts)]).toEqual([true, expect.stringContaining('the last message must be')]);
    expect((await call({ messages: [] })).isError).toBe(true);
    expect(asked).toEqual([]);
  });

  it('has links in place of images, which would tell others what was asked', async () => {
    const content = 'Look: ![x](https://t.example/?q=secret) and `a!`.';
    const { see } = await serve(json({ choices: [{ message: { content } }] }));
    expect(await see()).toBe('Look: [x](https://t.example/?q=secret) and `a!`.');
  });

  it('is off until the user turns it on', () => {
    const host = { fetch: async () => new Response('') };
    const names = (tools: object) =>
      resolveToolset(createRegistry([askWebTool]), { ...emptySettings, tools } as typeof emptySettings, host)
        .definitions({ api: 'openai-chat' })
        .map(({ name }) => name);
    expect([names({}), names({ ask_web: { enabled: true } })]).toEqual([[], ['ask_web']]);
  });

  it('can ask a service of the app’s own', async () => {
    const tool = askWeb([
      { id: 'wiki', label: 'Our wiki', answer: async ([first]) => ({ text: `About ${first?.content}.`, sources: [] }) },
    ]);
    const { see } = await serve({}, { tool });
    expect(await see('bread')).toBe('About bread.');
  });
});

it('[S2-35] searches with a query and a page, reads a page by its address and parts of it as Markdown, and asks with messages', async () => {
  const lite = (path: string): Reply => ({
    headers: { 'content-type': 'text/html' },
    body: `<a class="result-link" href="https://example.com/${path.includes('s=8') ? 'second' : 'first'}">Bread</a><p class="result-snippet">A</p>`,
  });
  const page = `<nav>Menu</nav><main><h1>Bread</h1><p>See <a href="../oven">the <b>oven</b></a>.</p><img src="/x.png" alt="A loaf"></main>
    <div id="more">More</div><aside class="note">Note</aside>${'<footer>Foot</footer>'.repeat(3)}`;
  const server = await loopback(({ path }) => {
    if (path.startsWith('/lite')) return lite(path);
    if (path.startsWith('/food')) return { headers: { 'content-type': 'text/html' }, body: page };
    return path.startsWith('/chat') ? { body: stream } : { status: 404 };
  });
  open.push(server);
  const { host: ofServer } = new URL(server.url);
  const guarded = guardedFetch({ allowPrivate: [ofServer] });
  const fetch: Fetch = (address, request) => {
    const { pathname, search } = new URL(address);
    return guarded(`${server.url}${pathname}${search}`, request);
  };
  const host = { fetch, secrets: { get: async () => 'k1' } };
  const see = async (tool: typeof askWebTool, input: JsonObject): Promise<string> =>
    textOf((await runTool(tool, input, { host })).modelParts).replaceAll(ofServer, 'HOST');

  expect(await see(webSearchTool, { query: 'bread' })).toContain('https://example.com/first');
  expect(await see(webSearchTool, { query: 'bread', page: 2 })).toContain('https://example.com/second');
  expect(await see(openLinkTool, { url: `${server.url}/food/` })).toMatch(
    /\n\n# Bread\n\nSee \[the \*\*oven\*\*\]\(http:\/\/HOST\/oven\)\.$/,
  );
  expect(await see(openLinkTool, { url: `${server.url}/food/`, selector: '#more, .note' })).toMatch(
    /\n\nMore\n\nNote$/,
  );
  expect(await see(askWebTool, { messages: [{ role: 'user', content: 'Who bakes?' }] })).toBe(answered);
  expect(await see(webSearchTool, { query: '' })).toMatch(/^Search failed: /);
  const refused = await runTool(openLinkTool, { url: 'http://10.0.0.1/' }, { host: { fetch: guarded } });
  expect(textOf(refused.modelParts)).toMatch(/^Failed to fetch URL: /);
});

describe('the suite for every tool: ask_web', () => {
  toolSuite({ test }, askWebTool, {
    host: () => ({ fetch: async () => new Response(stream), secrets: { get: async () => 'k1' } }),
    examples: [{ messages: [{ role: 'user', content: 'Who bakes?' }] }],
  });
});
