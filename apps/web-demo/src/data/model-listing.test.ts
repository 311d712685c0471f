import { Anthropic } from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { loopback } from '@utensil/tooling-loopback';
import fc from 'fast-check';
import { Ollama } from 'ollama/browser';
import { OpenAI } from 'openai';
import { expect, it } from 'vitest';
import { listings, modelsIn } from './model-listing.ts';

/** Has the SDK of a vendor list its models, and returns its request and its result. */
async function asked(
  answer: object,
  list: (url: string) => Promise<readonly (string | undefined)[]>,
): Promise<{ path: string; headers: Readonly<Record<string, unknown>>; ids: readonly (string | undefined)[] }> {
  await using server = await loopback(() => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(answer),
  }));
  const ids = await list(server.url);
  const [{ path, headers } = { path: '', headers: {} }] = server.requests;
  return { path, headers, ids };
}

const apiKey = 'sk-1';
const data = { data: [{ id: 'a', type: 'model', display_name: 'A' }], has_more: false };

it("sends the requests of each vendor's official SDK, and reads the same responses", async () => {
  const openai = await asked(data, async (url) => {
    const page = await new OpenAI({ apiKey, baseURL: `${url}/v1` }).models.list();
    return page.data.map(({ id }) => id);
  });
  const anthropic = await asked(data, async (baseURL) => {
    const client = new Anthropic({ apiKey, baseURL, dangerouslyAllowBrowser: true });
    const page = await client.models.list({ limit: 1000 });
    return page.data.map(({ id }) => id);
  });
  const models = { models: [{ name: 'models/a', supportedGenerationMethods: ['generateContent'] }] };
  const google = await asked(models, async (baseUrl) => {
    const page = await new GoogleGenAI({ apiKey, httpOptions: { baseUrl } }).models.list({
      config: { pageSize: 1000 },
    });
    return page.page.map(({ name }) => name?.replace('models/', ''));
  });
  const tags = { models: [{ name: 'a' }] };
  const ollama = await asked(tags, async (host) => {
    const { models } = await new Ollama({ host, headers: listings.ollama.headers(apiKey) }).list();
    return models.map(({ name }) => name);
  });
  for (const [id, { path, headers, ids }, answer] of [
    ['openai', openai, data],
    ['compatible', openai, data],
    ['anthropic', anthropic, data],
    ['google', google, models],
    ['ollama', ollama, tags],
  ] as const) {
    const listing = listings[id];
    const url = new URL(listing.url(id === 'compatible' ? 'http://127.0.0.1/v1/' : 'http://127.0.0.1'));
    const sdk = new URL(path, url);
    expect([id, url.pathname, [...url.searchParams]]).toEqual([id, sdk.pathname, [...sdk.searchParams]]);
    expect(headers).toMatchObject(listing.headers(apiKey));
    expect(modelsIn(answer, listing)).toEqual(ids);
  }
});

it('lists chat models alone, if the API tells', () => {
  const entries = [
    { name: 'models/chat', supportedGenerationMethods: ['generateContent'] },
    { name: 'models/vectors', supportedGenerationMethods: ['embedContent'] },
  ];
  expect(modelsIn({ models: entries }, listings.google)).toEqual(['chat']);
  const routed = [
    { id: 'v/chat', architecture: { output_modalities: ['text'] } },
    { id: 'v/picture', architecture: { output_modalities: ['image'] } },
    { id: 'v/unknown' },
  ];
  expect(modelsIn({ data: routed }, listings.openrouter)).toEqual(['v/chat', 'v/unknown']);
  const local = [{ name: 'all-minilm', details: { family: 'bert' } }, { name: 'nomic-embed-text' }, { name: 'qwen3' }];
  expect(modelsIn({ models: local }, listings.ollama)).toEqual(['qwen3']);
});

it('takes no more than a bounded list of plain names, whatever it is sent', () => {
  fc.assert(
    fc.property(fc.anything(), fc.constantFrom(...Object.values(listings)), (value, listing) => {
      for (const answer of [value, { data: value, models: value }, { data: [value], models: [value] }]) {
        const ids = modelsIn(answer, listing) ?? [];
        expect(ids.every((id) => typeof id === 'string' && id.length <= 200)).toBe(true);
      }
    }),
  );
  const many = { data: Array.from({ length: 5000 }, (_, index) => ({ id: `m${index}` })) };
  expect(modelsIn(many, listings.openai)).toHaveLength(1000);
  const odd = {
    data: [{ id: 'b' }, { id: 'a' }, { id: 'a' }, { id: '' }, { id: 'x'.repeat(201) }, { id: 'a\u202Eb' }],
  };
  expect(modelsIn(odd, listings.openai)).toEqual(['a', 'b']);
  expect(modelsIn({ data: 'x' }, listings.openai)).toBeUndefined();
});
