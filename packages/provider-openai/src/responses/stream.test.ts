import type { ModelPart, ModelRequest } from '@utensil/core';
import { noUsage } from '@utensil/core';
import { type Reply, cut, loopback, sse } from '@utensil/tooling-loopback';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openai } from '../openai.ts';

type Event = { readonly type: string } & Readonly<Record<string, unknown>>;

const signal = new AbortController().signal;
const request: ModelRequest = { system: '', messages: [], tools: [], toolChoice: 'auto' };
const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 64, cache_write_tokens: 8 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 12 },
  total_tokens: 120,
};
const counted = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 64, cacheWriteTokens: 8, reasoningTokens: 12 };

const added = (output_index: number, item: object): Event => ({
  type: 'response.output_item.added',
  output_index,
  item,
});
const done = (output_index: number, item: object): Event => ({ type: 'response.output_item.done', output_index, item });
const textDelta = (output_index: number, delta: string): Event => ({
  type: 'response.output_text.delta',
  output_index,
  delta,
});
const input = (output_index: number, delta: string): Event => ({
  type: 'response.function_call_arguments.delta',
  output_index,
  delta,
});
const completed = (...output: object[]): Event => ({
  type: 'response.completed',
  response: { status: 'completed', output, usage },
});
const incomplete = (reason: string, ...output: object[]): Event => ({
  type: 'response.incomplete',
  response: { status: 'incomplete', incomplete_details: { reason }, output },
});

const wire = (events: readonly Event[]) => sse(events.map((data) => ({ event: data.type, data })));

/** The parts of one turn, and the error that it threw. */
async function turn(reply: Reply, asked: Partial<ModelRequest> = {}) {
  await using server = await loopback(() => reply);
  const model = openai('gpt-5.6', { apiKey: 'k', baseURL: server.url });
  const parts: ModelPart[] = [];
  try {
    for await (const part of model.stream({ ...request, ...asked }, { signal })) parts.push(part);
  } catch (error) {
    return { parts, error };
  }
  return { parts, error: undefined };
}

async function partsOf(events: readonly Event[], asked?: Partial<ModelRequest>): Promise<readonly ModelPart[]> {
  const { parts, error } = await turn({ body: wire(events) }, asked);
  expect(error).toBeUndefined();
  return parts;
}

const functionCall = (call_id: string, name: string, text: string, more: object = {}) => ({
  type: 'function_call',
  id: `fc_${call_id}`,
  call_id,
  name,
  arguments: text,
  status: 'completed',
  ...more,
});
const reasoningItem = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'sealed' };
const messageItem = (text: string, more: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  ...more,
});

/** Reasoning, commentary, and two calls at once. */
const whole: readonly Event[] = [
  { type: 'response.created', sequence_number: 0, response: { id: 'resp_1', status: 'in_progress' } },
  added(0, { ...reasoningItem, encrypted_content: 'provisional' }),
  { type: 'response.reasoning_summary_part.added', output_index: 0, summary_index: 0, part: {} },
  { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'Two ' },
  { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 0, delta: 'files.' },
  { type: 'response.reasoning_summary_part.added', output_index: 0, summary_index: 1, part: {} },
  { type: 'response.reasoning_summary_text.delta', output_index: 0, summary_index: 1, delta: 'Read both.' },
  done(0, reasoningItem),
  added(1, messageItem('', { content: [], phase: 'commentary' })),
  textDelta(1, 'Rea'),
  textDelta(1, 'ding – ü€𝄞'),
  done(1, messageItem('Reading – ü€𝄞', { phase: 'commentary' })),
  added(2, functionCall('call_1', 'read', '', { status: 'in_progress' })),
  added(3, functionCall('call_2', 'now', '', { status: 'in_progress' })),
  input(2, '{"path":'),
  input(2, '"ä.md"}'),
  done(3, functionCall('call_2', 'now', '')),
  done(2, functionCall('call_1', 'read', '{"path":"ä.md"}')),
  completed(),
];
const wholeParts: readonly ModelPart[] = [
  { type: 'reasoning-delta', text: 'Two ' },
  { type: 'reasoning-delta', text: 'files.' },
  { type: 'reasoning-delta', text: '\n\n' },
  { type: 'reasoning-delta', text: 'Read both.' },
  { type: 'text-delta', text: 'Rea' },
  { type: 'text-delta', text: 'ding – ü€𝄞' },
  { type: 'tool-input-start', callId: 'call_1', name: 'read' },
  { type: 'tool-input-start', callId: 'call_2', name: 'now' },
  { type: 'tool-input-delta', callId: 'call_1', delta: '{"path":' },
  { type: 'tool-input-delta', callId: 'call_1', delta: '"ä.md"}' },
  { type: 'tool-call', callId: 'call_2', name: 'now', input: {}, executedBy: 'us' },
  { type: 'tool-call', callId: 'call_1', name: 'read', input: { path: 'ä.md' }, executedBy: 'us' },
  {
    type: 'finish',
    reason: 'tool-calls',
    usage: counted,
    state: [
      reasoningItem,
      messageItem('Reading – ü€𝄞', { phase: 'commentary' }),
      functionCall('call_1', 'read', '{"path":"ä.md"}'),
      functionCall('call_2', 'now', ''),
    ],
  },
];

it('streams reasoning, text and parallel calls, and keeps the final items in order', async () => {
  expect(await partsOf(whole)).toEqual(wholeParts);
});

