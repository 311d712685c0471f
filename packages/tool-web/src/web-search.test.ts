// The pages and answers here are hand-made after those of the services. They come over real sockets, through the guarded
// fetch that apps are told to use; only the names of the services lead to this machine.

import { createRegistry, emptySettings, resolveToolset, run, runTool, textOf } from '@utensil/core';
import type { Fetch, Json, JsonObject, ToolResultPart } from '@utensil/core';
import { scriptedModel, toolSuite } from '@utensil/core/testing';
import { guardedFetch } from '@utensil/guarded-fetch/node';
import { loopback } from '@utensil/tooling-loopback';
import type { Loopback, RecordedRequest, Reply } from '@utensil/tooling-loopback';
import { afterEach, describe, expect, it, test } from 'vitest';
import { webSearch, webSearchTool } from './web-search.ts';

const open: Loopback[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

type Services = Readonly<Record<string, Reply | ((request: RecordedRequest) => Reply | Promise<Reply>)>>;

interface Circumstances {
  readonly options?: { readonly [id: string]: Json };
  readonly secrets?: Readonly<Record<string, string>>;
  readonly tool?: ReturnType<typeof webSearch>;
}

/** Search services by host, and a search as shown to the model. Missing services refuse connections. */
async function serve(services: Services, { options = {}, secrets = {}, tool = webSearchTool }: Circumstances = {}) {
  const asked: string[] = [];
  const server = await loopback((request) => {
    const [, host = '', ...path] = request.path.split('/');
    asked.push(`${host}/${path.join('/')}`);
    const service = services[host] ?? { status: 503 };
    return typeof service === 'function' ? service(request) : service;
  });
  open.push(server);
  const guarded = guardedFetch({ allowPrivate: [new URL(server.url).host] });
  const fetch: Fetch = (address, request) => {
    const { host, pathname, search } = new URL(address);
    return guarded(`${server.url}/${host}${pathname}${search}`, request);
  };
  const host = { fetch, secrets: { get: async (key: string) => secrets[key] } };
  const call = (input: JsonObject, signal?: AbortSignal) =>
    runTool(tool, input, { host, options, ...(signal && { signal }) });
  const see = async (query: string, page?: number): Promise<string> =>
    textOf((await call({ query, ...(page !== undefined && { page }) })).modelParts);
  return { server, asked, host, call, see };
}

const html = (body: string, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'text/html; charset=UTF-8' },
  body,
});
const json = (body: unknown, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const wrapped = (url: string): string => `//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=abc`;

interface Hit {
  readonly title: string;
  readonly url: string;
  readonly snippet?: string;
}

const litePage = (hits: readonly Hit[]): string => `<html><body><form><input name="q"></form><table>
  <tr class="result-sponsored"><td>1.</td><td><a class="result-link" href="https://duckduckgo.com/y.js?ad_domain=a">Ad</a></td></tr>
  <tr class="result-sponsored"><td></td><td class="result-snippet">Buy</td></tr>
  ${hits
    .map(
      ({ title, url, snippet }, index) => `<tr><td>${index + 1}.&nbsp;</td><td>
        <a rel="nofollow" href="${wrapped(url)}" class='result-link'>${title}</a></td></tr>
        ${snippet === undefined ? '' : `<tr><td>&nbsp;</td><td class='result-snippet'>${snippet}</td></tr>`}
        <tr><td></td><td><span class='link-text'>example.com</span></td></tr>`,
    )
    .join('\n')}</table></body></html>`;

const htmlPage = (hits: readonly Hit[]): string => `<html><body><div class="results">
  <div class="result result--ad"><h2><a class="result__a" href="https://duckduckgo.com/y.js?x">Ad</a></h2><a class="result__snippet">Buy</a></div>
  ${hits
    .map(
      ({ title, url, snippet }) => `<div class="result web-result"><h2 class="result__title">
        <a class="result__a" href="${wrapped(url)}">${title}</a></h2>
        <a class="result__snippet" href="${wrapped(url)}">${snippet ?? ''}</a></div>`,
    )
    .join('\n')}</div></body></html>`;

const nothing = { Heading: '', AbstractText: '', AbstractURL: '', Answer: '', Results: [], RelatedTopics: [] };
const bread: Hit = {
  title: 'Bread &amp; <b>butter</b>',
  url: 'https://example.com/bread?a=1&b=2',
  snippet: 'How to <b>bake</b> &lt;it&gt;',
};
const breadText =
  'Found 1 results for "bread":\n\n1. Bread & butter\n   https://example.com/bread?a=1&b=2\n   How to bake';

const lite = 'lite.duckduckgo.com';
const page = 'html.duckduckgo.com';
const api = 'api.duckduckgo.com';

describe('DuckDuckGo', () => {
  it('[S1-08] gives at most 8 results with title, address and snippet, whichever source has them, and no debug block', async () => {
    const many = Array.from({ length: 12 }, (_, index) => ({
      title: `Title ${index} ${'long '.repeat(60)}`,
      url: `https://example.com/${index}`,
      snippet: `Snippet ${index}`,
    }));
    const fromLite = await serve({ [lite]: html(litePage(many)) });
    const { output } = await fromLite.call({ query: 'x' });
    const { results } = output as unknown as { readonly results: readonly Hit[] };
    expect(results).toHaveLength(8);
    expect(results[7]).toEqual({
      title: expect.stringMatching(/^Title 7 .*…$/),
      url: many[7]?.url,
      snippet: 'Snippet 7',
    });
    expect(results.every(({ title }) => title.length <= 200)).toBe(true);
    expect(fromLite.asked).toEqual(['lite.duckduckgo.com/lite/?q=x']);
    expect(Object.keys(output as object)).toEqual(['query', 'page', 'engine', 'results']);

    const bare = many.map(({ title, url }) => ({ title, url }));
    const merged = await serve({ [lite]: html(litePage(bare)), [page]: html(htmlPage(many)) });
    expect(await merged.see('x')).toContain('\n   https://example.com/7\n   Snippet 7');
    const alone = await serve({ [lite]: html(litePage(bare)), [page]: { status: 500 } });
    expect(await alone.see('x')).toMatch(/\n8\. Title 7 .*…\n {3}https:\/\/example\.com\/7$/);

    const second = await serve({ [lite]: html(litePage([])), [page]: html(htmlPage([bread])) });
    expect(await second.see('bread')).toBe(breadText);
    const answer = { ...nothing, Heading: 'Bread', AbstractText: 'A food.', AbstractURL: 'https://example.com/wiki' };
    const third = await serve({
      [lite]: html('', 202),
      [page]: html('<div class="anomaly-modal__mask">'),
      [api]: json(answer),
    });
    expect(await third.see('bread')).toContain('1. Bread\n   https://example.com/wiki\n   A food.');
    expect(third.asked.map((each) => each.split('/')[0])).toEqual([lite, page, api]);
  });

  it('unwraps addresses, leaves out advertisements, markup and invalid addresses, and lists each page once', async () => {
    const hits = [
      bread,
      { ...bread, title: 'Again' },
      { title: 'Advertisement', url: 'https://duckduckgo.com/y.js?ad_domain=b', snippet: 'x' },
      { title: 'Script', url: 'javascript:alert(1)', snippet: 'x' },
      { title: 'Data', url: 'data:text/html,x', snippet: 'x' },
      { title: '', url: 'https://example.org/', snippet: 'a\u202eb\u0007c\u{e0041}' },
    ];
    const { see } = await serve({ [lite]: html(litePage(hits)) });
    expect(await see('bread')).toBe(
      `${breadText.replace('1 results', '2 results')}\n\n2. example.org\n   https://example.org/\n   abc`,
    );
  });

  it('gives topics of an instant answer too, and an answer that has no address', async () => {
    const RelatedTopics = [
      { Text: `${'Rye '.repeat(40)} - a bread`, FirstURL: 'https://example.com/rye' },
      { Name: 'More', Topics: [{ Text: 'Oven - hot', FirstURL: 'https://example.com/oven' }] },
      { Text: 'No address' },
      'nonsense',
    ];
    const { see } = await serve({
      [lite]: html('x'),
      [page]: html('x'),
      [api]: json({ ...nothing, Answer: '42', RelatedTopics }),
    });
    const text = await see('6 times 7');
    expect(text).toContain('1. 6 times 7\n   https://duckduckgo.com/?q=6%20times%207\n   42');
    expect(text).toMatch(/2\. (?:Rye ){29}Ry…|2\. (?:Rye )+.*…\n/);
    expect(text).toContain('3. Oven\n   https://example.com/oven\n   Oven - hot');
    expect(text).not.toContain('4. ');
  });

  it('[S1-09] says how it went in one line, to a model and to a person', async () => {
    const long = Array.from({ length: 8 }, (_, index) => ({
      ...bread,
      url: `https://example.com/${index}`,
      snippet: 's'.repeat(400),
    }));
    const many = await (await serve({ [lite]: html(litePage(long)) })).call({ query: 'bread' });
    expect(many.status).toBe('Found 8 results for "bread"');
    expect(many.userView).toMatch(/^Found 8 results for "bread"\n\n1\. /);
    expect(String(many.userView).match(/https:/g)).toHaveLength(5);
    expect(
      String(many.userView)
        .match(/s{20,}…/g)
        ?.map(({ length }) => length),
    ).toEqual([200, 200, 200, 200, 200]);
    const wordy = await (await serve({ [lite]: html(litePage(long)) })).call({ query: 'q'.repeat(900) });
    expect(String(wordy.userView).split('\n')[0]).toHaveLength(300);

    const none = await (
      await serve({ [lite]: html(litePage([])), [page]: html(htmlPage([])), [api]: json(nothing) })
    ).call({ query: 'bread' });
    expect([none.isError, none.status, none.userView]).toEqual([
      false,
      'No search results found',
      'No search results found',
    ]);
    expect(textOf(none.modelParts)).toBe('No search results found for "bread". Try other words.');

    const failed = await (await serve({})).call({ query: 'bread' });
    expect([failed.isError, failed.status]).toEqual([true, textOf(failed.modelParts)]);
    expect(failed.status).toMatch(/^Search failed: Web search API unavailable: http_503: .*503 Service Unavailable\./);

    const missing = await (await serve({})).call({ query: '  ' });
    expect([missing.isError, missing.status]).toEqual([
      true,
      'Search failed: missing_query: Missing or invalid query argument',
    ]);
  });

  it('gives the reason if no source answers, and never claims that there are no results', async () => {
    const robots = html('<div class="anomaly-modal__title">Select all ducks</div>', 202);
    const { see } = await serve({ [lite]: robots, [page]: { end: 'destroy' }, [api]: json(nothing) });
    const text = await see('bread');
    expect(text).toMatch(/^Search failed: Web search API unavailable: lite\.duckduckgo\.com asks for a CAPTCHA\. /);
    expect(
      (await (await serve({ [lite]: robots, [page]: robots, [api]: html('<html>') })).see('x')).split('. '),
    ).toContain('api.duckduckgo.com sent something that is not JSON.');
  });

  it('gives later pages of a search, and says where they end', async () => {
    const { see, asked } = await serve({
      [lite]: (request) => html(litePage(request.path.includes('s=8') ? [bread] : [])),
      [page]: html(''),
    });
    expect(await see('bread', 2)).toBe(breadText);
    expect(asked).toEqual(['lite.duckduckgo.com/lite/?q=bread&s=8&dc=9']);
    expect(await see('bread', 3)).toBe('No search results found for "bread" on page 3. There are no more pages.');
  });

  it('reads no more than 900 KB of a page', async () => {
    const { see } = await serve({
      [lite]: html(
        `${litePage([bread])}${' '.repeat(900_000)}${litePage([{ ...bread, url: 'https://late.example/' }])}`,
      ),
    });
    expect(await see('bread')).toBe(breadText);
  });

  it('asks nobody else, if the user gives up', async () => {
    const { call, asked } = await serve({ [lite]: () => new Promise(() => {}) });
    const controller = new AbortController();
    const answer = call({ query: 'x' }, controller.signal);
    await expect.poll(() => asked.length).toBe(1);
    controller.abort();
    expect((await answer).isError).toBe(true);
    expect(asked).toHaveLength(1);
  });
});

describe('a service with a key or an address', () => {
  const hit = { title: 'Bread &amp; <strong>butter</strong>', url: bread.url };
  const said = 'How to <strong>bake</strong>';

  it('is Brave', async () => {
    const { see, server, asked } = await serve(
      { 'api.search.brave.com': json({ web: { results: [{ ...hit, description: said }] } }) },
      { options: { engine: 'brave' }, secrets: { 'web_search.braveKey': 'k1', 'web_search.tavilyKey': 'k2' } },
    );
    expect(await see('bread', 2)).toBe(breadText);
    expect(asked).toEqual(['api.search.brave.com/res/v1/web/search?q=bread&count=8&offset=1']);
    expect(server.requests[0]?.headers['x-subscription-token']).toBe('k1');
    expect(JSON.stringify(server.requests)).not.toContain('k2');
  });

  it('is Tavily, which has no pages', async () => {
    const results = Array.from({ length: 8 }, (_, index) => ({ title: 'x', url: `https://example.com/${index}` }));
    const { see, server } = await serve(
      { 'api.tavily.com': json({ results: [...results, { ...hit, content: said }] }) },
      { options: { engine: 'tavily' }, secrets: { 'web_search.tavilyKey': 'k2' } },
    );
    expect(await see('bread', 2)).toBe(breadText);
    expect(server.requests[0]?.json()).toEqual({ query: 'bread', max_results: 16 });
    expect(server.requests[0]?.headers.authorization).toBe('Bearer k2');
    expect(await see('bread', 3)).toContain('There are no more pages.');
  });

  it('is SearXNG, at an address', async () => {
    const { see, asked } = await serve(
      { 'search.example.com': json({ results: [{ ...hit, content: said }] }) },
      { options: { engine: 'searxng', searxngAddress: ' https://search.example.com/x ' } },
    );
    expect(await see('bread')).toBe(breadText);
    expect(asked).toEqual(['search.example.com/x/search?q=bread&format=json&pageno=1']);
  });

  it.each([
    ['brave', 'Search failed: Brave Search needs a key. The user can set it in the options of this tool.'],
    ['searxng', 'Search failed: SearXNG needs an address. The user can set it in the options of this tool.'],
  ])('is not asked without it: %s', async (engine, text) => {
    const { see, asked } = await serve({}, { options: { engine } });
    expect([await see('bread'), asked]).toEqual([text, []]);
  });

  it('says what it refuses, without the key, and is not replaced by another', async () => {
    const { see, asked } = await serve(
      { 'api.search.brave.com': json({ error: 'k1 is wrong' }, 401) },
      { options: { engine: 'brave' }, secrets: { 'web_search.braveKey': 'k1' } },
    );
    expect(await see('bread')).toMatch(
      /^Search failed: http_401: .* answered 401 Unauthorized\. It requires a login\.$/,
    );
    expect(asked).toHaveLength(1);
  });

  it('may answer with anything', async () => {
    for (const body of [null, [], 'x', { web: 1 }, { web: { results: [null, 1, { title: 1, url: {} }] } }]) {
      const { see } = await serve(
        { 'api.search.brave.com': json(body) },
        { options: { engine: 'brave' }, secrets: { 'web_search.braveKey': 'k' } },
      );
      expect(await see('bread')).toBe('No search results found for "bread". Try other words.');
    }
  });
});

describe('a search', () => {
  it('can be by a service of the app’s own', async () => {
    const asked: unknown[] = [];
    const tool = webSearch([
      {
        id: 'wiki',
        label: 'Our wiki',
        search: async (query, { limit, page }) => {
          asked.push({ query, limit, page });
          return [{ title: 'Bread & butter', url: bread.url, snippet: 'How to bake' }];
        },
      },
    ]);
    const { see } = await serve({}, { tool });
    expect(await see(' bread\n')).toBe(breadText);
    expect(asked).toEqual([{ query: 'bread', limit: 8, page: 1 }]);
  });

  it('[S4-16] takes its query from the model, returns sources to cite, and runs only on request if the user prefers that', async () => {
    const { host } = await serve({ [lite]: html(litePage([bread])) });
    const settings = { ...emptySettings, tools: { web_search: { options: { onlyWhenAsked: true } } } };
    const toolset = resolveToolset(createRegistry([webSearchTool]), settings, host);
    expect(JSON.stringify(toolset.definitions({ api: 'openai-chat' }))).toContain(
      'Use it only if the user asks for a search',
    );
    const usual = resolveToolset(createRegistry([webSearchTool]), emptySettings, host);
    expect(JSON.stringify(usual.definitions({ api: 'openai-chat' }))).not.toContain('Use it only');
    const model = scriptedModel([{ calls: [{ name: 'web_search', input: { query: 'bread' } }] }, { text: 'See [1].' }]);
    const { messages, status } = await run({ model, toolset, messages: 'How do I bake? Search for it.' }).result;
    const [shown] = messages.flatMap(({ parts }) =>
      parts.filter((part): part is ToolResultPart => part.type === 'tool-result'),
    );
    expect([textOf(shown?.modelParts ?? []), shown?.openWorld, status]).toEqual([breadText, true, 'complete']);
    expect(shown?.output).toMatchObject({
      results: [{ title: 'Bread & butter', url: bread.url, snippet: 'How to bake' }],
    });
  });

  it('is not made twice in a run, in much the same words', async () => {
    const { host, asked } = await serve({ [lite]: html(litePage([bread])) });
    const toolset = resolveToolset(createRegistry([webSearchTool]), emptySettings, host);
    const calls = ['bake bread', 'bread bake'].map((query) => ({ calls: [{ name: 'web_search', input: { query } }] }));
    await run({ model: scriptedModel([...calls, { text: 'Done.' }]), toolset, messages: 'Go.' }).result;
    expect(asked).toHaveLength(1);
  });

  it('[D1-07] shows the model and the person the reason of each failure, word for word', async () => {
    const tool = (message: string) =>
      webSearch([{ id: 'x', label: 'X', search: () => Promise.reject(new Error(message)) }]);
    const { host } = await serve({});
    for (const message of ['The index is down.', 'quota of 100 is used up']) {
      const toolset = resolveToolset(createRegistry([tool(message)]), emptySettings, host);
      const model = scriptedModel([
        {
          calls: [
            { name: 'web_search', input: { query: 'bread' } },
            { name: 'web_search', input: { query: 7, page: 0 } },
          ],
        },
        { text: 'No.' },
      ]);
      const { messages } = await run({ model, toolset, messages: 'Go.' }).result;
      const [failed, refused] = messages.flatMap(({ parts }) =>
        parts.filter((part): part is ToolResultPart => part.type === 'tool-result'),
      );
      const text = `Search failed: ${message}`;
      expect([failed?.isError, textOf(failed?.modelParts ?? []), failed?.userView, failed?.status]).toEqual([
        true,
        text,
        text,
        text,
      ]);
      expect([refused?.isError, textOf(refused?.modelParts ?? [])]).toEqual([true, expect.stringContaining('page')]);
    }
  });
});

describe('the suite for every tool: web_search', () => {
  toolSuite({ test }, webSearchTool, {
    host: () => ({ fetch: async () => new Response(litePage([bread]), { headers: { 'content-type': 'text/html' } }) }),
    examples: [{ query: 'bread' }, { query: 'bread', page: 2 }],
  });
});
