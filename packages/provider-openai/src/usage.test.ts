import { type Usage, noUsage } from '@utensil/core';
import { loopback, sse } from '@utensil/tooling-loopback';
import { describe, expect, it } from 'vitest';
import { openaiCompatible } from './compatible/compatible.ts';
import { openai } from './openai.ts';

const { signal } = new AbortController();
const request = { system: '', messages: [], tools: [], toolChoice: 'auto' } as const;

async function usageOf(
  model: (baseURL: string) => ReturnType<typeof openai>,
  events: readonly unknown[],
): Promise<unknown> {
  await using server = await loopback(() => ({ body: sse(events.map((data) => ({ data }))) }));
  let usage: unknown;
  for await (const part of model(server.url).stream(request, { signal }))
    if (part.type === 'finish') usage = part.usage;
  return usage;
}

const chat = (...chunks: readonly object[]) =>
  usageOf(
    (baseURL) => openaiCompatible({ baseURL, model: 'm' }),
    [{ choices: [{ index: 0, delta: { content: 'x' } }] }, ...chunks, '[DONE]'],
  );
const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
const counts = (more: Partial<Usage>): Usage => ({ ...noUsage, ...more });

const servers: readonly (readonly [who: string, usage: object, expected: Partial<Usage>])[] = [
  [
    // https://docs.x.ai/docs/guides/reasoning: completion_tokens is without the thoughts
    'xAI',
    {
      prompt_tokens: 12,
      completion_tokens: 1,
      total_tokens: 303,
      prompt_tokens_details: { text_tokens: 12, cached_tokens: 11 },
      completion_tokens_details: { reasoning_tokens: 290 },
    },
    { inputTokens: 12, outputTokens: 291, cacheReadTokens: 11, reasoningTokens: 290 },
  ],
  [
    // https://ai.google.dev/gemini-api/docs/openai: thoughts are in the total alone
    'Gemini',
    { prompt_tokens: 21, completion_tokens: 9, total_tokens: 90 },
    { inputTokens: 21, outputTokens: 69, reasoningTokens: 60 },
  ],
  [
    // https://github.com/router-for-me/CLIProxyAPI/issues/5733
    'a proxy of Gemini',
    {
      prompt_tokens: 21,
      completion_tokens: 0,
      total_tokens: 81,
      completion_tokens_details: { reasoning_tokens: 60 },
    },
    { inputTokens: 21, outputTokens: 60, reasoningTokens: 60 },
  ],
  [
    // https://docs.mistral.ai/api/endpoint/chat
    'Mistral',
    {
      prompt_tokens: 200,
      completion_tokens: 2,
      total_tokens: 202,
      num_cached_tokens: 128,
      prompt_tokens_details: { cached_tokens: 0 },
    },
    { inputTokens: 200, outputTokens: 2, cacheReadTokens: 128 },
  ],
  [
    'Mistral, mistyped',
    {
      prompt_tokens: 200,
      completion_tokens: 2,
      total_tokens: 202,
      prompt_token_details: { cached_tokens: 128, audio_tokens: 1 },
    },
    { inputTokens: 200, outputTokens: 2, cacheReadTokens: 128, audioInputTokens: 1 },
  ],
  [
    // https://platform.moonshot.ai/docs/api/chat
    'Moonshot',
    { prompt_tokens: 300, completion_tokens: 5, total_tokens: 305, cached_tokens: 256 },
    { inputTokens: 300, outputTokens: 5, cacheReadTokens: 256 },
  ],
  [
    // https://api-docs.deepseek.com/api/create-chat-completion
    'DeepSeek',
    {
      prompt_tokens: 300,
      completion_tokens: 5,
      total_tokens: 305,
      prompt_cache_hit_tokens: 256,
      prompt_cache_miss_tokens: 44,
    },
    { inputTokens: 300, outputTokens: 5, cacheReadTokens: 256 },
  ],
  [
    // https://docs.litellm.ai/docs/completion/prompt_caching
    'Claude behind a gateway',
    {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 1_115,
      cache_read_input_tokens: 1_000,
      cache_creation_input_tokens: 100,
    },
    { inputTokens: 1_110, outputTokens: 5, cacheReadTokens: 1_000, cacheWriteTokens: 100 },
  ],
  [
    'OpenAI, whose output has the thoughts in it',
    {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      completion_tokens_details: { reasoning_tokens: 12 },
    },
    { inputTokens: 100, outputTokens: 20, reasoningTokens: 12 },
  ],
  [
    'a server that counts no total',
    { prompt_tokens: 100, completion_tokens: 20 },
    { inputTokens: 100, outputTokens: 20 },
  ],
  [
    'a server that writes what is no number',
    {
      prompt_tokens: '100',
      completion_tokens: null,
      total_tokens: Number.MAX_VALUE.toString(),
      prompt_tokens_details: 5,
    },
    {},
  ],
];

describe('over Chat Completions', () => {
  it.each(servers)('counts what %s counts', async (_, usage, expected) => {
    expect(await chat(end, { choices: [], usage })).toEqual(counts(expected));
  });

  // https://console.groq.com/docs/api-reference#chat-create: the last chunk has its counts in `x_groq`
  it('counts what Groq counts in a place of its own', async () => {
    const usage = { queue_time: 0.04, prompt_tokens: 210, completion_tokens: 15, total_tokens: 225 };
    expect(await chat({ ...end, x_groq: { id: 'req_1', usage } })).toEqual(
      counts({ inputTokens: 210, outputTokens: 15 }),
    );
  });
});

it('counts thoughts that a server of the Responses API has beside its output', async () => {
  const usage = {
    input_tokens: 12,
    output_tokens: 1,
    total_tokens: 303,
    output_tokens_details: { reasoning_tokens: 290 },
  };
  const response = { type: 'response.completed', response: { status: 'completed', output: [], usage } };
  expect(await usageOf((baseURL) => openai('grok-4', { apiKey: 'k', baseURL }), [response])).toEqual(
    counts({ inputTokens: 12, outputTokens: 291, reasoningTokens: 290 }),
  );
});
