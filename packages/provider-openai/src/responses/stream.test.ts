import { type FunctionDefinition, type ModelPart, type ModelRequest, noUsage } from '@utensil/core';
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

/** The parts of one turn, and what it threw. */
async function turn(reply: Reply, asked: Partial<ModelRequest> = {}) {
  await using server = await loopback(() => reply);
  const model = openai('gpt-5.6', { apiKey: 'k', baseURL: server.url, maxRetries: 0 });
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

it('tells of every stream that stops before its end', async () => {
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
    /The answer of gpt-5\.6 broke off: terminated \(.+\)\. What had come is kept; try again\.$/,
  );
});

describe('what gateways and models do', () => {
  it('follows output_index where the ids of items change', async () => {
    const parts = await partsOf([
      added(0, functionCall('call_1', 'read', '', { id: 'a' })),
      { ...input(0, '{}'), item_id: 'b' },
      done(0, functionCall('call_1', 'read', '{}', { id: 'c' })),
      { ...completed(functionCall('call_1', 'read', '{}', { id: 'd' })) },
    ]);
    expect(parts.filter(({ type }) => type === 'tool-call')).toHaveLength(1);
    expect(parts.at(-1)).toMatchObject({ state: [{ id: 'c' }] });
  });

  it('believes the call id of the end', async () => {
    const parts = await partsOf([
      added(0, functionCall('early', 'read', '')),
      done(0, functionCall('final', 'read', '{}')),
      completed(),
    ]);
    expect(parts[1]).toMatchObject({ type: 'tool-call', callId: 'final' });
  });

  const wrapped = JSON.stringify({
    tool_uses: [{ recipient_name: 'functions.read', parameters: { path: 'a' } }, { recipient_name: 'now' }],
  });

  it.each(['parallel', 'multi_tool_use.parallel'])('finds the calls inside of %s', async (name) => {
    const parts = await partsOf([
      added(0, functionCall('call_1', name, '')),
      input(0, wrapped),
      done(0, functionCall('call_1', name, wrapped)),
      completed(),
    ]);
    const inside = (callId: string, tool: string, text: string) => {
      const { id: _, ...rest } = functionCall(callId, tool, text);
      return rest;
    };
    expect(parts).toEqual([
      { type: 'tool-call', callId: 'call_1_0', name: 'read', input: { path: 'a' }, executedBy: 'us' },
      { type: 'tool-call', callId: 'call_1_1', name: 'now', input: {}, executedBy: 'us' },
      {
        type: 'finish',
        reason: 'tool-calls',
        usage: counted,
        state: [inside('call_1_0', 'read', '{"path":"a"}'), inside('call_1_1', 'now', '{}')],
      },
    ]);
  });

  it('leaves a tool of that name alone, and one with nothing inside', async () => {
    const tool: FunctionDefinition = { type: 'function', name: 'parallel', description: '', inputSchema: {} };
    const events = [done(0, functionCall('call_1', 'parallel', wrapped)), completed()];
    const nothing = [done(0, functionCall('call_1', 'parallel', '{}')), completed()];
    expect((await partsOf(events, { tools: [tool] }))[0]).toMatchObject({ callId: 'call_1', name: 'parallel' });
    expect((await partsOf(nothing))[0]).toMatchObject({ callId: 'call_1', name: 'parallel', input: {} });
  });

  it('runs the calls of a program, which are never completed', async () => {
    const program = { type: 'program', id: 'pr_1', call_id: 'call_p', code: 'await read()', fingerprint: 'f' };
    const caller = { type: 'program', caller_id: 'call_p' };
    const call = functionCall('call_1', 'read', '{"path":"a"}', { status: 'in_progress', caller });
    const parts = await partsOf([done(0, program), done(1, call), completed()]);
    expect(parts.slice(0, 2)).toEqual([
      { type: 'tool-call', callId: 'call_p', name: 'program', input: { code: 'await read()' }, executedBy: 'provider' },
      { type: 'tool-call', callId: 'call_1', name: 'read', input: { path: 'a' }, executedBy: 'us' },
    ]);
    expect(parts.at(-1)).toMatchObject({ reason: 'tool-calls', state: [program, call] });
  });

  it('gives the text of a custom call as JSON', async () => {
    const custom = (text: string) => ({
      type: 'custom_tool_call',
      id: 'ctc_1',
      call_id: 'call_1',
      name: 'sql',
      input: text,
    });
    const delta = (text: string): Event => ({
      type: 'response.custom_tool_call_input.delta',
      output_index: 0,
      delta: text,
    });
    const parts = await partsOf([
      added(0, custom('')),
      delta(''),
      delta('SELECT "'),
      delta('a"\n'),
      done(0, custom('SELECT "a"\n')),
      completed(),
    ]);
    const text = parts.map((part) => (part.type === 'tool-input-delta' ? part.delta : '')).join('');
    expect(JSON.parse(text)).toEqual({ input: 'SELECT "a"\n' });
    expect(parts.at(-2)).toEqual({
      type: 'tool-call',
      callId: 'call_1',
      name: 'sql',
      input: { input: 'SELECT "a"\n' },
      executedBy: 'us',
    });
  });

  it('shows hosted calls, their images and the pages they found', async () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } };
    const mcp = { type: 'mcp_call', id: 'mcp_1', name: 'ask', server_label: 's', arguments: '{"a":1}', output: 'o' };
    const image = {
      type: 'image_generation_call',
      id: 'ig_1',
      status: 'completed',
      result: 'aW1n',
      output_format: 'webp',
    };
    const citation = { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 1 };
    const untitled = { ...citation, url: 'https://b.example', title: '' };
    const content = [
      { type: 'output_text', text: 'x', annotations: [citation, untitled, citation, { type: 'file_citation' }] },
    ];
    const tools = [{ type: 'native', name: 'find', definition: { type: 'web_search_preview' } }] as const;
    const parts = await partsOf(
      [
        done(0, search),
        done(1, mcp),
        done(2, image),
        textDelta(3, 'x'),
        done(3, messageItem('', { content })),
        completed(),
      ],
      { tools },
    );
    expect(parts.slice(0, -1)).toEqual([
      {
        type: 'tool-call',
        callId: 'ws_1',
        name: 'find',
        input: { type: 'search', query: 'q' },
        executedBy: 'provider',
      },
      { type: 'tool-call', callId: 'mcp_1', name: 'ask', input: { a: 1 }, executedBy: 'provider' },
      { type: 'tool-call', callId: 'ig_1', name: 'image_generation', input: {}, executedBy: 'provider' },
      { type: 'file', mediaType: 'image/webp', data: 'aW1n' },
      { type: 'text-delta', text: 'x' },
      { type: 'source', url: 'https://a.example', title: 'A' },
      { type: 'source', url: 'https://b.example' },
    ]);
    expect(parts.at(-1)).toMatchObject({ reason: 'stop' });
  });

  it('passes over events that it does not know, and takes text that came in no delta', async () => {
    const parts = await partsOf([
      { type: 'response.steer.accepted' },
      { type: 'response.audio.delta', delta: 'AAAA' },
      done(0, { type: 'compaction', id: 'cmp_1', encrypted_content: 'c' }),
      done(1, messageItem('Hello')),
      completed(),
    ]);
    expect(parts).toMatchObject([
      { type: 'text-delta', text: 'Hello' },
      { reason: 'stop', state: [{ id: 'cmp_1' }, {}] },
    ]);
  });
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
  ])('for %s is %s', async (reason, expected) => {
    const parts = await partsOf([textDelta(0, 'x'), done(0, messageItem('x')), incomplete(reason)]);
    expect(parts.at(-1)).toMatchObject({ reason: expected, usage: noUsage });
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

  it('keeps text that was cut off, and the items that only the end names', async () => {
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
