import {
  type Model,
  type ModelPart,
  type ModelRequest,
  createRegistry,
  defineTool,
  emptySettings,
  isUtensilError,
  jsonSchema,
  resolveToolset,
  run,
} from '@utensil/core';
import { type Handler, type Loopback, type Reply, cut, loopback } from '@utensil/tooling-loopback';
import { anthropicStream } from '@utensil/tooling-loopback/anthropic';
import { Anthropic } from '@anthropic-ai/sdk';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnthropicOptions, anthropic } from './anthropic.ts';

// The official SDK, over HTTP, against a server of ours. Every stream is made by hand, after the documentation.
const apiKey = 'sk-ant-test-0123456789';
const request: ModelRequest = {
  system: 'Be brief.',
  messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hello' }], createdAt: 0 }],
  tools: [{ type: 'function', name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }],
  toolChoice: 'auto',
};
const blocks = [
  { type: 'thinking', thinking: 'Größe? \u{1f4cf}', signature: 'sig' },
  { type: 'text', text: 'Ich schaue nach — “ä”, \u{1f9e0}.' },
  { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'größe/\u{1f4cf}.md' } },
];
const body = anthropicStream(blocks);

function modelOf({ url }: Loopback, options: AnthropicOptions = {}): Model {
  return anthropic('claude-sonnet-5-5', { apiKey, baseURL: url, maxRetries: 0, ...options });
}

async function read(
  model: Model,
  signal = new AbortController().signal,
): Promise<{ parts: ModelPart[]; error?: unknown }> {
  const parts: ModelPart[] = [];
  try {
    for await (const part of model.stream(request, { signal })) parts.push(part);
  } catch (error) {
    return { parts, error };
  }
  return { parts };
}

function refusal(status: number, type: string, message: string, headers: Reply['headers'] = {}): Reply {
  const error = { type: 'error', error: { type, message }, request_id: 'req_1' };
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(error) };
}

async function errorOf(reply: Handler, options?: AnthropicOptions): Promise<unknown> {
  await using server = await loopback(reply);
  const { error } = await read(modelOf(server, options));
  return error;
}

it('sends one request and streams its answer', async () => {
  await using server = await loopback(() => ({ body }));
  const { parts } = await read(modelOf(server, { defaultHeaders: { 'x-team': 'a' } }));
  expect(parts.map(({ type }) => type)).toEqual([
    'reasoning-delta',
    'text-delta',
    'text-delta',
    'text-delta',
    'tool-input-start',
    'tool-input-delta',
    'tool-input-delta',
    'tool-call',
    'finish',
  ]);
  const [sent] = server.requests;
  expect(server.requests).toHaveLength(1);
  expect(sent).toMatchObject({ method: 'POST', path: '/v1/messages' });
  expect(sent?.headers).toMatchObject({
    authorization: `Bearer ${apiKey}`,
    'anthropic-version': '2026-10-21',
    'x-team': 'a',
  });
  expect(sent?.json()).toEqual({
    model: 'claude-sonnet-5-5',
    max_tokens: 32_000,
    stream: true,
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    tools: [{ name: 'read', description: 'Reads.', input_schema: { type: 'object' } }],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    cache_control: { type: 'ephemeral' },
  });
});

