import type { Message, ModelPart, ToolDefinition, ToolResultPart } from '@utensil/core';
import { type RecordedRequest, loopback, sse } from '@utensil/tooling-loopback';
import { describe, expect, it } from 'vitest';
import { openai } from '../openai.ts';

const { signal } = new AbortController();
const request = { system: '', messages: [], tools: [], toolChoice: 'auto' } as const;
const user: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hi' }], createdAt: 0 };
const event = (type: string, more: object) => ({ type: `response.${type}`, ...more });
const done = (output_index: number, item: object) => event('output_item.done', { output_index, item });
const completed = (output: readonly object[] = []) => event('completed', { response: { status: 'completed', output } });

/** The parts of a turn over HTTP, and the input of the next, with results for its calls. */
async function roundTrip(
  events: readonly object[],
  {
    tools = [],
    result = {},
  }: { readonly tools?: readonly ToolDefinition[]; readonly result?: Partial<ToolResultPart> } = {},
) {
  await using server = await loopback(() => ({ body: sse(events.map((data) => ({ data }))) }));
  const model = openai('grok-4', { apiKey: 'k', baseURL: server.url });
  const parts: ModelPart[] = [];
  for await (const part of model.stream({ ...request, tools }, { signal })) parts.push(part);
  const { state } = parts.findLast((part) => part.type === 'finish') ?? {};
  const calls = parts.filter((part) => part.type === 'tool-call');
  const origin = { api: 'openai-responses', model: 'grok-4', ...(state !== undefined && { state }) };
  const answers: ToolResultPart[] = calls
    .filter(({ executedBy }) => executedBy === 'us')
    .map(({ callId, name }) => ({
      type: 'tool-result',
      callId,
      name,
      output: null,
      modelParts: [{ type: 'text', text: 'ok' }],
      isError: false,
      ...result,
    }));
  const messages: Message[] = [user, { id: 'a', role: 'assistant', parts: calls, createdAt: 0, origin }];
  if (answers.length > 0) messages.push({ id: 't', role: 'tool', parts: answers, createdAt: 0 });
  for await (const _ of model.stream({ ...request, tools, messages }, { signal }));
  const { input } = (server.requests[1] as RecordedRequest).json() as { input: object[] };
  return { parts, input: input.slice(1) };
}

// https://developers.openai.com/api/docs/guides/tools-connectors-mcp#approvals
describe('a question whether a call of the MCP client of OpenAI may run', () => {
  const asked = {
    type: 'mcp_approval_request',
    id: 'mcpr_1',
    server_label: 'zip1',
    name: 'create_short_url',
    arguments: '{"url":"https://a.example"}',
  };
  const events = [event('output_item.added', { output_index: 0, item: asked }), done(0, asked), completed([asked])];

  it('is a call of `mcp_approval`, and its result a yes', async () => {
    const { parts, input } = await roundTrip(events);
    expect(parts).toMatchObject([
      {
        type: 'tool-call',
        callId: 'mcpr_1',
        name: 'mcp_approval',
        input: { server: 'zip1', tool: 'create_short_url', arguments: { url: 'https://a.example' } },
        executedBy: 'us',
      },
      { type: 'finish', reason: 'tool-calls' },
    ]);
    expect(input).toEqual([asked, { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true }]);
  });

  it('is answered with a no and its reason, where the result is an error', async () => {
    const { input } = await roundTrip(events, { result: { isError: true } });
    const no = { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: false, reason: 'ok' };
    expect(input).toEqual([asked, no]);
  });
});

// https://developers.openai.com/api/docs/guides/tools-tool-search#client-executed-tool-search
describe('a search for tools that is left to us', () => {
  const search = (call_id: string, more: object = {}) => ({
    type: 'tool_search_call',
    id: 'tsc_1',
    call_id,
    execution: 'client',
    status: 'completed',
    arguments: { goal: 'weather' },
    ...more,
  });
  const tools = [
    { type: 'native', name: 'find_tools', definition: { type: 'tool_search', execution: 'client' } },
  ] as const;
  const weather = { type: 'function', name: 'get_weather', parameters: {}, strict: false };
  const events = [
    event('output_item.added', { output_index: 0, item: search('early', { arguments: {}, status: 'in_progress' }) }),
    done(0, search('call_1')),
    completed([search('call_1')]),
  ];

  it('is a call of the tool that the app declared, and its result the tools that it returns', async () => {
    const { parts, input } = await roundTrip(events, { tools, result: { output: { tools: [weather] } } });
    expect(parts[0]).toEqual({
      type: 'tool-call',
      callId: 'call_1',
      name: 'find_tools',
      input: { goal: 'weather' },
      executedBy: 'us',
    });
    const output = { type: 'tool_search_output', call_id: 'call_1', execution: 'client', status: 'completed' };
    expect(input).toEqual([search('call_1'), { ...output, tools: [weather] }]);
  });

  it('finds nothing if it fails', async () => {
    const { input } = await roundTrip(events, { tools, result: { isError: true } });
    expect(input[1]).toMatchObject({ type: 'tool_search_output', tools: [] });
  });
});

