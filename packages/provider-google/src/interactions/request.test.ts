import type { Json, Message, ModelRequest, Part, ToolCallPart, ToolResultPart } from '@utensil/core';
import { describe, expect, it } from 'vitest';
import { interactionsMapper } from './request.ts';

const modelId = 'gemini-3.8-flash';
const unsigned = { type: 'thought', signature: 'skip_thought_signature_validator' };
const read = {
  type: 'function',
  name: 'read',
  description: 'Reads.',
  inputSchema: { type: 'object', properties: {} },
} as const;
const search = { type: 'native', name: 'web', definition: { type: 'google_search' } } as const;
const text = (value: string): Part => ({ type: 'text', text: value });
const call = (callId: string, more: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: 'tool-call',
  callId,
  name: 'read',
  input: { path: callId },
  executedBy: 'us',
  ...more,
});

function message(role: Message['role'], parts: readonly Part[], origin?: Message['origin']): Message {
  return { id: 'm', role, parts, createdAt: 0, ...(origin !== undefined && { origin }) };
}

function answer(callId: string, more: Partial<ToolResultPart> = {}): Message {
  const modelParts = [{ type: 'text', text: `of ${callId}` }] as const;
  return message('tool', [
    { type: 'tool-result', callId, name: 'read', output: '', modelParts, isError: false, ...more },
  ]);
}

function own(parts: readonly Part[], state: Json): Message {
  return message('assistant', parts, { api: 'gemini-interactions', model: modelId, state });
}

function bodyOf(more: Partial<ModelRequest> = {}, { store = false, model = modelId } = {}): Record<string, unknown> {
  const toRequest = interactionsMapper({ modelId: model, store });
  return { ...toRequest({ system: '', messages: [], tools: [], toolChoice: 'auto', ...more }) };
}

const inputOf = (messages: readonly Message[], settings?: object) => bodyOf({ messages }, settings)['input'];
const said = (value: string) => ({ type: 'user_input', content: [{ type: 'text', text: value }] });
const result = (callId: string) => ({
  type: 'function_result',
  call_id: callId,
  name: 'read',
  result: `of ${callId}`,
});

it('sends everything there is to say, and has nothing stored', () => {
  const providerOptions = { generation_config: { temperature: 0 }, stream: false };
  expect(
    bodyOf({
      system: 'Be brief.',
      messages: [message('user', [text('Hi')])],
      tools: [read, search],
      toolChoice: { tool: 'read' },
      maxOutputTokens: 5,
      reasoning: 'low',
      providerOptions,
    }),
  ).toEqual({
    model: modelId,
    input: [said('Hi')],
    system_instruction: 'Be brief.',
    tools: [
      { type: 'function', name: 'read', description: 'Reads.', parameters: { type: 'object', properties: {} } },
      { type: 'google_search' },
    ],
    generation_config: {
      max_output_tokens: 5,
      tool_choice: { allowed_tools: { mode: 'any', tools: ['read'] } },
      thinking_level: 'low',
      thinking_summaries: 'auto',
      temperature: 0,
    },
    store: false,
    stream: true,
  });
  expect(bodyOf()).toEqual({ model: modelId, input: [], store: false, stream: true });
});

it.each([
  ['auto', undefined],
  ['none', 'none'],
  ['required', 'any'],
  [{ tool: 'web' }, 'auto'],
] as const)('says whether to call functions: %j', (toolChoice, expected) => {
  const { generation_config: generation = {} } = bodyOf({ tools: [read, search], toolChoice });
  expect((generation as Record<string, unknown>)['tool_choice']).toBe(expected);
});

it('thinks as little as the model can if it is to think nothing', () => {
  const none = { reasoning: 'none' } as const;
  expect(bodyOf(none)['generation_config']).toEqual({ thinking_level: 'minimal', thinking_summaries: 'none' });
  expect(bodyOf(none, { model: 'gemini-3.1-pro-preview' })['generation_config']).toMatchObject({
    thinking_level: 'low',
  });
});

