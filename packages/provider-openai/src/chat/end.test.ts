import type { ModelPart, ModelRequest } from '@utensil/core';
import { noUsage } from '@utensil/core';
import { type Reply, cut, loopback, sse } from '@utensil/tooling-loopback';
import * as fc from 'fast-check';
import OpenAI from 'openai';
import { expect, it } from 'vitest';
import { openaiCompatible } from '../compatible/compatible.ts';
import { openaiChat } from '../openai.ts';

// Ends that OpenAI's documentation does not have: how servers that imitate its API signal a complete answer.

const { signal } = new AbortController();
const request: ModelRequest = { system: '', messages: [], tools: [], toolChoice: 'auto' };
const chunk = (delta: object, more: object = {}) => ({ choices: [{ index: 0, delta, ...more }] });
const wire = (...chunks: readonly unknown[]) => sse(chunks.map((data) => ({ data })));
const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
const counted = { ...noUsage, inputTokens: 100, outputTokens: 20 };
const call = chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'read', arguments: '{"n":1}' } }] });
const hello = chunk({ content: 'Hello' });

async function turn(reply: Reply) {
  await using server = await loopback(() => reply);
  const model = openaiCompatible({ baseURL: server.url, model: 'm' });
  const parts: ModelPart[] = [];
  try {
    for await (const part of model.stream(request, { signal })) parts.push(part);
  } catch (error) {
    return { parts, error };
  }
  return { parts, error: undefined };
}

const finishOf = async (...chunks: readonly unknown[]) => {
  const { parts, error } = await turn({ body: wire(...chunks) });
  return error ?? parts.at(-1);
};

// Snowflake Cortex: https://github.com/BerriAI/litellm/issues/30762, https://github.com/truera/trulens/pull/2240.
// Empty reasons: https://github.com/sgl-project/sglang/issues/3912. None: https://github.com/anomalyco/opencode/issues/43882.
it.each<[string, readonly unknown[], object]>([
  ['[DONE] behind a text', [hello, '[DONE]'], { reason: 'stop', usage: noUsage }],
  ['[DONE] behind a call', [call, '[DONE]'], { reason: 'tool-calls', usage: noUsage }],
  ['a count without choices', [hello, { choices: [], usage }], { reason: 'stop', usage: counted }],
  ['a count without choices behind a call', [call, { choices: [], usage }], { reason: 'tool-calls', usage: counted }],
  ['a count beside an empty delta', [hello, { ...chunk({}), usage }], { reason: 'stop', usage: counted }],
  ['a count beside an empty text', [hello, { ...chunk({ content: '' }), usage }], { reason: 'stop', usage: counted }],
  ['empty reasons and [DONE]', [chunk({ content: 'x' }, { finish_reason: '' }), '[DONE]'], { reason: 'stop' }],
  ['no choices at all in the last chunk', [hello, { usage }, '[DONE]'], { reason: 'stop', usage: counted }],
])('takes %s for the end, where there is no finish_reason', async (_, chunks, expected) => {
  expect(await finishOf(...chunks)).toMatchObject({ type: 'finish', ...expected });
});

it.each<[string, readonly unknown[]]>([
  ['nothing came before [DONE]', ['[DONE]']],
  ['only thoughts came', [chunk({ reasoning_content: 'Hm.' }), { choices: [], usage }, '[DONE]']],
  ['only thoughts in parts came', [chunk({ content: [{ type: 'thinking', thinking: 'Hm.' }] }), '[DONE]']],
  ['neither a count nor [DONE] came', [hello]],
  [
    'each chunk has a count, and the last one more text',
    [
      { ...hello, usage },
      { ...chunk({}), usage },
      { ...hello, usage },
    ],
  ],
])('tells of an answer that broke off where %s', async (_, chunks) => {
  expect(await finishOf(...chunks)).toMatchObject({ code: 'stream_truncated', retryable: true });
});

it('goes on where text follows a count', async () => {
  const { parts } = await turn({ body: wire(hello, { ...chunk({}), usage }, chunk({ content: ' you' }), '[DONE]') });
  expect(parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : [])).join('')).toBe('Hello you');
});

