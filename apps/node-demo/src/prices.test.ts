// Costs of turns and context windows, on every wire: over the vendors' SDKs, with the catalog and without.
import { createRegistry, emptySettings, type Model, resolveToolset, run } from '@utensil/core';
import { modelData } from '@utensil/model-data';
import { anthropic } from '@utensil/provider-anthropic';
import { google, googleInteractions } from '@utensil/provider-google';
import { offline } from '@utensil/provider-offline';
import { ollama } from '@utensil/provider-ollama';
import { openai, openaiChat } from '@utensil/provider-openai';
import { openaiCompatible } from '@utensil/provider-openai/compatible';
import { openrouter } from '@utensil/provider-openai/openrouter';
import { withTextTools } from '@utensil/text-dialects';
import { loopback, sse } from '@utensil/tooling-loopback';
import { geminiStream, interactionStream } from '@utensil/tooling-loopback/google';
import { expect, it } from 'vitest';

interface Wire {
  readonly name: string;
  readonly body: string;
  /** US dollars, by the catalog of models and the counts in `body`. */
  readonly cost: number | undefined;
  readonly contextWindow: number | undefined;
  make(baseURL: string): Model;
}

const known = { apiKey: 'k', info: modelData };

const chat = (usage: object): string =>
  sse([
    { data: { choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }] } },
    { data: { choices: [], usage } },
    { data: '[DONE]' },
  ]);

const counts = { prompt_tokens: 10_000, completion_tokens: 1_000, prompt_tokens_details: { cached_tokens: 4_000 } };

const messages = sse([
  {
    event: 'message_start',
    data: {
      type: 'message_start',
      message: {
        content: [],
        usage: {
          input_tokens: 1_000,
          cache_read_input_tokens: 8_000,
          cache_creation_input_tokens: 2_000,
          output_tokens: 1,
        },
      },
    },
  },
  {
    event: 'message_delta',
    data: { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 500 } },
  },
  { event: 'message_stop', data: { type: 'message_stop' } },
]);

const responses = (input: number): string =>
  sse([
    {
      event: 'response.completed',
      data: {
        type: 'response.completed',
        response: { output: [], usage: { input_tokens: input, output_tokens: 1_000 } },
      },
    },
  ]);

const spoken = [{ modality: 'AUDIO', tokenCount: 4_000, tokens: 4_000 }];

/** The address of a vendor, and a way to the server that stands for it. */
const at = (baseURL: string, place: string) => ({
  baseURL,
  fetch: ((input, init) => fetch(String(input).replace(baseURL, place), init)) as typeof fetch,
});

const wires: readonly Wire[] = [
  {
    name: 'anthropic, with reads and writes of the cache',
    body: messages,
    cost: (1_000 * 5 + 8_000 * 0.5 + 2_000 * 6.25 + 500 * 25) / 1e6,
    contextWindow: 1_000_000,
    make: (baseURL) => anthropic('claude-opus-5', { ...known, baseURL }),
  },
  {
    name: 'openai',
    body: responses(271_999),
    cost: (271_999 * 4 + 1_000 * 20) / 1e6,
    contextWindow: 1_050_000,
    make: (baseURL) => openai('gpt-5.6', { ...known, baseURL }),
  },
  {
    name: 'openai, with an input so long that the whole turn costs more',
    body: responses(272_000),
    cost: (272_000 * 8 + 1_000 * 30) / 1e6,
    contextWindow: 1_050_000,
    make: (baseURL) => openai('gpt-5.6', { ...known, baseURL }),
  },
  {
    name: 'openaiChat',
    body: chat(counts),
    cost: (6_000 * 2 + 4_000 * 0.5 + 1_000 * 8) / 1e6,
    contextWindow: 1_000_000,
    make: (baseURL) => openaiChat('gpt-4.1', { ...known, baseURL }),
  },
  {
    name: 'openaiChat, of a recording',
    body: chat({ ...counts, prompt_tokens_details: { audio_tokens: 4_000 } }),
    cost: (6_000 * 2.5 + 4_000 * 32 + 1_000 * 64) / 1e6,
    contextWindow: 128_000,
    make: (baseURL) => openaiChat('gpt-audio', { ...known, baseURL }),
  },
  {
    name: 'openaiCompatible, by its own options',
    body: chat(counts),
    cost: (10_000 + 1_000 * 2) / 1e6,
    contextWindow: 8_000,
    make: (baseURL) =>
      openaiCompatible({ baseURL, model: 'gpt-4.1', ...known, contextWindow: 8_000, price: { input: 1, output: 2 } }),
  },
  {
    name: 'openaiCompatible of a server that nobody knows',
    body: chat(counts),
    cost: undefined,
    contextWindow: undefined,
    make: (baseURL) => openaiCompatible({ baseURL, model: 'gpt-4.1', ...known }),
  },
  {
    name: 'openaiCompatible at xAI, which bills in ticks',
    body: chat({ ...counts, cost_in_usd_ticks: 37_756_000 }),
    cost: 0.0037756,
    contextWindow: 500_000,
    make: (place) => openaiCompatible({ ...known, ...at('https://api.x.ai/v1', place), model: 'grok-4.5' }),
  },
  {
    name: 'openrouter, as it bills',
    body: chat({ ...counts, cost: 0.25, is_byok: false, cost_details: { upstream_inference_cost: 0.25 } }),
    cost: 0.25,
    contextWindow: 1_000_000,
    make: (baseURL) => openrouter('anthropic/claude-sonnet-4.5', { ...known, baseURL }),
  },
  {
    name: 'openrouter, with a key of the vendor, which bills the rest',
    body: chat({ ...counts, cost: 0.01, is_byok: true, cost_details: { upstream_inference_cost: 0.25 } }),
    cost: 0.26,
    contextWindow: 1_000_000,
    make: (baseURL) => openrouter('anthropic/claude-sonnet-5-5', { ...known, baseURL }),
  },
  {
    name: 'google, of a recording',
    body: geminiStream([{ text: 'Hello' }], {
      usage: { promptTokenCount: 10_000, candidatesTokenCount: 1_000, promptTokensDetails: spoken },
    }),
    cost: (6_000 * 0.3 + 4_000 * 1 + 1_000 * 2.5) / 1e6,
    contextWindow: 1_048_576,
    make: (baseUrl) => google('gemini-2.5-flash', { ...known, baseUrl }),
  },
  {
    name: 'googleInteractions, of a recording',
    body: interactionStream([{ type: 'model_output', content: [{ type: 'text', text: 'Hello' }] }], {
      status: 'completed',
      usage: { total_input_tokens: 10_000, total_output_tokens: 1_000, input_tokens_by_modality: spoken },
    }),
    cost: (6_000 * 0.3 + 4_000 * 1 + 1_000 * 2.5) / 1e6,
    contextWindow: 1_048_576,
    make: (baseUrl) => googleInteractions('gemini-2.5-flash', { ...known, baseUrl }),
  },
  {
    name: 'ollama, which is free',
    body: `${JSON.stringify({ message: { content: 'Hello' }, done: true, done_reason: 'stop', prompt_eval_count: 9 })}\n`,
    cost: undefined,
    contextWindow: 16_384,
    make: (baseURL) => ollama('qwen3', { baseURL, contextWindow: 16_384 }),
  },
  {
    name: 'withTextTools, by its model',
    body: chat(counts),
    cost: (6_000 * 2 + 4_000 * 0.5 + 1_000 * 8) / 1e6,
    contextWindow: 1_000_000,
    make: (baseURL) => withTextTools(openaiChat('gpt-4.1', { ...known, baseURL }), 'hermes'),
  },
];

