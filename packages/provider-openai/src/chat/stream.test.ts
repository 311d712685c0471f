import type { ModelPart, ModelRequest } from '@utensil/core';
import { noUsage } from '@utensil/core';
import { type Reply, cut, loopback, sse } from '@utensil/tooling-loopback';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openaiChat } from '../openai.ts';

const signal = new AbortController().signal;
const request: ModelRequest = { system: '', messages: [], tools: [], toolChoice: 'auto' };

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-4.1',
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  usage: null,
});
const usageChunk = {
  id: 'chatcmpl-1',
  choices: [],
  usage: {
    prompt_tokens: 100,
    completion_tokens: 20,
    total_tokens: 120,
    prompt_tokens_details: { cached_tokens: 64 },
    completion_tokens_details: { reasoning_tokens: 12 },
  },
};
const counted = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 64, cacheWriteTokens: 0, reasoningTokens: 12 };
const fragment = (call: object) => chunk({ tool_calls: [call] });
const wire = (...chunks: readonly unknown[]) => sse([...chunks, '[DONE]'].map((data) => ({ data })));

/** The parts of one turn, and the error that it threw. */
async function turn(reply: Reply) {
  await using server = await loopback(() => reply);
  let ids = 0;
  const newId = () => `new_${ids++}`;
  const model = openaiChat('gpt-4.1', { apiKey: 'k', baseURL: server.url, newId });
  const parts: ModelPart[] = [];
  try {
    for await (const part of model.stream(request, { signal })) parts.push(part);
  } catch (error) {
    return { parts, error };
  }
  return { parts, error: undefined };
}

async function partsOf(...chunks: readonly unknown[]): Promise<readonly ModelPart[]> {
  const { parts, error } = await turn({ body: wire(...chunks) });
  expect(error).toBeUndefined();
  return parts;
}

/** The calls of a turn, each as `id name input`. */
async function callsOf(...chunks: readonly unknown[]): Promise<readonly string[]> {
  const calls = (await partsOf(...chunks)).filter((part) => part.type === 'tool-call');
  return calls.map(
    ({ callId, name, input, invalidInput }) => `${callId} ${name} ${invalidInput ?? JSON.stringify(input)}`,
  );
}

const whole = [
  chunk({ role: 'assistant', content: '', refusal: null }),
  chunk({ content: 'Rea' }),
  chunk({ content: 'ding – ü€𝄞' }),
  fragment({ index: 0, id: 'call_1', type: 'function', function: { name: 'read', arguments: '' } }),
  fragment({ index: 0, function: { arguments: '{"path":' } }),
  fragment({ index: 0, function: { arguments: '"ä.md"}' } }),
  fragment({ index: 1, id: 'call_2', type: 'function', function: { name: 'now', arguments: '' } }),
  chunk({}, 'tool_calls'),
  usageChunk,
];
const wholeParts: readonly ModelPart[] = [
  { type: 'text-delta', text: 'Rea' },
  { type: 'text-delta', text: 'ding – ü€𝄞' },
  { type: 'tool-input-start', callId: 'call_1', name: 'read' },
  { type: 'tool-input-delta', callId: 'call_1', delta: '{"path":' },
  { type: 'tool-input-delta', callId: 'call_1', delta: '"ä.md"}' },
  { type: 'tool-call', callId: 'call_1', name: 'read', input: { path: 'ä.md' }, executedBy: 'us' },
  { type: 'tool-input-start', callId: 'call_2', name: 'now' },
  { type: 'tool-call', callId: 'call_2', name: 'now', input: {}, executedBy: 'us' },
  { type: 'finish', reason: 'tool-calls', usage: counted },
];

it('streams text and parallel calls, each as soon as the next begins', async () => {
  expect(await partsOf(...whole)).toEqual(wholeParts);
});

