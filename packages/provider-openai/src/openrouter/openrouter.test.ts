import type { Message, ModelPart, ModelRequest, Part } from '@utensil/core';
import { type Handler, type Loopback, type Reply, loopback, sse } from '@utensil/tooling-loopback';
import { describe, expect, it, vi } from 'vitest';
import { type OpenRouterOptions, openrouter } from './openrouter.ts';

const modelId = 'anthropic/claude-sonnet-5-5';
const request: ModelRequest = {
  system: '',
  messages: [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hi' }], createdAt: 0 }],
  tools: [],
  toolChoice: 'auto',
};
const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  id: 'gen-1',
  choices: [{ index: 0, delta, finish_reason, native_finish_reason: finish_reason }],
  ...more,
});
const details = (...reasoning_details: readonly object[]) => chunk({ content: '', reasoning_details });
const wire = (...chunks: readonly unknown[]) => sse([...chunks, '[DONE]'].map((data) => ({ data })));
const end = chunk({}, 'stop');
const hello = { body: wire(chunk({ content: 'Hello' }), end) };

const at = ({ url }: Loopback, options: OpenRouterOptions = {}, id = modelId) =>
  openrouter(id, { apiKey: 'or-key-secret', baseURL: url, ...options });

async function ask(model: ReturnType<typeof openrouter>, more: Partial<ModelRequest> = {}) {
  const parts: ModelPart[] = [];
  const { signal } = new AbortController();
  for await (const part of model.stream({ ...request, ...more }, { signal })) parts.push(part);
  return parts;
}

const stateOf = async (...chunks: readonly unknown[]) => {
  await using server = await loopback(() => ({ body: wire(...chunks, end) }));
  const last = (await ask(at(server))).at(-1);
  return last?.type === 'finish' ? last.state : expect.unreachable();
};

describe('what goes out', () => {
  it('is the body of OpenAI, with the words of OpenRouter for reasoning and caches, and its options last', async () => {
    await using server = await loopback(() => hello);
    await ask(at(server), { reasoning: 'high', maxOutputTokens: 9 });
    await ask(at(server, { cache: false }), { providerOptions: { provider: { order: ['x'] }, stream: false } });
    await ask(at(server, {}, 'google/gemini-3-pro'));
    const messages = [{ role: 'user', content: 'Hi' }];
    const rest = { stream_options: { include_usage: true }, stream: true };
    expect(server.requests.map((sent) => sent.json())).toEqual([
      {
        model: modelId,
        messages,
        max_completion_tokens: 9,
        reasoning: { effort: 'high' },
        cache_control: { type: 'ephemeral' },
        ...rest,
      },
      { model: modelId, messages, provider: { order: ['x'] }, ...rest },
      { model: 'google/gemini-3-pro', messages, ...rest },
    ]);
    expect(server.requests[0]).toMatchObject({
      path: '/chat/completions',
      headers: { authorization: 'Bearer or-key-secret' },
    });
    expect(Object.keys(server.requests[0]?.headers ?? {}).filter((name) => name.startsWith('x-stainless'))).toEqual([]);
  });

  it('has the key of OpenRouter, and never that of OpenAI', async () => {
    await using server = await loopback(() => hello);
    vi.stubEnv('OPENAI_API_KEY', 'sk-of-openai');
    vi.stubEnv('OPENROUTER_API_KEY', '');
    const model = openrouter(modelId, { baseURL: server.url });
    await expect(ask(model)).rejects.toMatchObject({
      code: 'missing_api_key',
      message: `There is no API key for ${modelId}. Set OPENROUTER_API_KEY or the option \`apiKey\`.`,
    });
    vi.stubEnv('OPENROUTER_API_KEY', 'or-of-environment');
    await ask(model);
    vi.unstubAllEnvs();
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer or-of-environment']);
  });
});

