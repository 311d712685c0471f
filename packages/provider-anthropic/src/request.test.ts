import type { FunctionDefinition, Message, ModelRequest, ToolDefinition } from '@utensil/core';
import { describe, expect, it } from 'vitest';
import { requestMemory, toRequest } from './request.ts';

const hello: Message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hello' }], createdAt: 0 };
const modelId = 'claude-sonnet-5-5';
const read: FunctionDefinition = {
  type: 'function',
  name: 'read',
  description: 'Reads.',
  inputSchema: { type: 'object', properties: {} },
};
const bare: ModelRequest = { system: '', messages: [hello], tools: [], toolChoice: 'auto' };
const marked = { cache_control: { type: 'ephemeral' } };

it('makes the whole body, with the prefix and the end marked for the cache', () => {
  const examples = [{ path: 'a.txt' }];
  const native: ToolDefinition = {
    type: 'native',
    name: 'memory',
    definition: { type: 'memory_20250818', name: 'memory' },
  };
  const tools = [native, { ...read, examples }];
  expect(toRequest({ ...bare, system: 'Be brief.', tools, parallel: false }, { modelId })).toEqual({
    model: 'claude-sonnet-5-5',
    max_tokens: 32_000,
    stream: true,
    system: [{ type: 'text', text: 'Be brief.', ...marked }],
    tools: [
      { type: 'memory_20250818', name: 'memory' },
      {
        name: 'read',
        description: 'Reads.',
        input_schema: { type: 'object', properties: {} },
        input_examples: [{ path: 'a.txt' }],
        ...marked,
      },
    ],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    ...marked,
  });
});

it('leaves out what there is none of', () => {
  expect(toRequest({ ...bare, system: ' ', toolChoice: 'required' }, { modelId, cache: false })).toEqual({
    model: modelId,
    max_tokens: 32_000,
    stream: true,
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  });
  expect(toRequest({ ...bare, system: 'Hi.' }, { modelId, cache: false }).system).toBe('Hi.');
});

it('takes the limit of the request, else of the model, and the options of the vendor last of all', () => {
  expect(toRequest(bare, { modelId, maxOutputTokens: 9 }).max_tokens).toBe(9);
  expect(toRequest({ ...bare, maxOutputTokens: 8 }, { modelId, maxOutputTokens: 9 }).max_tokens).toBe(8);
  const providerOptions = { max_tokens: 7, service_tier: 'standard_only' };
  const asked = { ...bare, maxOutputTokens: 8, providerOptions: { ...providerOptions, stream: false } };
  expect(toRequest(asked, { modelId })).toMatchObject({ ...providerOptions, stream: true });
});

it.each([
  ['auto', true, undefined],
  ['auto', false, { type: 'auto', disable_parallel_tool_use: true }],
  ['none', false, { type: 'none' }],
  ['required', true, { type: 'any' }],
  ['required', false, { type: 'any', disable_parallel_tool_use: true }],
  [{ tool: 'read' }, true, { type: 'tool', name: 'read' }],
  [{ tool: 'read' }, false, { type: 'tool', name: 'read', disable_parallel_tool_use: true }],
] as const)('chooses tools: %j, parallel %j', (toolChoice, parallel, expected) => {
  expect(toRequest({ ...bare, tools: [read], toolChoice, parallel }, { modelId }).tool_choice).toEqual(expected);
});

describe('reasoning', () => {
  const adaptive = { type: 'adaptive', display: 'summarized' };
  it.each([
    ['claude-sonnet-5-5', undefined, undefined, undefined],
    ['claude-sonnet-5-5', 'none', { type: 'disabled' }, undefined],
    ['claude-sonnet-5-5', 'low', adaptive, { effort: 'low' }],
    ['claude-opus-4-6', 'high', adaptive, { effort: 'high' }],
    ['claude-mythos-5-2', 'none', adaptive, { effort: 'low' }],
    ['claude-fable-5', 'medium', adaptive, { effort: 'medium' }],
    ['claude-haiku-4-5-20251001', 'medium', { type: 'enabled', budget_tokens: 8_192 }, undefined],
    ['claude-opus-4-5', 'none', { type: 'disabled' }, undefined],
  ] as const)('%s, %s', (model, reasoning, thinking, output_config) => {
    const body = toRequest({ ...bare, ...(reasoning !== undefined && { reasoning }) }, { modelId: model });
    expect([body.thinking, body.output_config]).toEqual([thinking, output_config]);
  });

  it('keeps a budget below the limit, and gives none if a tool is forced or too little is left', () => {
    const settings = { modelId: 'claude-sonnet-4-5' };
    const request: ModelRequest = { ...bare, reasoning: 'high', tools: [read] };
    expect(toRequest({ ...request, maxOutputTokens: 2_000 }, settings).thinking).toMatchObject({
      budget_tokens: 1_999,
    });
    expect(toRequest({ ...request, maxOutputTokens: 1_000 }, settings).thinking).toBeUndefined();
    expect(toRequest({ ...request, toolChoice: 'required' }, settings).thinking).toBeUndefined();
  });
});

it('maps tools and messages once', () => {
  const memory = requestMemory();
  const tools = [read];
  const first = toRequest({ ...bare, tools }, { modelId }, memory);
  const second = toRequest({ ...bare, tools, messages: [hello, { ...hello, role: 'assistant' }] }, { modelId }, memory);
  expect(second.tools).toBe(first.tools);
  expect(second.messages[0]?.content).toBe(first.messages[0]?.content);
  expect(JSON.stringify(toRequest({ ...bare, tools }, { modelId }))).toBe(JSON.stringify(first));
});