it('finds [DONE] however the bytes are cut, and whatever its lines end with', async () => {
  const body = wire(hello, '[DONE]');
  const endings = fc.constantFrom('\n', '\r\n');
  const spaces = fc.constantFrom('data: [DONE]', 'data:[DONE]');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(1_000), { maxLength: 12 }), endings, spaces, async (offsets, ending, done) => {
      const text = body.replace('data: [DONE]', done).replaceAll('\n', ending);
      const { parts, error } = await turn({ body: cut(text, offsets) });
      expect([error, parts.length, parts.at(-1)?.type]).toEqual([undefined, 2, 'finish']);
    }),
    { numRuns: 40 },
  );
});

it('takes no text for the end that only quotes it', async () => {
  expect(await finishOf(chunk({ content: 'data: [DONE]\n\n' }), chunk({ content: '[DONE]' }))).toMatchObject({
    code: 'stream_truncated',
  });
});

it('shows each text when it comes, though the end is looked for', async () => {
  await using server = await loopback(() => ({ body: wire(hello), end: 'hang' }));
  const stream = openaiCompatible({ baseURL: server.url, model: 'm' }).stream(request, { signal });
  const parts = stream[Symbol.asyncIterator]();
  expect(await parts.next()).toEqual({ done: false, value: { type: 'text-delta', text: 'Hello' } });
  await parts.return?.();
  await expect.poll(() => server.cancelled()).toBe(1);
});

it.each<[string, readonly unknown[]]>([
  ['with it', [{ error: { code: 502, message: 'Upstream closed' }, choices: [], usage }]],
  ['behind it', [{ error: { code: 502, message: 'Upstream closed' } }, { choices: [], usage }]],
  ['before it', [{ choices: [], usage }, { error: { code: 502, message: 'Upstream closed' } }]],
])('keeps the answer and its count where an error follows the finish, and the count comes %s', async (_, chunks) => {
  const whole = chunk({ content: 'Hello' }, { finish_reason: 'stop' });
  expect(await finishOf(whole, ...chunks, '[DONE]')).toMatchObject({ type: 'finish', reason: 'stop', usage: counted });
});

it('does so with a client of the app, whose stream the SDK reads', async () => {
  const whole = chunk({ content: 'Hello' }, { finish_reason: 'stop' });
  const behind = [{ error: { code: 502, message: 'Upstream closed' } }, { choices: [], usage }];
  await using server = await loopback(() => ({ body: wire(whole, ...behind, '[DONE]') }));
  const model = openaiChat('m', { client: new OpenAI({ apiKey: 'k', baseURL: server.url }) });
  const parts: ModelPart[] = [];
  for await (const part of model.stream(request, { signal })) parts.push(part);
  expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'stop', usage: counted });
});

// https://openrouter.ai/docs/api-reference/streaming: an error in the stream comes with `finish_reason: 'error'`.
it.each<[string, unknown, string]>([
  [
    'an object',
    {
      error: { code: 'server_error', message: 'Provider disconnected' },
      ...chunk({ content: '' }, { finish_reason: 'error' }),
    },
    'Provider disconnected',
  ],
  ['a text', { error: 'Provider disconnected' }, 'Provider disconnected'],
  [
    'an object with the words of the server behind it',
    { error: { code: 502, message: 'Provider error', metadata: { raw: 'Out of memory' } } },
    'Provider error: Out of memory',
  ],
])('tells of an error inside of the stream that is %s', async (_, error, words) => {
  expect(String(await finishOf(hello, error))).toContain(words);
});

it('reports an error that is an event of its own', async () => {
  const error = { event: 'error', data: { message: 'Overloaded', code: 'server_is_overloaded' } };
  const { error: thrown } = await turn({ body: sse([{ data: hello }, error]) });
  expect(thrown).toMatchObject({ code: 'model_overloaded', message: expect.stringContaining('Overloaded') });
});

it.each<[string, object]>([
  ['empty', {}],
  ['null', { custom: null }],
  ['an empty object', { custom: {} }],
  ['an object of empty texts', { custom: { name: '', input: '' } }],
])('reads a call whose `custom` beside `function` is %s', async (_, more) => {
  const written = { index: 0, id: 'a', type: 'function', function: { name: 'read', arguments: '{"n":1}' }, ...more };
  const { parts } = await turn({ body: wire(chunk({ tool_calls: [written] }, { finish_reason: 'tool_calls' })) });
  expect(parts).toContainEqual({ type: 'tool-call', callId: 'a', name: 'read', input: { n: 1 }, executedBy: 'us' });
});
