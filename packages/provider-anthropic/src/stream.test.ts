import type { Message, ModelPart } from '@utensil/core';
import { noUsage } from '@utensil/core';
import { type AnthropicBlock, anthropicEvents } from '@utensil/tooling-loopback/anthropic';
import { describe, expect, it } from 'vitest';
import { anthropic } from './anthropic.ts';
import { toRequest } from './request.ts';

// Every stream here is made by hand, after the documentation and recorded ones.
const usage = { ...noUsage, inputTokens: 10, outputTokens: 20 };
const end = (stop_reason: string, more: object = {}) => ({
  type: 'message_delta',
  delta: { stop_reason, ...more },
  usage: {},
});
const start = (content_block: object, index = 0) => ({ type: 'content_block_start', index, content_block });
const delta = (type: string, more: object, index = 0) => ({
  type: 'content_block_delta',
  index,
  delta: { type, ...more },
});
const stop = (index = 0) => ({ type: 'content_block_stop', index });
const use = (name: string, input: object = {}) => ({
  type: 'tool_use',
  id: `id_${name}`,
  name,
  input,
  caller: { type: 'direct' },
});
const call = (name: string, more: object = {}) => ({
  type: 'tool-call',
  callId: `id_${name}`,
  name,
  input: {},
  executedBy: 'us',
  ...more,
});
const begun = (name: string) => ({ type: 'tool-input-start', callId: `id_${name}`, name });

async function partsOf(...events: readonly unknown[]): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of streamOf(events)) parts.push(part);
  return parts;
}

/** The model's stream, of a client that has these events. */
function streamOf(events: readonly unknown[]): AsyncIterable<ModelPart> {
  async function* come() {
    yield* events;
  }
  const client = { messages: { create: async () => come() } };
  const request = { system: '', messages: [], tools: [], toolChoice: 'auto' } as const;
  return anthropic('claude', { client }).stream(request, { signal: new AbortController().signal });
}

function response(
  blocks: readonly AnthropicBlock[],
  ending?: Parameters<typeof anthropicEvents>[1],
): Promise<ModelPart[]> {
  return partsOf(...anthropicEvents(blocks, ending).map(({ data }) => data));
}

/** The parts of a stream whose text comes in fragments, joined. */
function joined(parts: readonly ModelPart[], type: 'text-delta' | 'reasoning-delta'): string {
  return parts.map((part) => (part.type === type ? part.text : '')).join('');
}

it('streams text, and needs no state for it', async () => {
  expect(await response([{ type: 'text', text: 'Hello there, world.', citations: null }])).toEqual([
    { type: 'text-delta', text: 'Hello there,' },
    { type: 'text-delta', text: ' world.' },
    { type: 'finish', reason: 'stop', usage },
  ]);
});

it('streams parallel calls, each complete before the next begins', async () => {
  const parts = await response([use('read', { path: 'notes/todo.md' }), use('list')]);
  expect(parts).toEqual([
    begun('read'),
    { type: 'tool-input-delta', callId: 'id_read', delta: '{"path":"not' },
    { type: 'tool-input-delta', callId: 'id_read', delta: 'es/todo.md"}' },
    call('read', { input: { path: 'notes/todo.md' } }),
    begun('list'),
    call('list'),
    { type: 'finish', reason: 'tool-calls', usage },
  ]);
});

describe('calls without fragments', () => {
  it('have no arguments if there is one empty fragment', async () => {
    const fragment = delta('input_json_delta', { partial_json: '' });
    const parts = await partsOf(
      start(use('now')),
      fragment,
      stop(),
      start({ type: 'text', text: '' }, 1),
      end('tool_use'),
    );
    expect(parts).toMatchObject([begun('now'), call('now'), { type: 'finish', reason: 'tool-calls' }]);
  });

  it('have all arguments where the block begins with them', async () => {
    expect(await partsOf(start(use('add', { a: 1 })), stop(), end('tool_use'))).toMatchObject([
      begun('add'),
      { type: 'tool-input-delta', delta: '{"a":1}' },
      call('add', { input: { a: 1 } }),
      { type: 'finish' },
    ]);
  });
});

