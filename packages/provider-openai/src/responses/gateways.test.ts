import type { FunctionDefinition, ModelPart, ToolDefinition } from '@utensil/core';
import { noUsage } from '@utensil/core';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { expect, it } from 'vitest';
import { eventReader } from './stream.ts';

// Undocumented behaviour of gateways and models. Every event is written by hand, following recorded ones.
const event = (type: string, output_index: number, more: object) =>
  ({ type: `response.${type}`, output_index, ...more }) as object as ResponseStreamEvent;
const added = (index: number, item: object) => event('output_item.added', index, { item });
const done = (index: number, item: object) => event('output_item.done', index, { item });
const textDelta = (index: number, delta: string) => event('output_text.delta', index, { delta });
const input = (index: number, delta: string, item_id = 'fc') =>
  event('function_call_arguments.delta', index, { delta, item_id });
const completed = (...output: object[]) => event('completed', 0, { response: { output } });

function partsOf(events: readonly ResponseStreamEvent[], tools: readonly ToolDefinition[] = []): readonly ModelPart[] {
  const { read, end } = eventReader({ tools });
  return [...events.flatMap(read), ...end()];
}

const functionCall = (call_id: string, name: string, text: string, more: object = {}) => ({
  type: 'function_call',
  id: `fc_${call_id}`,
  call_id,
  name,
  arguments: text,
  ...more,
});
const messageItem = (text: string, annotations: readonly object[] = []) => ({
  id: 'msg_1',
  type: 'message',
  content: [{ type: 'output_text', text, annotations }],
});

it('follows output_index where the ids of items change', () => {
  const parts = partsOf([
    added(0, functionCall('call_1', 'read', '', { id: 'a' })),
    input(0, '{}', 'b'),
    done(0, functionCall('call_1', 'read', '{}', { id: 'c' })),
    completed(functionCall('call_1', 'read', '{}', { id: 'd' })),
  ]);
  expect(parts.filter(({ type }) => type === 'tool-call')).toHaveLength(1);
  expect(parts.at(-1)).toMatchObject({ state: [{ id: 'c' }] });
});

it('believes the call id of the end', () => {
  const parts = partsOf([
    added(0, functionCall('early', 'read', '')),
    done(0, functionCall('final', 'read', '{}')),
    completed(),
  ]);
  expect(parts[1]).toMatchObject({ type: 'tool-call', callId: 'final' });
});

const wrapped = JSON.stringify({
  tool_uses: [{ recipient_name: 'functions.read', parameters: { path: 'a' } }, { recipient_name: 'now' }],
});

it.each(['parallel', 'multi_tool_use.parallel'])('finds the calls inside of %s', (name) => {
  const parts = partsOf([
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
      usage: noUsage,
      state: [inside('call_1_0', 'read', '{"path":"a"}'), inside('call_1_1', 'now', '{}')],
    },
  ]);
});

it('leaves a tool of that name alone, and one with nothing inside', () => {
  const tool: FunctionDefinition = { type: 'function', name: 'parallel', description: '', inputSchema: {} };
  const events = [done(0, functionCall('call_1', 'parallel', wrapped)), completed()];
  const nothing = [done(0, functionCall('call_1', 'parallel', '{}')), completed()];
  expect(partsOf(events, [tool])[0]).toMatchObject({ callId: 'call_1', name: 'parallel' });
  expect(partsOf(nothing)[0]).toMatchObject({ callId: 'call_1', name: 'parallel', input: {} });
});

it('runs the calls of a program, which are never completed', () => {
  const program = { type: 'program', id: 'pr_1', call_id: 'call_p', code: 'await read()', fingerprint: 'f' };
  const caller = { type: 'program', caller_id: 'call_p' };
  const call = functionCall('call_1', 'read', '{"path":"a"}', { status: 'in_progress', caller });
  const parts = partsOf([done(0, program), done(1, call), completed()]);
  expect(parts.slice(0, 2)).toEqual([
    { type: 'tool-call', callId: 'call_p', name: 'program', input: { code: 'await read()' }, executedBy: 'provider' },
    { type: 'tool-call', callId: 'call_1', name: 'read', input: { path: 'a' }, executedBy: 'us' },
  ]);
  expect(parts.at(-1)).toMatchObject({ reason: 'tool-calls', state: [program, call] });
});

it('gives the text of a custom call as JSON', () => {
  const custom = (text: string) => ({
    type: 'custom_tool_call',
    id: 'ctc_1',
    call_id: 'call_1',
    name: 'sql',
    input: text,
  });
  const delta = (text: string) => event('custom_tool_call_input.delta', 0, { delta: text });
  const parts = partsOf([
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

it('shows hosted calls, their images and the pages they found', () => {
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
  const annotations = [citation, untitled, citation, { type: 'file_citation' }];
  const tools = [{ type: 'native', name: 'find', definition: { type: 'web_search_preview' } }] as const;
  const parts = partsOf(
    [
      done(0, search),
      done(1, mcp),
      done(2, image),
      textDelta(3, 'x'),
      done(3, messageItem('x', annotations)),
      completed(),
    ],
    tools,
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

it('passes over events that it does not know, and takes text that came in no delta', () => {
  const parts = partsOf([
    event('steer.accepted', 0, {}),
    event('audio.delta', 0, { delta: 'AAAA' }),
    done(0, { type: 'compaction', id: 'cmp_1', encrypted_content: 'c' }),
    done(1, messageItem('Hello')),
    completed(),
  ]);
  expect(parts).toMatchObject([
    { type: 'text-delta', text: 'Hello' },
    { reason: 'stop', state: [{ id: 'cmp_1' }, {}] },
  ]);
});

it('ends once, and drops what comes behind the end', () => {
  const parts = partsOf([completed(messageItem('Hello')), completed(), textDelta(0, 'more')]);
  expect(parts.map(({ type }) => type)).toEqual(['text-delta', 'finish']);
});