it('gives the same parts however the bytes are cut', async () => {
  const body = wire(whole);
  const offsets = fc.array(fc.nat(body.length * 2), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(offsets, async (at) => {
      expect(await turn({ body: cut(body, at) })).toEqual({ parts: wholeParts, error: undefined });
    }),
    { numRuns: 30 },
  );
});

it('reports every stream that stops before its end', async () => {
  const body = new TextEncoder().encode(wire(whole));
  const withoutEnd = new TextEncoder().encode(wire(whole.slice(0, -1))).length;
  await fc.assert(
    fc.asyncProperty(fc.nat(withoutEnd), fc.constantFrom('end' as const, 'destroy' as const), async (length, end) => {
      const { parts, error } = await turn({ body: [body.slice(0, length)], end });
      expect(parts).toEqual(wholeParts.slice(0, parts.length));
      expect(error).toMatchObject({ code: 'stream_truncated', retryable: true });
    }),
    { numRuns: 30 },
  );
});

it('keeps what came before a stream broke', async () => {
  const { parts, error } = await turn({ body: wire(whole.slice(0, 12)), end: 'destroy' });
  expect(parts).toEqual(wholeParts.slice(0, 6));
  expect(error).toMatchObject({ code: 'stream_truncated' });
  expect(String(error)).toMatch(
    /The answer of gpt-5\.6 ended early: terminated \(.+\)\. What had come is kept; try again\.$/,
  );
});

describe('the end of a turn', () => {
  it('is a refusal, with its text', async () => {
    const refusal: Event = { type: 'response.refusal.delta', output_index: 0, delta: 'I cannot.' };
    const item = messageItem('', { content: [{ type: 'refusal', refusal: 'I cannot.' }] });
    const parts = await partsOf([added(0, messageItem('')), refusal, done(0, item), completed()]);
    expect(parts[0]).toEqual({ type: 'text-delta', text: 'I cannot.' });
    expect(parts[1]).toMatchObject({ reason: 'refusal', detail: 'I cannot.' });
    expect(await partsOf([done(0, item), completed()])).toEqual(parts);
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content-filter'],
    ['max_messages', 'stop'],
    ['steered', 'stop'],
  ])('for %s is %s', async (reason, expected) => {
    const parts = await partsOf([textDelta(0, 'x'), done(0, messageItem('x')), incomplete(reason)]);
    expect(parts.at(-1)).toMatchObject({ reason: expected, usage: noUsage });
  });

  it('says which limit there was, if the reason does not', async () => {
    expect((await partsOf([incomplete('max_messages')])).at(-1)).toMatchObject({
      detail: 'The limit of messages in one answer is reached.',
    });
  });

  it.each([
    ['an item that ended', '{"a":', [done(0, functionCall('call_1', 'read', '{"a":', { status: 'incomplete' }))]],
    ['an item that never ended', '{"a":', [added(0, functionCall('call_1', 'read', '')), input(0, '{"a":')]],
    ['no arguments yet', '', [added(0, functionCall('call_1', 'read', ''))]],
  ])('inside a call is no valid call: %s', async (_, invalidInput, events) => {
    const parts = await partsOf([...events, incomplete('max_output_tokens')]);
    expect(parts.at(-2)).toEqual({
      type: 'tool-call',
      callId: 'call_1',
      name: 'read',
      input: {},
      invalidInput,
      executedBy: 'us',
    });
    expect(parts.at(-1)).toMatchObject({ reason: 'length', state: [{ arguments: invalidInput }] });
  });

  it('inside a call is no valid call where a filter ended it', async () => {
    const parts = await partsOf([added(0, functionCall('call_1', 'read', '')), incomplete('content_filter')]);
    expect(parts.at(-2)).toMatchObject({ type: 'tool-call', invalidInput: '' });
    expect(parts.at(-1)).toMatchObject({ reason: 'content-filter' });
  });

  it('keeps text that was truncated, and the items that only the end names', async () => {
    const parts = await partsOf([
      added(0, { ...reasoningItem, encrypted_content: 'provisional' }),
      added(1, messageItem('', { content: [], status: 'in_progress' })),
      textDelta(1, 'Hel'),
      incomplete('max_output_tokens'),
    ]);
    expect(parts.at(-1)).toMatchObject({ state: [{ content: [{ text: 'Hel' }], status: 'incomplete' }] });
    expect((await partsOf([completed(functionCall('call_1', 'read', '{}'))]))[0]).toMatchObject({ callId: 'call_1' });
  });

  const failed: Event = {
    type: 'response.failed',
    response: { status: 'failed', error: { code: 'server_error', message: 'Oops' } },
  };
  const error: Event = { type: 'error', code: 'rate_limit_exceeded', message: 'Slow down.', param: null };

  it.each([
    ['response.failed', wire([failed]), 'model_failed', 'The server of gpt-5.6 failed: Oops. Try again.'],
    [
      'error',
      wire([error]),
      'model_rate_limited',
      'gpt-5.6 has had too many requests: Slow down. Wait a little and try again.',
    ],
    ['an unnamed error', sse([{ data: error }]), 'model_rate_limited', 'Slow down.'],
  ])('may be %s', async (_, body, code, message) => {
    const { parts, error: thrown } = await turn({ body: wire([textDelta(0, 'Hel')]) + body });
    expect(parts).toEqual([{ type: 'text-delta', text: 'Hel' }]);
    expect(thrown).toMatchObject({ code, retryable: true, message: expect.stringContaining(message) as string });
  });
});
