import type { Message, ModelPart, ModelRequest, Part } from '@utensil/core';
import { type Handler, type Loopback, type Reply, loopback, sse } from '@utensil/tooling-loopback';
import { describe, expect, it, vi } from 'vitest';
import { type CompatibleOptions, openaiCompatible } from './compatible.ts';
import { type Quirk, quirksOf } from './quirks.ts';

const text = (said: string): Part => ({ type: 'text', text: said });
const user = (...parts: readonly Part[]): Message => ({ id: 'u', role: 'user', parts, createdAt: 0 });
const call = (callId: string): Part => ({ type: 'tool-call', callId, name: 'read', input: {}, executedBy: 'us' });
const assistant = (parts: readonly Part[], more: Partial<Message> = {}): Message => ({
  id: 'a',
  role: 'assistant',
  parts,
  createdAt: 0,
  ...more,
});
const answer = (callId: string): Message => ({
  id: 't',
  role: 'tool',
  parts: [
    { type: 'tool-result', callId, name: 'read', output: null, modelParts: [text('x')] as never, isError: false },
  ],
  createdAt: 0,
});
const read = { type: 'function', name: 'read', description: 'Reads.', inputSchema: { type: 'object' } } as const;
const request: ModelRequest = { system: '', messages: [user(text('Hi'))], tools: [], toolChoice: 'auto' };
const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const wire = (...chunks: readonly unknown[]) => sse([...chunks, '[DONE]'].map((data) => ({ data })));
const hello = { body: wire(chunk({ content: 'Hello' }, 'stop')) };

const at = ({ url }: Loopback, options: Partial<CompatibleOptions> = {}) =>
  openaiCompatible({ baseURL: `${url}/v1`, model: 'local', newId: () => 'new', ...options });

async function ask(server: Loopback, options: Partial<CompatibleOptions> = {}, more: Partial<ModelRequest> = {}) {
  const parts: ModelPart[] = [];
  const { signal } = new AbortController();
  for await (const part of at(server, options).stream({ ...request, ...more }, { signal })) parts.push(part);
  return parts;
}

async function sent(
  quirks: readonly Quirk[] | undefined,
  more: Partial<ModelRequest>,
): Promise<Record<string, unknown>> {
  await using server = await loopback(() => hello);
  await ask(server, quirks && { quirks }, more);
  return server.requests[0]?.json() as Record<string, unknown>;
}