it('[S3-22] [S4-12] [D3-06] joins fragments by index, if the reason is stop and there are no arguments too', async () => {
  const parts = await partsOf(
    fragment({ index: 0, id: 'a', function: { name: 'read', arguments: '{"n"' } }),
    fragment({ index: 1, id: 'b', function: { name: 'now', arguments: '' } }),
    fragment({ index: 0, function: { arguments: ':1}' } }),
    chunk({}, 'stop'),
  );
  expect(parts.slice(-3)).toEqual([
    { type: 'tool-call', callId: 'a', name: 'read', input: { n: 1 }, executedBy: 'us' },
    { type: 'tool-call', callId: 'b', name: 'now', input: {}, executedBy: 'us' },
    { type: 'finish', reason: 'tool-calls', usage: noUsage },
  ]);
});

it('gives the same parts however the bytes are cut', async () => {
  const body = wire(...whole);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(body.length * 2), { maxLength: 30 }), async (offsets) => {
      expect(await turn({ body: cut(body, offsets) })).toEqual({ parts: wholeParts, error: undefined });
    }),
    { numRuns: 30 },
  );
});

it('reports every stream that stops before its end', async () => {
  const body = new TextEncoder().encode(wire(...whole));
  const withoutEnd = new TextEncoder().encode(sse(whole.slice(0, -2).map((data) => ({ data })))).length;
  await fc.assert(
    fc.asyncProperty(fc.nat(withoutEnd), fc.constantFrom('end' as const, 'destroy' as const), async (length, end) => {
      const { parts, error } = await turn({ body: [body.slice(0, length)], end });
      expect(parts).toEqual(wholeParts.slice(0, parts.length));
      expect(error).toMatchObject({ code: 'stream_truncated', retryable: true });
    }),
    { numRuns: 30 },
  );
});

it('needs neither [DONE] nor usage', async () => {
  const { parts, error } = await turn({ body: sse([{ data: chunk({ content: 'Hi' }, 'stop') }]) });
  expect(error).toBeUndefined();
  expect(parts).toEqual([
    { type: 'text-delta', text: 'Hi' },
    { type: 'finish', reason: 'stop', usage: noUsage },
  ]);
});