describe('the history', () => {
  const steps = [
    { type: 'thought', signature: 's1', summary: [{ type: 'text', text: 'Hm.' }] },
    { type: 'function_call', id: 'c1', name: 'read', arguments: { path: '1' }, signature: 's2' },
    { type: 'google_search_call', id: 'g1', arguments: { queries: ['a'] }, signature: 's3' },
    { type: 'function_call', id: 'c2', name: 'read', arguments: {} },
  ];

  it('of its own model goes back unchanged, with the input that ran, and each result by its id', () => {
    const turn = own([call('c1', { input: { path: 'ran' } }), call('c2', { input: {} })], { steps });
    const failed = answer('c2', { isError: true });
    expect(inputOf([message('user', [text('Go')]), turn, answer('c1'), failed])).toEqual([
      said('Go'),
      steps[0],
      { ...steps[1], arguments: { path: 'ran' } },
      steps[2],
      steps[3],
      result('c1'),
      { ...result('c2'), is_error: true },
    ]);
  });

  it('of anybody else is text and calls, before which stands that they are not signed', () => {
    const parts = [{ type: 'reasoning', text: 'Hm.' } as const, text('I look.'), call('toolu_1')];
    const rebuilt = [
      { type: 'model_output', content: [{ type: 'text', text: 'I look.' }] },
      unsigned,
      { type: 'function_call', id: 'toolu_1', name: 'read', arguments: { path: 'toolu_1' } },
    ];
    const origin = { api: 'anthropic-messages', model: 'claude', state: { steps } };
    expect(inputOf([message('assistant', parts, origin)])).toEqual(rebuilt);
    expect(inputOf([message('assistant', parts, { ...origin, api: 'gemini', model: modelId })])).toEqual(rebuilt);
    expect(inputOf([own(parts, { steps: [{ type: 'thought' }] })])).toEqual(rebuilt);
    expect(inputOf([own(parts, { steps: [5] })])).toEqual(rebuilt);
    expect(inputOf([message('assistant', parts, origin)], { model: 'gemini-2.5-pro' })).toEqual(
      rebuilt.filter((step) => step !== unsigned),
    );
  });

  it('has no calls that the message has no more', () => {
    const unsignedSteps = steps
      .slice(1, 2)
      .concat(steps.slice(3))
      .map(({ signature: _, ...step }) => step);
    const turn = own([call('c2', { input: {} })], { steps: unsignedSteps });
    expect(inputOf([turn])).toEqual([unsigned, steps[3]]);
    expect(inputOf([own([call('c2', { input: {} })], { steps })])).toEqual([steps[0], steps[2], steps[3]]);
  });

  it('is named if Google keeps it, and then only what is new is sent', () => {
    const turn = own([call('c1')], { id: 'v1_abc', steps: steps.slice(0, 2) });
    const messages = [message('user', [text('Go')]), turn, answer('c1')];
    expect(bodyOf({ messages }, { store: true })).toMatchObject({
      previous_interaction_id: 'v1_abc',
      input: [result('c1')],
      store: true,
    });
    expect(bodyOf({ messages: [messages[0] as Message] }, { store: true })).toMatchObject({ input: [said('Go')] });
    expect(bodyOf({ messages })).not.toHaveProperty('previous_interaction_id');
    expect(inputOf(messages)).toHaveLength(4);
  });

  it('shows files, in results too, and has nothing empty', () => {
    const parts = [
      { type: 'image', mediaType: 'image/png', data: 'iVBO' },
      { type: 'file', mediaType: 'application/pdf', url: 'https://example.com/a.pdf' },
      { type: 'file', mediaType: 'video/mp4', data: 'AAAA' },
      { type: 'file', mediaType: 'application/json', name: 'a.json', data: btoa('{}') },
      { type: 'file', mediaType: 'application/zip', data: 'UEsD' },
      { type: 'audio', mediaType: 'audio/wav', name: 'a.wav', data: 'UklGRg==' },
      { type: 'audio', mediaType: 'text/html', data: 'PGI+' },
      { type: 'audio', mediaType: 'audio/wav', data: '' },
      { type: 'resource-link', uri: 'javascript:alert(1)\u202e\n', name: 'a"\n', size: 9 },
    ] as const;
    const content = [
      { type: 'image', mime_type: 'image/png', data: 'iVBO' },
      { type: 'document', mime_type: 'application/pdf', uri: 'https://example.com/a.pdf' },
      { type: 'video', mime_type: 'video/mp4', data: 'AAAA' },
      { type: 'text', text: 'a.json:\n{}' },
      { type: 'text', text: '[File (application/zip, 3 bytes), not shown to this model]' },
      { type: 'audio', mime_type: 'audio/wav', data: 'UklGRg==' },
      { type: 'text', text: '[Audio (text/html, 3 bytes), not shown to this model]' },
      { type: 'text', text: '[Audio (audio/wav, 0 bytes), not shown to this model]' },
      { type: 'text', text: '[Resource link "a\\"" (9 bytes) at javascript:alert(1)%E2%80%AE%0A, not loaded]' },
    ];
    expect(inputOf([message('user', parts), answer('c1', { modelParts: parts })])).toMatchObject([
      { content },
      { result: content },
    ]);
    const nothing = [{ type: 'text', text: '(empty)' }];
    const empty = answer('c1', { modelParts: [{ type: 'text', text: '' }] });
    expect(inputOf([message('user', []), message('assistant', [text('')]), empty])).toMatchObject([
      { content: nothing },
      { result: nothing },
    ]);
  });
});

it('a call goes back by the name that the model wrote, if it is a former one of the tool', () => {
  const turn = message('assistant', [call('c1', { calledAs: 'look' })]);
  const sent = JSON.stringify(inputOf([turn, answer('c1', { calledAs: 'look' })]));
  expect(sent.match(/"name":"look"/g)).toHaveLength(2);
  expect(sent).not.toContain('read');
});
