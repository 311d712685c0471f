import { type Model, type ModelPart, type ModelRequest, isUtensilError } from '@utensil/core';
import { type Handler, type Loopback, type Reply, loopback } from '@utensil/tooling-loopback';
import { anthropicStream } from '@utensil/tooling-loopback/anthropic';
import { Anthropic } from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { type AnthropicOptions, anthropic } from './anthropic.ts';

// Errors as the official SDK reports them over HTTP.
const apiKey = 'sk-ant-test-0123456789';
const request: ModelRequest = {
  system: '',
  messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hello' }], createdAt: 0 }],
  tools: [],
  toolChoice: 'auto',
};
const blocks = [
  { type: 'thinking', thinking: 'Größe? \u{1f4cf}', signature: 'sig' },
  { type: 'text', text: 'Ich schaue nach.' },
];
const body = anthropicStream(blocks);

function modelOf({ url }: Loopback, options: AnthropicOptions = {}): Model {
  return anthropic('claude-sonnet-5-5', { apiKey, baseURL: url, ...options });
}

async function read(model: Model): Promise<{ parts: ModelPart[]; error?: unknown }> {
  const parts: ModelPart[] = [];
  try {
    for await (const part of model.stream(request, { signal: new AbortController().signal })) parts.push(part);
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

describe('a bad answer', () => {
  const half = body.slice(0, body.indexOf('event: content_block_stop'));

  it.each([
    ['stops half way', { body: half }, 'stream_truncated', 'ended early'],
    [
      'breaks half way',
      { body: half, end: 'destroy' },
      'stream_truncated',
      'ended early: terminated (other side closed)',
    ],
    ['has no JSON half way', { body: `${half}event: ping2\ndata: {"type":\n\n` }, 'model_failed', 'JSON'],
  ] as const)('%s', async (_, reply, code, message) => {
    await using server = await loopback(() => reply);
    const { parts, error } = await read(modelOf(server));
    expect(parts).toEqual([{ type: 'reasoning-delta', text: 'Größe? \u{1f4cf}' }]);
    expect(error).toMatchObject({ code, retryable: true, message: expect.stringContaining(message) });
  });

  it.each<[string, string, Reply['headers']?]>([
    ['is empty', ''],
    ['is a web page', '<!doctype html>\n<title>Sign in</title>\n\n'],
    ['is one JSON document', '{"type":"message","content":[]}'],
    ['is JSON by its type only', '{', { 'content-type': 'application/json' }],
    ['is one JSON document by its type too', '{"type":"message"}', { 'content-type': 'application/json' }],
    ['has no names of events', body.replaceAll(/^event: .*\n/gm, '')],
  ])('%s', async (_, garbage, headers = {}) => {
    const error = await errorOf(() => ({ body: garbage, headers }));
    expect(error).toMatchObject({
      code: 'stream_truncated',
      message: expect.stringContaining('no answer of claude-sonnet-5-5. Check the option `baseURL`'),
    });
  });

  it('is a page behind a redirect', async () => {
    const error = await errorOf(({ path }) =>
      path === '/login' ? { body: '<html>' } : { status: 302, headers: { location: '/login' } },
    );
    expect(error).toMatchObject({
      code: 'stream_truncated',
      message: expect.stringContaining('Check the option `baseURL`'),
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
    [400, 'invalid_request_error', 'Your credit balance is too low to access the API', 'model_rate_limited', false],
    [401, 'authentication_error', 'invalid x-api-key', 'model_unauthorized', false],
    [402, 'billing_error', 'pay first', 'model_rate_limited', false],
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
    expect(error).toMatchObject({ code, retryable, message: expect.stringContaining(`: ${message}`) });
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
    expect(error).toMatchObject({ code, retryable, message: expect.stringContaining(': Sorry.') });
  });

  it.each([
    ['not_found_error', 'model_not_found'],
    ['invented_error', 'model_failed'],
  ])('with status 200 and the type %s', async (type, code) => {
    const error = await errorOf(() => refusal(200, type, 'The upstream has failed'));
    expect(error).toMatchObject({ code, message: expect.stringContaining('The upstream has failed') });
  });

  it('says what to do', async () => {
    expect(await errorOf(() => refusal(401, 'authentication_error', 'invalid x-api-key'))).toMatchObject({
      message:
        'The API key for claude-sonnet-5-5 was refused: invalid x-api-key. Check ANTHROPIC_API_KEY or the option `apiKey`, and its permissions.',
    });
    expect(await errorOf(() => refusal(404, 'not_found_error', 'model: claude-nope'))).toMatchObject({
      message: expect.stringContaining('There is no model claude-sonnet-5-5 for this key'),
    });
  });

  it('is short where a proxy answers with a page', async () => {
    const error = await errorOf(() => ({
      status: 502,
      headers: { 'content-type': 'text/html' },
      body: `<html>\n${'x'.repeat(9_000)}`,
    }));
    expect(error).toMatchObject({ code: 'model_failed', retryable: true });
    expect(isUtensilError(error) && error.message.length).toBeLessThan(800);
  });

  it('never shows the key, in its cause either', async () => {
    const broken = `${apiKey}\nsecond-line`;
    const errors = [
      await errorOf(() => refusal(401, 'authentication_error', `Incorrect API key: ${apiKey}`)),
      await errorOf(() => ({ body }), { apiKey: broken }),
    ];
    for (const error of errors) {
      const shown = isUtensilError(error) ? `${error.message} ${String(error.cause)} ${error.stack}` : '';
      expect(error).toHaveProperty('cause', undefined);
      expect(shown).toContain('[key]');
      expect(shown).not.toContain('0123456789');
      expect(shown).not.toContain('second-line');
    }
  });

  it('never shows the password of an address, and leaves other words alone', async () => {
    await using server = await loopback(() => ({ body }));
    const { error } = await read(modelOf(server, { apiKey: 'k', baseURL: server.url.replace('://', '://me:secret@') }));
    expect(error).toMatchObject({ code: 'model_unreachable', cause: undefined });
    expect(String(error)).toContain('http://[key]@127.0.0.1');
    expect(String(error)).toContain('Check the network');
    expect(String(error)).not.toContain('secret');
  });

  it('keeps its cause where that holds no key', async () => {
    const error = await errorOf(() => refusal(429, 'rate_limit_error', 'slow down'));
    expect(error).toMatchObject({ cause: { status: 429 } });
  });

  it('tells what your own client throws at once', async () => {
    const create = () => {
      throw new Error('Not today!');
    };
    expect((await read(anthropic('claude', { client: { messages: { create } } }))).error).toMatchObject({
      code: 'model_failed',
      message: 'claude failed: Not today! Try again; if it stays, change the request.',
    });
  });

  it('names the variable and the option if there is no key', async () => {
    const noKey = {
      code: 'missing_api_key',
      message: 'There is no API key for claude-sonnet-5-5. Set ANTHROPIC_API_KEY or the option `apiKey`.',
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