describe('what goes out', () => {
  it('has nothing of OpenAI: no key, no name, no word about the SDK', async () => {
    const variables = ['OPENAI_API_KEY', 'OPENAI_ADMIN_KEY', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID'];
    for (const name of variables) vi.stubEnv(name, 'secret-of-openai');
    await using server = await loopback(() => hello);
    await ask(server);
    await ask(server, { apiKey: 'own-key', defaultHeaders: { 'x-mine': 'yes' } });
    vi.unstubAllEnvs();
    const [bare, keyed] = server.requests;
    expect([bare?.path, bare?.headers.authorization]).toEqual(['/v1/chat/completions', undefined]);
    expect(keyed?.headers).toMatchObject({ authorization: 'Bearer own-key', 'x-mine': 'yes' });
    const told = server.requests.flatMap(({ headers }) => Object.entries(headers).map(String));
    expect(told.filter((each) => /x-stainless|^openai|secret-of-openai/i.test(each))).toEqual([]);
  });

  it('is what OpenAI takes, if a server differs in nothing', async () => {
    const more = {
      tools: [read],
      toolChoice: 'required',
      parallel: false,
      maxOutputTokens: 9,
      reasoning: 'low',
    } as const;
    expect(await sent([], more)).toMatchObject({
      model: 'local',
      max_completion_tokens: 9,
      reasoning_effort: 'low',
      tool_choice: 'required',
      parallel_tool_calls: false,
      stream_options: { include_usage: true },
      stream: true,
    });
  });

  const calling = [user(text('Hi')), assistant([call('call_1')]), answer('call_1')];
  it.each<[Quirk, Partial<ModelRequest>, (body: Record<string, unknown>) => unknown, unknown, unknown]>([
    [
      'max-tokens',
      { maxOutputTokens: 9 },
      ({ max_tokens: a, max_completion_tokens: b }) => [a, b],
      [undefined, 9],
      [9, undefined],
    ],
    ['no-stream-options', {}, (body) => 'stream_options' in body, true, false],
    ['no-parallel-switch', { tools: [read], parallel: false }, (body) => 'parallel_tool_calls' in body, true, false],
    [
      'no-tool-choice',
      { tools: [read], toolChoice: 'required' },
      (body) => ['tools' in body, 'tool_choice' in body],
      [true, true],
      [true, false],
    ],
    [
      'no-tool-choice',
      { tools: [read], toolChoice: 'none' },
      (body) => ['tools' in body, 'tool_choice' in body],
      [true, true],
      [false, false],
    ],
    ['no-reasoning-effort', { reasoning: 'low' }, (body) => 'reasoning_effort' in body, true, false],
    [
      'text-only',
      { messages: [user(text('See'), { type: 'image', mediaType: 'image/png', data: 'aW1n' })] },
      ({ messages }) => (messages as { content: unknown }[])[0]?.content,
      [
        { type: 'text', text: 'See' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aW1n' } },
      ],
      'See\n\n[Image, not shown to this model]',
    ],
    ['no-null', { messages: calling }, ({ messages }) => (messages as { content: unknown }[])[1]?.content, null, ''],
    [
      'short-ids',
      { messages: calling },
      ({ messages }) => JSON.stringify(messages).match(/"(?:id|tool_call_id)":"[^"]*"/g),
      ['"id":"call_1"', '"tool_call_id":"call_1"'],
      [expect.stringMatching(/^"id":"[a-z0-9]{9}"$/), expect.stringMatching(/^"tool_call_id":"[a-z0-9]{9}"$/)],
    ],
    [
      'echo-reasoning',
      { messages: calling },
      ({ messages }) => (messages as { reasoning_content?: unknown }[])[1]?.reasoning_content,
      undefined,
      '',
    ],
  ])('spares or gives a server for its quirk %s', async (quirk, more, look, plain, spared) => {
    expect(look(await sent([], more))).toEqual(plain);
    expect(look(await sent([quirk], more))).toEqual(spared);
  });

  it('has the thoughts of this model only, if a server wants them back', async () => {
    const parts: Part[] = [{ type: 'reasoning', text: 'Hm.' }, call('c1')];
    const origin = { api: 'openai-chat', model: 'local' };
    const messages = [
      assistant(parts, { origin }),
      assistant(parts, { origin: { ...origin, model: 'other' } }),
      assistant(parts, { origin: { ...origin, api: 'anthropic-messages' } }),
      assistant(parts, { origin, incomplete: true }),
      assistant([text('Done.')], { origin }),
    ];
    const body = await sent(['echo-reasoning'], { messages });
    const told = (body['messages'] as { reasoning_content?: string }[]).map((each) => each.reasoning_content);
    expect(told).toEqual(['Hm.', '', '', '', undefined]);
  });

  it('makes ids of nine letters and digits that stay different', async () => {
    const ids = Array.from({ length: 200 }, (_, index) => `call_${index}`);
    const body = await sent(['short-ids'], { messages: [assistant([...ids.map(call), call('abcdef123')])] });
    const [message] = body['messages'] as { tool_calls: { id: string }[] }[];
    const made = (message?.tool_calls ?? []).map(({ id }) => id);
    expect(made.every((id) => /^[A-Za-z0-9]{9}$/.test(id))).toBe(true);
    expect([new Set(made).size, made.at(-1)]).toEqual([201, 'abcdef123']);
  });
});

it.each([
  ['https://api.deepseek.com', ['max-tokens', 'text-only', 'echo-reasoning']],
  ['https://api.mistral.ai/v1', ['max-tokens', 'no-stream-options', 'short-ids', 'random-seed']],
  ['https://api.moonshot.ai/v1', ['echo-reasoning']],
  ['http://127.0.0.1:11434/v1', ['no-tool-choice']],
  ['https://notdeepseek.com', []],
  ['https://a.example/api.deepseek.com', []],
  ['no address', []],
])('knows of the server at %s: %j', (baseURL, quirks) => {
  expect(quirksOf(baseURL)).toEqual(quirks);
});

it('takes the quirks that it is given in place of those that it knows', async () => {
  await using server = await loopback(() => hello);
  const fetchAsDeepSeek = (input: unknown, init?: RequestInit) =>
    fetch(String(input).replace('https://api.deepseek.com', server.url), init);
  const options = { baseURL: 'https://api.deepseek.com', fetch: fetchAsDeepSeek };
  await ask(server, options, { maxOutputTokens: 9 });
  await ask(server, { ...options, quirks: [] }, { maxOutputTokens: 9 });
  expect(
    server.requests.map((each) => Object.keys(each.json() as object).find((key) => key.startsWith('max'))),
  ).toEqual(['max_tokens', 'max_completion_tokens']);
});

describe('what is put up with in every answer', () => {
  const fragment = (...calls: readonly object[]) => chunk({ tool_calls: calls });
  const a = { id: 'a', function: { name: 'read', arguments: '{"n":1}' } };
  const b = { id: 'b', function: { name: 'read', arguments: '{"n":2}' } };
  const both = ['a read {"n":1}', 'b read {"n":2}'];

  it.each<[string, readonly object[], readonly string[]]>([
    ['each call has the index 0', [fragment({ index: 0, ...a }), fragment({ index: 0, ...b })], both],
    ['no call has an index', [fragment(a, b)], both],
    ['indexes begin at 1, with gaps', [fragment({ index: 1, ...a }, { index: 5, ...b })], both],
    ['no call has an id', [fragment({ index: 0, function: a.function })], ['new read {"n":1}']],
    [
      'arguments are an object',
      [fragment({ index: 0, ...a, function: { name: 'read', arguments: { n: 1 } } })],
      ['a read {"n":1}'],
    ],
    ['arguments are empty', [fragment({ index: 0, ...a, function: { name: 'now', arguments: '' } })], ['a now {}']],
    [
      'the name is in each fragment',
      [
        fragment({ index: 0, ...a, function: { name: 'read', arguments: '{"n"' } }),
        fragment({ index: 0, id: 'a', function: { name: 'read', arguments: ':1}' } }),
      ],
      ['a read {"n":1}'],
    ],
  ])('%s, and the reason is stop', async (_, chunks, calls) => {
    await using server = await loopback(() => ({ body: wire(...chunks, chunk({}, 'stop')) }));
    const parts = await ask(server);
    expect(
      parts.flatMap((part) =>
        part.type === 'tool-call' ? [`${part.callId} ${part.name} ${JSON.stringify(part.input)}`] : [],
      ),
    ).toEqual(calls);
    expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
  });

  it.each(['reasoning_content', 'reasoning'])('thoughts are called %s', async (name) => {
    await using server = await loopback(() => ({
      body: wire(chunk({ [name]: 'Hm.' }), chunk({ content: 'x' }, 'stop')),
    }));
    expect((await ask(server))[0]).toEqual({ type: 'reasoning-delta', text: 'Hm.' });
  });
});

describe('errors', () => {
  const json = (status: number, body: unknown): Reply => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  it.each<[string, Handler, object]>([
    [
      '400 with status 200',
      () => json(200, { error: { code: 400, message: 'No.' } }),
      {
        code: 'model_request_invalid',
        message: 'local refused the request: No. Change what it names; the same request will be refused again.',
      },
    ],
    [
      'one without a code and with status 200',
      () => json(200, { error: 'Upstream failed' }),
      { code: 'model_failed', retryable: true },
    ],
    ['an answer of another kind', () => json(200, { choices: [] }), { code: 'stream_truncated' }],
    ['broken JSON', () => ({ ...json(200, ''), body: '{' }), { code: 'stream_truncated' }],
    [
      '401',
      () => json(401, { error: { message: 'Who?' } }),
      {
        code: 'model_unauthorized',
        message: 'The API key for local was refused: Who? Check the option `apiKey`, and its permissions.',
      },
    ],
  ])('explains %s', async (_, handler, error) => {
    await using server = await loopback(handler);
    await expect(ask(server)).rejects.toMatchObject(error);
  });
});