it('reads the same from any chunks', async () => {
  let chunks: readonly Uint8Array[] = [];
  await using server = await loopback(() => ({ body: chunks }));
  const model = modelOf(server);
  const whole = await read(
    modelOf(server, { client: new Anthropic({ apiKey, fetch: async () => new Response(body) }) }),
  );
  const offsets = fc.array(fc.nat({ max: new TextEncoder().encode(body).length }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(offsets, fc.boolean(), async (places, isPadded) => {
      // The API pads its JSON with spaces; lines may end in CR LF.
      const text = isPadded ? body.replaceAll('}\n\n', '   }\r\n\r\n') : body;
      chunks = cut(text, places);
      expect(await read(model)).toEqual(whole);
    }),
    { numRuns: 60 },
  );
});

it('uses its connection again', async () => {
  await using server = await loopback(() => ({ body }));
  const model = modelOf(server);
  for (let turn = 0; turn < 10; turn++) expect((await read(model)).error).toBeUndefined();
  // A second one where a request begins before the end of the last response is noticed.
  expect(server.connections()).toBeLessThanOrEqual(2);
});

it('carries a run: reasoning goes back as it came, with all results in one message', async () => {
  const read = (id: string, path: string) => ({ type: 'tool_use', id, name: 'read', input: { path } });
  const turn = [...blocks.slice(0, 2), read('toolu_1', 'a'), read('toolu_2', 'b')];
  const replies = [anthropicStream(turn), anthropicStream([{ type: 'text', text: 'Done.' }])];
  await using server = await loopback((_, index) => ({ body: replies[index] ?? '' }));
  const tool = defineTool({
    name: 'read',
    description: 'Reads.',
    input: jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
    }),
    effects: 'read',
    execute: ({ path }) => `content of ${path}`,
  });
  const toolset = resolveToolset(createRegistry([tool]), emptySettings, {});
  const result = await run({ model: modelOf(server), toolset, messages: 'Read a and b' }).result;
  expect(result).toMatchObject({ status: 'complete', text: 'Done.', steps: 2 });
  expect(server.requests[1]?.json()).toMatchObject({
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Read a and b' }] },
      { role: 'assistant', content: turn },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'content of a' },
          { type: 'tool_result', tool_use_id: 'toolu_2', content: 'content of b' },
        ],
      },
    ],
  });
});

it('takes a client of yours', async () => {
  await using server = await loopback(() => ({ body }));
  const client = new Anthropic({ authToken: 'token', baseURL: server.url });
  const model = anthropic('claude-opus-5', { client, contextWindow: 200_000 });
  expect(model.info).toEqual({ api: 'anthropic-messages', id: 'claude-opus-5', contextWindow: 200_000 });
  expect((await read(model)).error).toBeUndefined();
  expect(server.requests[0]?.headers['authorization']).toBe('Bearer token');
});

describe('a bad answer', () => {
  const half = body.slice(0, body.indexOf('event: content_block_stop'));

  it.each([
    ['stops half way', { body: half }, 'stream_truncated', 'broke off'],
    [
      'breaks half way',
      { body: half, end: 'destroy' },
      'stream_truncated',
      'broke before its answer was complete (other side closed)',
    ],
    ['has no JSON half way', { body: `${half}event: ping2\ndata: {"type":\n\n` }, 'model_failed', 'no JSON'],
  ] as const)('%s', async (_, reply, code, message) => {
    await using server = await loopback(() => reply);
    const { parts, error } = await read(modelOf(server));
    expect(parts).toEqual([{ type: 'reasoning-delta', text: 'Größe? \u{1f4cf}' }]);
    expect(error).toMatchObject({ code, retryable: true, message: expect.stringContaining(message) });
  });

  it.each([
    ['is empty', ''],
    ['is a web page', '<!doctype html>\n<title>Sign in</title>\n\n'],
    ['is one JSON document', '{"type":"message","content":[]}'],
    ['has no names of events', body.replaceAll(/^event: .*\n/gm, '')],
  ])('%s', async (_, garbage) => {
    const error = await errorOf(() => ({ body: garbage }));
    expect(error).toMatchObject({
      code: 'stream_truncated',
      message: expect.stringContaining('no answer of a model. Check that baseURL'),
    });
  });

  it('is complete where only the connection breaks behind it', async () => {
    await using server = await loopback(() => ({ body: [body], end: 'destroy' }));
    const { parts, error } = await read(modelOf(server));
    expect([parts.at(-1)?.type, error]).toEqual(['finish', undefined]);
  });
});