// https://docs.x.ai/docs/guides/tools/search-tools: the server writes the calls of its searches as custom ones
it('shows calls that xAI runs by itself as such, and gives them back', async () => {
  const call = {
    type: 'custom_tool_call',
    id: 'ctc_1',
    call_id: 'xs_call_1',
    name: 'x_keyword_search',
    input: '{"query":"from:xai"}',
  };
  const mine = { ...call, id: 'ctc_2', call_id: 'call_2', name: 'sql', input: 'SELECT 1' };
  const tools = [
    { type: 'native', name: 'x_search', definition: { type: 'x_search' } },
    { type: 'native', name: 'sql', definition: { type: 'custom', name: 'sql' } },
  ] as const;
  const { parts, input } = await roundTrip(
    [
      event('output_item.added', { output_index: 0, item: { ...call, input: '' } }),
      event('custom_tool_call_input.delta', { output_index: 0, item_id: 'ctc_1', delta: call.input }),
      done(0, call),
      done(1, mine),
      completed([call, mine]),
    ],
    { tools },
  );
  expect(parts).toMatchObject([
    {
      type: 'tool-call',
      callId: 'xs_call_1',
      name: 'x_keyword_search',
      input: { query: 'from:xai' },
      executedBy: 'provider',
    },
    { type: 'tool-call', callId: 'call_2', name: 'sql', input: { input: 'SELECT 1' }, executedBy: 'us' },
    { type: 'finish', reason: 'tool-calls' },
  ]);
  expect(input).toEqual([call, mine, { type: 'custom_tool_call_output', call_id: 'call_2', output: 'ok' }]);
});

// The members of `ResponseInputItem.ImageGenerationCall` in the SDK, 7.55.0
it('gives images back with the members that requests allow', async () => {
  const allowed = {
    type: 'image_generation_call',
    id: 'ig_1',
    status: 'completed',
    result: 'aW1n',
    action: 'generate',
    output_format: 'png',
    revised_prompt: 'A cat',
  };
  const { input } = await roundTrip([
    done(0, { ...allowed, moderation: 'auto', partial_image_index: 0, created_by: 'x' }),
    completed(),
  ]);
  expect(input).toEqual([allowed]);
});

describe('items are known by their ids', () => {
  const call = (id: string, more: object = {}) => ({
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    name: 'read',
    arguments: `{"n":"${id}"}`,
    ...more,
  });
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' };
  const said = (id: string) => ({
    type: 'message',
    id,
    role: 'assistant',
    content: [{ type: 'output_text', text: id, annotations: [] }],
  });
  const callIds = (parts: readonly ModelPart[]) =>
    parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []));
  const stateOf = (parts: readonly ModelPart[]) => parts.findLast((part) => part.type === 'finish')?.state;

  it('where the whole answer leaves one out', async () => {
    const { parts } = await roundTrip([
      done(0, reasoning),
      done(1, call('a')),
      done(2, call('b')),
      completed([call('a'), call('b')]),
    ]);
    expect(callIds(parts)).toEqual(['a', 'b']);
    expect(stateOf(parts)).toEqual([reasoning, call('a'), call('b')]);
  });

  it('where the whole answer has one that was not streamed', async () => {
    const { parts } = await roundTrip([done(0, call('a')), completed([reasoning, call('a'), call('b')])]);
    expect(callIds(parts)).toEqual(['a', 'b']);
  });

  it('where events have no place', async () => {
    const delta = event('function_call_arguments.delta', { item_id: 'fc_b', delta: '{"n":"b"}' });
    const added = (id: string) => event('output_item.added', { item: call(id, { arguments: '' }) });
    const { parts } = await roundTrip([
      added('a'),
      added('b'),
      delta,
      event('output_item.done', { item: call('a') }),
      event('output_item.done', { item: call('b') }),
      completed(),
    ]);
    expect(callIds(parts)).toEqual(['a', 'b']);
    expect(parts).toContainEqual({ type: 'tool-input-delta', callId: 'b', delta: '{"n":"b"}' });
  });

  it('and by their place and type where the ids change', async () => {
    const { parts } = await roundTrip([
      done(0, reasoning),
      done(1, said('msg_1')),
      completed([{ ...reasoning, id: 'rs_2' }, said('msg_2')]),
    ]);
    expect(parts.filter(({ type }) => type === 'text-delta')).toEqual([{ type: 'text-delta', text: 'msg_1' }]);
  });

  it('and not taken for one of another type in their place', async () => {
    const { parts } = await roundTrip([done(0, reasoning), completed([said('msg_1')])]);
    expect(parts.filter(({ type }) => type === 'text-delta')).toEqual([{ type: 'text-delta', text: 'msg_1' }]);
  });
});

it('takes the end under the name that OpenRouter has for it', async () => {
  const { parts } = await roundTrip([event('done', { response: { status: 'completed', output: [] } })]);
  expect(parts).toMatchObject([{ type: 'finish', reason: 'stop' }]);
});

describe('without an event for the end', () => {
  const said = { type: 'message', id: 'm', content: [{ type: 'output_text', text: 'Hello', annotations: [] }] };
  const call = { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'read', arguments: '{}' };
  async function turn(...events: readonly unknown[]) {
    await using server = await loopback(() => ({ body: sse(events.map((data) => ({ data }))) }));
    const parts: ModelPart[] = [];
    for await (const part of openai('m', { apiKey: 'k', baseURL: server.url }).stream(request, { signal }))
      parts.push(part);
    return parts;
  }

  it('an answer ends with [DONE] behind items that are whole', async () => {
    expect((await turn(done(0, said), '[DONE]')).at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
    expect((await turn(done(0, call), '[DONE]')).at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' });
  });

  it.each<[string, readonly unknown[]]>([
    ['there is no [DONE]', [done(0, said)]],
    ['an item is not whole', [done(0, said), event('output_item.added', { output_index: 1, item: call }), '[DONE]']],
    ['there is nothing but thoughts', [done(0, { type: 'reasoning', id: 'rs_1', summary: [] }), '[DONE]']],
  ])('an answer broke off where %s', async (_, events) => {
    await expect(turn(...events)).rejects.toMatchObject({ code: 'stream_truncated', retryable: true });
  });
});