describe('what a model wants back of its thoughts', () => {
  it('is joined from fragments by their index, and keeps the signature', async () => {
    const text = (part: object) => ({ type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0, ...part });
    expect(
      await stateOf(
        details(text({ text: 'Let me ', signature: null })),
        details(text({ text: 'think.' })),
        details(text({ text: '', signature: 'sealed' }), {
          type: 'reasoning.encrypted',
          index: 1,
          data: 'AAA',
          id: 'rs_1',
        }),
        details({ type: 'reasoning.encrypted', index: 1, data: 'BBB' }),
        details(
          { type: 'reasoning.summary', index: 2, summary: 'In ' },
          { type: 'reasoning.summary', index: 2, summary: 'short.' },
        ),
        details({ type: 'reasoning.encrypted', data: 'no index' }, { type: 'reasoning.encrypted', data: 'nor here' }),
      ),
    ).toEqual([
      text({ text: 'Let me think.', signature: 'sealed' }),
      { type: 'reasoning.encrypted', index: 1, data: 'AAABBB', id: 'rs_1' },
      { type: 'reasoning.summary', index: 2, summary: 'In short.' },
      { type: 'reasoning.encrypted', data: 'no index' },
      { type: 'reasoning.encrypted', data: 'nor here' },
    ]);
    expect(await stateOf(chunk({ content: 'x', reasoning_details: null }))).toBeUndefined();
  });

  it('goes back unchanged, only to the model that wrote it, and not from a truncated answer', async () => {
    const state = [{ type: 'reasoning.text', text: 'Hm.', signature: 'sealed', index: 0 }];
    const parts: Part[] = [
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', callId: 'c1', name: 'read', input: {}, executedBy: 'us' },
    ];
    const origin = { api: 'openrouter-chat', model: modelId, state };
    const written = (more: Partial<Message>): Message => ({ id: 'a', role: 'assistant', parts, createdAt: 0, ...more });
    const messages = [
      written({ origin }),
      written({ origin: { ...origin, model: 'google/gemini-3-pro' } }),
      written({ origin: { ...origin, api: 'anthropic-messages' } }),
      written({ origin, incomplete: true }),
    ];
    await using server = await loopback(() => hello);
    await ask(at(server), { messages });
    const sent = (server.requests.map((each) => each.json()) as { messages: { reasoning_details?: unknown }[] }[])[0]
      ?.messages;
    expect(sent?.map((each) => each.reasoning_details)).toEqual([state, undefined, undefined, undefined]);
  });
});

// https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning-blocks: Gemini's signatures name
// the calls that they are of, by ids longer than those that go back.
it("keeps Gemini's signatures with their calls, whose ids are shortened", async () => {
  const id = `tool_0_default_api_create_task_plan_${'x'.repeat(40)}`;
  const written = { index: 0, id, type: 'function', function: { name: 'read', arguments: '{}' } };
  const sealed = { type: 'reasoning.encrypted', data: 'sig==', id, format: 'google-gemini-v1', index: 0 };
  const other = { type: 'reasoning.text', text: 'Hm.', id: 'rs_1', index: 1 };
  const answer = wire(chunk({ tool_calls: [written] }), details(sealed, other), chunk({}, 'tool_calls'));
  await using server = await loopback(() => ({ body: answer }));
  const model = at(server, {}, 'google/gemini-3-pro');
  const parts = await ask(model);
  const finish = parts.at(-1);
  const state = finish?.type === 'finish' ? finish.state : undefined;
  const origin = { api: 'openrouter-chat', model: 'google/gemini-3-pro', ...(state !== undefined && { state }) };
  const calls = parts.filter((part) => part.type === 'tool-call');
  await ask(model, { messages: [{ id: 'a', role: 'assistant', parts: calls, createdAt: 0, origin }] });
  const sent = server.requests[1]?.json() as {
    messages: { tool_calls: { id: string }[]; reasoning_details: object[] }[];
  };
  const [message] = sent.messages;
  const short = message?.tool_calls[0]?.id;
  expect(short?.length).toBe(40);
  expect(message?.reasoning_details).toEqual([{ ...sealed, id: short }, other]);
});

