import { getEventListeners } from 'node:events';
import type { Model, ModelPart, ModelRequest } from '@utensil/core';
import { type Loopback, type Reply, cut, loopback } from '@utensil/tooling-loopback';
import { anthropicStream } from '@utensil/tooling-loopback/anthropic';
import { Anthropic } from '@anthropic-ai/sdk';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnthropicOptions, anthropic } from './anthropic.ts';

// Uses the official SDK over HTTP, against a local server. Every stream is written by hand, following the
// documentation.
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
  return anthropic('claude-sonnet-5-5', { apiKey, baseURL: url, ...options });
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

function busyFor(headers: Reply['headers'], status = 429): Reply {
  const error = { type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } };
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(error) };
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
    tools: [
      {
        name: 'read',
        description: 'Reads.',
        input_schema: { type: 'object', properties: {} },
        cache_control: { type: 'ephemeral' },
      },
    ],
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

it('carries two streams at once, and leaves no listener on a signal that lives on', async () => {
  await using server = await loopback((sent) => ({
    body: anthropicStream([{ type: 'text', text: sent.body.includes('One') ? '1' : '2' }]),
  }));
  const model = modelOf(server);
  const { signal } = new AbortController();
  const ask = async (system: string) => {
    for await (const part of model.stream({ ...request, system }, { signal }))
      if (part.type === 'text-delta') return part.text;
    return undefined;
  };
  expect(await Promise.all([ask('One'), ask('Two'), ask('One')])).toEqual(['1', '2', '1']);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('takes your own client', async () => {
  await using server = await loopback(() => ({ body }));
  const client = new Anthropic({ authToken: 'token', baseURL: server.url });
  const model = anthropic('claude-opus-5', { client, contextWindow: 200_000 });
  expect(model.info).toMatchObject({
    api: 'anthropic-messages',
    id: 'claude-opus-5',
    contextWindow: 200_000,
    maxOutputTokens: 32_000,
    supports: { deferredTools: true },
  });
  expect((await read(model)).error).toBeUndefined();
  expect(server.requests[0]?.headers['authorization']).toBe('Bearer token');
});

describe('a server that is busy', () => {
  it.each([
    ['in seconds', { 'retry-after': '3600' }, 3_600_000],
    ['in milliseconds', { 'retry-after-ms': '1' }, 1],
    ['not at all', {}, undefined],
  ])('is asked once, and the error has the wait that it asks for %s', async (_, headers, retryAfterMs) => {
    await using server = await loopback(() => busyFor({ ...headers }));
    const { error } = await read(modelOf(server));
    expect(error).toMatchObject({ code: 'model_rate_limited', retryable: true, cause: { status: 429 }, retryAfterMs });
    expect(server.requests).toHaveLength(1);
  });

  it('is asked once by your own client, too, however often that would ask', async () => {
    await using server = await loopback(() => busyFor({ 'retry-after-ms': '1' }, 529));
    const client = new Anthropic({ apiKey: 'k', baseURL: server.url, maxRetries: 5 });
    expect((await read(anthropic('claude-sonnet-5-5', { client }))).error).toMatchObject({ code: 'model_overloaded' });
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
    const reading = read(modelOf(server), controller.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(reason);
    expect(await reading).toMatchObject({ parts: [], error: aborted });
    await expect.poll(() => server.connections()).toBe(0);
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