it('reads a response that begins with its content and its end', async () => {
  const caller = { type: 'code_execution_20260120', tool_id: 'srv' };
  const content = [
    { type: 'text', text: 'So:' },
    { type: 'thinking', thinking: 'Hm.', signature: 's' },
    { ...use('add', { a: 1 }), caller },
  ];
  const message = {
    content,
    stop_reason: 'tool_use',
    usage: { input_tokens: 5, output_tokens: 7 },
    container: { id: 'box_1' },
  };
  const parts = await partsOf({ type: 'message_start', message }, { type: 'message_stop' });
  expect(parts).toMatchObject([
    { type: 'text-delta', text: 'So:' },
    { type: 'reasoning-delta', text: 'Hm.' },
    begun('add'),
    { type: 'tool-input-delta' },
    call('add', { input: { a: 1 } }),
    { type: 'finish', reason: 'tool-calls', usage: { inputTokens: 5, outputTokens: 7 } },
  ]);
  const { input: _, ...withoutInput } = { ...use('add'), caller };
  const state = { content: [content[0], content[1], withoutInput], container: 'box_1' };
  expect(parts.at(-1)).toMatchObject({ state });
});

it('takes a second beginning for a repetition', async () => {
  const message = { content: [{ type: 'text', text: 'a' }], usage: { input_tokens: 3 } };
  const parts = await partsOf({ type: 'message_start', message }, { type: 'message_start', message }, end('end_turn'));
  expect(joined(parts, 'text-delta')).toBe('a');
});

it('leaves to the server what the server runs', async () => {
  const search = { type: 'server_tool_use', id: 'id_web_search', name: 'web_search', input: { query: 'utensils' } };
  const result = {
    type: 'web_search_tool_result',
    tool_use_id: 'id_web_search',
    content: [{ type: 'web_search_result', url: 'https://a.example' }],
  };
  const parts = await response([result, search, result], { stopReason: 'pause_turn' });
  expect(parts).toMatchObject([
    { type: 'provider-result', callId: 'id_web_search', output: result.content },
    begun('web_search'),
    { type: 'tool-input-delta' },
    { type: 'tool-input-delta' },
    call('web_search', { input: { query: 'utensils' }, executedBy: 'provider' }),
    { type: 'finish', reason: 'pause', state: { content: [result, search, result] } },
  ]);
});

it('names each cited page once, and keeps the citations', async () => {
  const page = {
    type: 'web_search_result_location',
    url: 'https://a.example',
    title: 'A',
    cited_text: 'x',
    encrypted_index: 'e',
  };
  const place = { type: 'char_location', cited_text: 'y', document_index: 0 };
  const events = [page, place, page, { ...page, url: 'https://b.example', title: null }];
  const parts = await partsOf(
    start({ type: 'text', text: '', citations: [] }),
    ...events.map((citation) => delta('citations_delta', { citation })),
    delta('text_delta', { text: 'x' }),
    stop(),
    end('end_turn'),
  );
  expect(parts).toMatchObject([
    { type: 'source', url: 'https://a.example', title: 'A' },
    { type: 'source', url: 'https://b.example' },
    { type: 'text-delta', text: 'x' },
    { type: 'finish', state: { content: [{ type: 'text', text: 'x', citations: events }] } },
  ]);
});

it('echoes reasoning byte for byte', async () => {
  const blocks = [
    { type: 'thinking', thinking: 'Let me see — “ü”, \u{1f9e0}…', signature: 'EqQBCgIYAhIM==' },
    { type: 'thinking', thinking: '', signature: 'only-a-signature' },
    { type: 'redacted_thinking', data: 'EmwKAhgB' },
    { type: 'text', text: 'I will look.' },
    { type: 'tool_use', id: 'id_read', name: 'read', input: { z: 1, a: [' "x" '] } },
  ];
  const parts = await response(blocks);
  expect(joined(parts, 'reasoning-delta')).toBe('Let me see — “ü”, \u{1f9e0}…');
  const finish = parts.at(-1);
  const state = finish?.type === 'finish' && finish.state !== undefined ? { state: finish.state } : {};
  const message: Message = {
    id: 'm',
    role: 'assistant',
    parts: parts.filter((part) => part.type === 'tool-call'),
    createdAt: 0,
    origin: { api: 'anthropic-messages', model: 'claude-opus-5', ...state },
  };
  const body = toRequest(
    { system: '', messages: [message], tools: [], toolChoice: 'auto' },
    { modelId: 'claude-opus-5' },
  );
  const sortless = blocks.map(({ input, ...block }) => (input === undefined ? block : { ...block, input }));
  expect(JSON.stringify(body.messages[0]?.content)).toBe(JSON.stringify(sortless));
});