it('says of calls that another model made that nobody has signed them, if Gemini is to read them', async () => {
  const call = (callId: string): Part => ({ type: 'tool-call', callId, name: 'read', input: {}, executedBy: 'us' });
  const written = (...parts: readonly Part[]): Message => ({ id: 'a', role: 'assistant', parts, createdAt: 0 });
  const messages = [written(call('c1'), call('c2')), written({ type: 'text', text: 'Done.' })];
  await using server = await loopback(() => hello);
  await ask(at(server, {}, 'google/gemini-3-pro'), { messages });
  const [sent] = server.requests.map((each) => each.json()) as { messages: { reasoning_details?: unknown }[] }[];
  const data = 'skip_thought_signature_validator';
  expect(sent?.messages.map((each) => each.reasoning_details)).toEqual([
    [{ type: 'reasoning.encrypted', data, id: 'c1', format: 'google-gemini-v1', index: 0 }],
    undefined,
  ]);
});

it('reads thoughts and text between comments', async () => {
  const body =
    `: OPENROUTER PROCESSING\n\n${wire(chunk({ reasoning: 'Hm.', content: '' }))}`.replace(
      'data: [DONE]\n\n',
      ': OPENROUTER PROCESSING\n\n',
    ) + hello.body;
  await using server = await loopback(() => ({ body }));
  expect((await ask(at(server))).slice(0, 2)).toEqual([
    { type: 'reasoning-delta', text: 'Hm.' },
    { type: 'text-delta', text: 'Hello' },
  ]);
});

it('ends with an error if the reason is one, and keeps what it took', async () => {
  const usage = {
    prompt_tokens: 9,
    completion_tokens: 4,
    cost: 0.01,
    prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 2 },
  };
  await using server = await loopback(() => ({
    body: wire(chunk({ content: 'x' }), chunk({}, 'error'), { choices: [], usage }),
  }));
  expect((await ask(at(server))).at(-1)).toEqual({
    type: 'finish',
    reason: 'error',
    usage: { inputTokens: 9, outputTokens: 4, cacheReadTokens: 5, cacheWriteTokens: 2, reasoningTokens: 0, cost: 0.01 },
  });
});

describe('errors', () => {
  const json = (status: number, error: object): Reply => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error, user_id: 'user_1' }),
  });
  const midway = (error: object): Reply => ({
    body: wire(chunk({ content: 'Hel' }), chunk({ content: '' }, 'error', { error })),
  });

  it.each<[string, Handler, object]>([
    [
      '400 with status 200',
      () => json(200, { code: 400, message: 'Provider returned error' }),
      { code: 'model_request_invalid' },
    ],
    [
      '402',
      () => json(402, { code: 402, message: 'Insufficient credits' }),
      { code: 'model_rate_limited', retryable: false },
    ],
    [
      '401',
      () => json(401, { code: 401, message: 'No auth' }),
      {
        code: 'model_unauthorized',
        message: expect.stringContaining('Check OPENROUTER_API_KEY or the option `apiKey`') as string,
      },
    ],
    ['524', () => json(524, { code: 524, message: 'Timeout' }), { code: 'model_failed', retryable: true }],
    [
      '502 in the middle',
      () => midway({ code: 502, message: 'Provider disconnected', metadata: { error_type: 'provider_unavailable' } }),
      { code: 'model_failed', retryable: true },
    ],
    [
      '429 in the middle',
      () => midway({ code: 429, message: 'Slow down' }),
      { code: 'model_rate_limited', retryable: true },
    ],
  ])('explains %s', async (_, handler, error) => {
    await using server = await loopback(handler);
    await expect(ask(at(server))).rejects.toMatchObject(error);
  });

  it('have the words of the server behind OpenRouter', async () => {
    const metadata = { provider_name: 'X', raw: '{"error":{"message":"input is longer than the context window"}}' };
    await using server = await loopback(() => json(400, { code: 400, message: 'Provider returned error', metadata }));
    await expect(ask(at(server))).rejects.toMatchObject({
      code: 'prompt_too_long',
      message: expect.stringContaining('Provider returned error: {"error":{"message":"input is longer') as string,
    });
  });

  it('may be asked again where they say so with status 200', async () => {
    await using server = await loopback(() => json(200, { code: 503, message: 'Busy' }));
    await expect(ask(at(server))).rejects.toMatchObject({ code: 'model_overloaded', retryable: true });
  });
});