const toolset = resolveToolset(createRegistry([]), emptySettings, {});

it.each(wires)(
  '$name: the turn has its cost, and the model its window',
  async ({ body, cost, contextWindow, make }) => {
    await using server = await loopback(() => ({ body }));
    const model = make(server.url);
    const { status, usage, error } = await run({ model, toolset, messages: 'Hi', limits: { retries: 0 } }).result;
    expect([status, error]).toEqual(['complete', undefined]);
    expect(usage.cost?.toFixed(10)).toBe(cost?.toFixed(10));
    expect(model.info.contextWindow).toBe(contextWindow);
  },
);

it('models that cost nothing say so, and the one that bills by itself', () => {
  const free = { input: 0, output: 0 };
  expect(offline().info.price).toEqual(free);
  expect(ollama('qwen3').info.price).toEqual(free);
  expect(ollama('qwen3', { apiKey: 'k' }).info.price).toBeUndefined(); // a server that somebody may bill
  expect(openrouter('x/y', { apiKey: 'k' }).info).toMatchObject({ reportsCost: true });
  const reports = (baseURL: string) => openaiCompatible({ baseURL, model: 'm' }).info.reportsCost;
  expect(['https://api.x.ai/v1', 'https://openrouter.ai/api/v1'].map(reports)).toEqual([true, true]);
  expect(['https://netflix.ai/v1', 'https://x.ai.example.com/v1', 'nowhere'].map(reports)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it.each([
  ['price', { price: { input: Number.NaN, output: 1 } }],
  ['price', { price: { input: 1, output: 1, tiers: [{ above: 1, input: -1, output: 1 }] } }],
  ['contextWindow', { contextWindow: 0 }],
] as const)('a %s that means nothing is refused: %j', (name, options) => {
  expect(() => openai('gpt-5.6', { apiKey: 'k', ...options })).toThrow(`The \`${name}\` of gpt-5.6 must be`);
});

it('a cost limit uses the prices of the catalog, allows free models, and is rejected if the price is unknown', async () => {
  await using server = await loopback(() => ({ body: messages }));
  const { url: baseURL } = server;
  const play = (model: Model, cost: number) =>
    run({ model, toolset, messages: 'Hi', limits: { cost, retries: 0 }, onLimit: () => false }).result;
  expect((await play(anthropic('claude-opus-5', { ...known, baseURL }), 1)).status).toBe('complete');
  expect((await play(offline(), 0.01)).status).toBe('complete');
  for (const model of [
    anthropic('claude-opus-5', { apiKey: 'k', baseURL }),
    anthropic('claude-opus-5-9', { ...known, baseURL }),
    openaiCompatible({ ...known, baseURL, model: 'local' }),
  ]) {
    const { error } = await play(model, 1);
    expect([error?.code, error?.message]).toEqual(['invalid_limit', expect.stringContaining('`info: modelData`')]);
  }
  expect(server.requests.length).toBe(1);
});