it('keeps what it does not know', async () => {
  const parts = await partsOf(
    'not even an event',
    null,
    { type: 'ping' },
    { type: 'invented_event', index: 0 },
    { type: 'message_start', message: 'x' },
    { type: 'content_block_start', index: 9 },
    { type: 'content_block_start', index: 9, content_block: {} },
    { type: 'content_block_delta', index: 9, delta: 'x' },
    { type: 'message_delta', delta: null, usage: 7 },
    start({ type: 'compaction', content: null }),
    delta('compaction_delta', { content: 'Sum' }),
    delta('compaction_delta', { content: 'mary', n: 1 }),
    stop(),
    end('invented_reason'),
    { type: 'message_stop' },
  );
  const state = { content: [{ type: 'compaction', content: 'Summary', n: 1 }] };
  expect(parts).toEqual([{ type: 'finish', reason: 'stop', usage: noUsage, state }]);
});

it.each([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['pause_turn', 'pause'],
  ['refusal', 'refusal'],
  ['invented_reason', 'tool-calls'],
])('ends with %s as %s', async (stopReason, reason) => {
  const parts = await response([use('read', { path: 'a' })], { stopReason });
  expect(parts.at(-1)).toMatchObject({ type: 'finish', reason });
});

it('says why the model refused, and drops the call it was about to make', async () => {
  const stop_details = { type: 'refusal', category: 'cyber', explanation: 'This looks like malware.' };
  const parts = await partsOf(
    start(use('read')),
    delta('input_json_delta', { partial_json: '{"pa' }),
    end('refusal', { stop_details }),
  );
  expect(parts.slice(2)).toMatchObject([
    { type: 'finish', reason: 'refusal', detail: 'cyber: This looks like malware.' },
  ]);
});

describe('a call that the limit cut off', () => {
  const fragment = (partial_json: string) => delta('input_json_delta', { partial_json });
  it.each([
    ['within', [fragment('{"path": "no'), stop()], '{"path": "no'],
    ['within, and without its end', [fragment('{"path": "no')], '{"path": "no'],
    ['before its first argument', [fragment(''), stop()], ''],
    ['before anything', [], ''],
  ])('%s is invalid', async (_, events, invalidInput) => {
    const parts = await partsOf(start(use('write')), ...events, end('max_tokens'), { type: 'message_stop' });
    expect(parts.slice(-2)).toMatchObject([call('write', { invalidInput }), { type: 'finish', reason: 'length' }]);
  });

  it('is dropped from what goes back if the server would have run it', async () => {
    const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    const parts = await partsOf(start(search), fragment('{"qu'), stop(), end('max_tokens'));
    expect(parts.at(-1)).not.toHaveProperty('state');
  });
});

it('counts tokens cumulatively, cached ones as input, and minds no gap', async () => {
  const message = {
    content: [],
    usage: { input_tokens: 9, cache_creation_input_tokens: 100, cache_read_input_tokens: null, output_tokens: 1 },
  };
  const parts = await partsOf(
    { type: 'message_start', message },
    { type: 'message_delta', delta: {}, usage: { output_tokens: 5, input_tokens: null } },
    {
      type: 'message_delta',
      delta: { stop_reason: null },
      usage: {
        output_tokens: 30,
        input_tokens: 8,
        cache_read_input_tokens: 1_000,
        output_tokens_details: { thinking_tokens: 12 },
      },
    },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    { type: 'message_stop' },
  );
  expect(parts).toEqual([
    {
      type: 'finish',
      reason: 'stop',
      usage: {
        inputTokens: 1_108,
        outputTokens: 30,
        cacheReadTokens: 1_000,
        cacheWriteTokens: 100,
        reasoningTokens: 12,
      },
    },
  ]);
});

describe('a stream that just stops', () => {
  it('throws behind the parts that came', async () => {
    const events = anthropicEvents([{ type: 'text', text: 'Half' }, use('read', { path: 'a' })]).map(
      ({ data }) => data,
    );
    const seen: ModelPart[] = [];
    const reading = (async () => {
      for await (const part of streamOf(events.slice(0, -2))) seen.push(part);
    })();
    await expect(reading).rejects.toMatchObject({
      code: 'stream_truncated',
      retryable: true,
      message: expect.stringContaining('ended early'),
    });
    expect(seen).toMatchObject([
      { type: 'text-delta' },
      begun('read'),
      { type: 'tool-input-delta' },
      call('read', { input: { path: 'a' } }),
    ]);
  });

  it('throws if nothing came', async () => {
    await expect(partsOf()).rejects.toMatchObject({
      code: 'stream_truncated',
      message: expect.stringContaining('no answer'),
    });
  });

  it('is complete if the reason of its end was told, or the stop was', async () => {
    expect(await partsOf(end('end_turn'))).toMatchObject([{ type: 'finish', reason: 'stop' }]);
    expect(await partsOf({ type: 'message_stop' })).toMatchObject([{ type: 'finish', reason: 'stop' }]);
  });
});