describe('an error', () => {
  it.each([
    [400, 'invalid_request_error', 'messages: bad', 'model_request_invalid', false],
    [400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum', 'prompt_too_long', false],
    [400, 'invalid_request_error', 'input length and `max_tokens` exceed context limit', 'prompt_too_long', false],
    [401, 'authentication_error', 'invalid x-api-key', 'model_unauthorized', false],
    [402, 'billing_error', 'pay first', 'model_unauthorized', false],
    [403, 'permission_error', 'not for you', 'model_unauthorized', false],
    [404, 'not_found_error', 'model: claude-nope', 'model_not_found', false],
    [413, 'request_too_large', 'Request exceeds the maximum size', 'prompt_too_long', false],
    [418, 'teapot', 'short and stout', 'model_request_invalid', false],
    [429, 'rate_limit_error', 'slow down', 'model_rate_limited', true],
    [429, 'rate_limit_error', 'You have reached your spend limit', 'model_rate_limited', false],
    [500, 'api_error', 'Internal server error', 'model_failed', true],
    [503, 'api_error', 'unavailable', 'model_overloaded', true],
    [529, 'overloaded_error', 'Overloaded', 'model_overloaded', true],
  ] as const)('%i %s, %s: %s', async (status, type, message, code, retryable) => {
    const error = await errorOf(() => refusal(status, type, message));
    expect(error).toMatchObject({ code, retryable, message: expect.stringContaining(`(${status}: ${message})`) });
  });

  it.each([
    ['overloaded_error', 'model_overloaded', true],
    ['rate_limit_error', 'model_rate_limited', true],
    ['api_error', 'model_failed', true],
    ['invalid_request_error', 'model_request_invalid', false],
    ['invented_error', 'model_failed', true],
  ] as const)('in the middle of a stream: %s', async (type, code, retryable) => {
    const event = `event: error\ndata: {"type":"error","error":{"type":"${type}","message":"Sorry"}}\n\n`;
    await using server = await loopback(() => ({
      body: anthropicStream(blocks.slice(0, 1)).replace('event: message_delta', `${event}event: message_delta`),
    }));
    const { parts, error } = await read(modelOf(server));
    expect(parts.map((part) => part.type)).toEqual(['reasoning-delta']);
    expect(error).toMatchObject({ code, retryable, message: expect.stringContaining('(Sorry)') });
  });

  it('says what to do', async () => {
    expect(await errorOf(() => refusal(401, 'authentication_error', 'invalid x-api-key'))).toMatchObject({
      message:
        'Anthropic refused the API key (401: invalid x-api-key). Check the environment variable ANTHROPIC_API_KEY or the option apiKey, and what the key is allowed to do.',
    });
    expect(await errorOf(() => refusal(404, 'not_found_error', 'model: claude-nope'))).toMatchObject({
      message: expect.stringContaining('does not offer the model "claude-sonnet-5-5"'),
    });
  });

  it('is short where a proxy answers with a page', async () => {
    const error = await errorOf(() => ({
      status: 502,
      headers: { 'content-type': 'text/html' },
      body: `<html>\n${'x'.repeat(9_000)}`,
    }));
    expect(error).toMatchObject({ code: 'model_failed', retryable: true });
    expect(isUtensilError(error) && error.message.length).toBeLessThan(700);
  });

  it('never shows the key, in its cause either', async () => {
    const broken = `${apiKey}\nsecond-line`;
    const errors = [
      await errorOf(() => refusal(401, 'authentication_error', `Incorrect API key: ${apiKey}`)),
      await errorOf(() => ({ body }), { apiKey: broken }),
    ];
    for (const error of errors) {
      const shown = isUtensilError(error) ? `${error.message} ${String(error.cause)} ${error.stack}` : '';
      expect(shown).toContain('[key]');
      expect(shown).not.toContain('0123456789');
      expect(shown).not.toContain('second-line');
    }
  });

  it('names the variable and the option where there is no key', async () => {
    const noKey = {
      code: 'missing_api_key',
      message:
        "There is no API key for Anthropic. Set the environment variable ANTHROPIC_API_KEY, or pass it: anthropic('claude-sonnet-5-5', { apiKey }).",
    };
    const client = new Anthropic({ apiKey: null, authToken: null, baseURL: 'http://127.0.0.1:1' });
    expect(await errorOf(() => ({ body }), { client })).toMatchObject(noKey);
    expect(await errorOf(() => ({ body }), { apiKey: '' })).toMatchObject(noKey);
  });

  it('is told apart when nobody answers', async () => {
    const server = await loopback(() => ({ body }));
    await server.close();
    const { error } = await read(modelOf(server));
    expect(error).toMatchObject({
      code: 'model_unreachable',
      retryable: true,
      message: expect.stringContaining('ECONNREFUSED'),
    });
    expect(await errorOf(() => new Promise(() => {}), { timeout: 20 })).toMatchObject({
      code: 'model_unreachable',
      retryable: true,
    });
  });
});

describe('a retry', () => {
  it('waits as the server asks, and then succeeds', async () => {
    const busy = refusal(429, 'rate_limit_error', 'slow down', { 'retry-after-ms': '1' });
    await using server = await loopback((_, index) => (index < 2 ? busy : { body }));
    const { parts, error } = await read(modelOf(server, { maxRetries: 2 }));
    expect([server.requests.length, parts.at(-1)?.type, error]).toEqual([3, 'finish', undefined]);
  });

  it('is given up in the end', async () => {
    await using server = await loopback(() =>
      refusal(529, 'overloaded_error', 'Overloaded', { 'retry-after-ms': '1' }),
    );
    const { error } = await read(modelOf(server, { maxRetries: 1 }));
    expect([server.requests.length, error]).toMatchObject([2, { code: 'model_overloaded' }]);
  });

  it('is not made for a stream that broke', async () => {
    await using server = await loopback(() => ({ body: [body.slice(0, 900)], end: 'destroy' }));
    expect((await read(modelOf(server, { maxRetries: 2 }))).error).toMatchObject({ code: 'stream_truncated' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('an abort', () => {
  const reason = new Error('enough');
  const aborted = { code: 'aborted', cause: reason };

  it('before the request sends none', async () => {
    await using server = await loopback(() => ({ body }));
    expect((await read(modelOf(server), AbortSignal.abort(reason))).error).toMatchObject(aborted);
    expect(server.requests).toHaveLength(0);
  });

  it.each([
    ['before the first byte', () => new Promise<Reply>(() => {})],
    ['before the first event', (): Reply => ({ end: 'hang' })],
  ])('%s ends at once, and leaves no connection', async (_, reply) => {
    await using server = await loopback(reply);
    const controller = new AbortController();
    const reading = read(modelOf(server, { maxRetries: 2 }), controller.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(reason);
    expect(await reading).toMatchObject({ parts: [], error: aborted });
    await expect.poll(() => server.connections()).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  it('while it waits for a retry ends at once', async () => {
    await using server = await loopback(() => refusal(429, 'rate_limit_error', 'slow down', { 'retry-after': '60' }));
    const controller = new AbortController();
    const reading = read(modelOf(server, { maxRetries: 1 }), controller.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(reason);
    expect((await reading).error).toMatchObject(aborted);
    expect(server.requests).toHaveLength(1);
  });

  it('in the middle ends at once, and leaves no connection', async () => {
    await using server = await loopback(() => ({ body: [body.slice(0, 1_500)], end: 'hang' }));
    const controller = new AbortController();
    const parts: ModelPart[] = [];
    const reading = (async () => {
      for await (const part of modelOf(server).stream(request, { signal: controller.signal })) {
        parts.push(part);
        controller.abort(reason);
      }
    })();
    await expect(reading).rejects.toMatchObject(aborted);
    expect(parts).toHaveLength(1);
    await expect.poll(() => server.connections()).toBe(0);
  });

  it('by leaving the loop closes the connection, too', async () => {
    await using server = await loopback(() => ({ body: [body.slice(0, 1_500)], end: 'hang' }));
    for await (const _ of modelOf(server).stream(request, { signal: new AbortController().signal })) break;
    await expect.poll(() => server.connections()).toBe(0);
  });
});