describe('what compatible servers do with calls', () => {
  const end = chunk({}, 'stop');
  const named = (id: string | undefined, text: unknown, more: object = {}) =>
    fragment({ index: 0, ...(id && { id }), function: { name: 'read', arguments: text }, ...more });
  const more = (text: string, index?: number) =>
    fragment({ ...(index !== undefined && { index }), function: { arguments: text } });

  it.each<[string, readonly unknown[], readonly string[]]>([
    [
      'all are number 0',
      [named('a', '{"n":1}'), named('b', ''), more('{"n":2}', 0), end],
      ['a read {"n":1}', 'b read {"n":2}'],
    ],
    [
      'no numbers at all',
      [named('a', '', { index: undefined }), more('{"n"'), more(':1}'), named('b', '{}', { index: undefined }), end],
      ['a read {"n":1}', 'b read {}'],
    ],
    [
      'numbers with gaps',
      [named('a', '', { index: 1 }), named('b', '', { index: 4 }), more('{"n":2}', 4), more('{"n":1}', 1), end],
      ['a read {"n":1}', 'b read {"n":2}'],
    ],
    ['arguments that are an object', [named('a', { n: 1 }), end], ['a read {"n":1}']],
    [
      'no arguments',
      [named('a', ''), named('b', null), named('c', undefined), end],
      ['a read {}', 'b read {}', 'c read {}'],
    ],
    [
      'another id in every chunk',
      [named('a', '{"n"'), fragment({ index: 0, id: 'x', function: { arguments: ':1}' } }), end],
      ['a read {"n":1}'],
    ],
    ['the name and the id in every chunk', [named('a', '{"n"'), named('a', ':1}'), end], ['a read {"n":1}']],
    ['the name in every chunk', [named('a', '{"n"'), named(undefined, ':1}'), end], ['a read {"n":1}']],
    ['no ids', [named(undefined, '{"n":1}'), named('', '{"n":2}'), end], ['new_0 read {"n":1}', 'new_1 read {"n":2}']],
    [
      'several in one chunk',
      [
        chunk(
          {
            tool_calls: [
              { index: 0, id: 'a', function: { name: 'read', arguments: '{}' } },
              { index: 1, id: 'b', function: { name: 'now' } },
            ],
          },
          'stop',
        ),
      ],
      ['a read {}', 'b now {}'],
    ],
    [
      'the name after the id',
      [fragment({ index: 0, id: 'a', function: {} }), named(undefined, '{"n":1}'), end],
      ['a read {"n":1}'],
    ],
    ['the end before the calls', [end, named('a', '{}')], ['a read {}']],
    ['text that is no JSON', [named('a', "{'n': 1}"), named('b', '{}'), end], ["a read {'n': 1}", 'b read {}']],
    [
      'a wrapper of calls',
      [
        fragment({
          index: 0,
          id: 'a',
          function: {
            name: 'multi_tool_use.parallel',
            arguments: '{"tool_uses":[{"recipient_name":"functions.now"}]}',
          },
        }),
        end,
      ],
      ['a_0 now {}'],
    ],
    [
      'custom tools',
      [fragment({ index: 0, id: 'a', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } }), end],
      ['a sql {"input":"SELECT 1"}'],
    ],
  ])('[S4-12] takes %s', async (_, chunks, expected) => {
    expect(await callsOf(...chunks)).toEqual(expected);
    expect((await partsOf(...chunks)).at(-1)).toMatchObject({ reason: 'tool-calls' });
  });

  it('starts a call when its name is known, with what came before', async () => {
    const parts = await partsOf(
      fragment({ index: 0, id: 'a', function: { arguments: '{"n"' } }),
      named('a', ':1}'),
      end,
    );
    expect(parts.slice(0, 2)).toEqual([
      { type: 'tool-input-start', callId: 'a', name: 'read' },
      { type: 'tool-input-delta', callId: 'a', delta: '{"n":1}' },
    ]);
  });

  it.each(['{"n":', ''])('has no valid call where the limit of tokens cut it off at %j', async (text) => {
    const parts = await partsOf(named('a', '{}'), named('b', text), chunk({}, 'length'));
    expect(parts.filter(({ type }) => type === 'tool-call' || type === 'finish')).toMatchObject([
      { callId: 'a', input: {} },
      { callId: 'b', input: {}, invalidInput: text },
      { reason: 'length' },
    ]);
  });
});

it.each(['reasoning_content', 'reasoning'])('takes reasoning from %s', async (field) => {
  const parts = await partsOf(chunk({ [field]: 'Hm.', content: null }), chunk({ content: 'Yes' }, 'stop'));
  expect(parts.slice(0, 2)).toEqual([
    { type: 'reasoning-delta', text: 'Hm.' },
    { type: 'text-delta', text: 'Yes' },
  ]);
});

it('tells a refusal, with its text', async () => {
  expect(await partsOf(chunk({ refusal: 'I ' }), chunk({ refusal: 'cannot.' }), chunk({}, 'stop'))).toEqual([
    { type: 'text-delta', text: 'I ' },
    { type: 'text-delta', text: 'cannot.' },
    { type: 'finish', reason: 'refusal', usage: noUsage, detail: 'I cannot.' },
  ]);
});

it.each([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content_filter', 'content-filter'],
  ['error', 'error'],
  ['a new one', 'stop'],
])('ends with %s as %s', async (theirs, ours) => {
  expect((await partsOf(chunk({ content: 'x' }), chunk({}, theirs))).at(-1)).toMatchObject({ reason: ours });
});

it('throws an error that comes inside the stream', async () => {
  const error = { code: 503, message: 'No provider is free' };
  const { parts, error: thrown } = await turn({ body: wire(chunk({ content: 'Hel' }), { error, choices: [] }) });
  expect(parts).toEqual([{ type: 'text-delta', text: 'Hel' }]);
  expect(thrown).toMatchObject({ code: 'model_overloaded', retryable: true });
  expect(String(thrown)).toContain('gpt-4.1 is overloaded: No provider is free. Try again in a while.');
});
