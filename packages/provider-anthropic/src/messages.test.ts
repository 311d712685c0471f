import type { ContentPart, Json, Message, Part, ToolCallPart, ToolResultPart } from '@utensil/core';
import { describe, expect, it } from 'vitest';
import * as programs from './programs.ts';
import { toRequest } from './request.ts';

const modelId = 'claude-sonnet-5-5';
const user = (...parts: Part[]) => message('user', parts);
const text = (value: string): Part => ({ type: 'text', text: value });
const call = (callId: string, more: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: 'tool-call',
  callId,
  name: 'read',
  input: { path: callId },
  executedBy: 'us',
  ...more,
});
const answer = (callId: string, more: Partial<ToolResultPart> = {}) =>
  message('tool', [
    {
      type: 'tool-result',
      callId,
      name: 'read',
      output: '',
      modelParts: [{ type: 'text', text: `of ${callId}` }],
      isError: false,
      ...more,
    },
  ]);

function message(role: Message['role'], parts: readonly Part[], origin?: Message['origin']): Message {
  return { id: 'm', role, parts, createdAt: 0, ...(origin !== undefined && { origin }) };
}

function fromUs(parts: readonly Part[], state: Json, model = modelId): Message {
  return message('assistant', parts, { api: 'anthropic-messages', model, state });
}

function mapped(...messages: Message[]): unknown {
  return toRequest({ system: '', messages, tools: [], toolChoice: 'auto' }, { modelId }).messages;
}

it('answers parallel calls in one message, in order and before any text', () => {
  const turn = message('assistant', [text('Both.'), call('c1'), call('c2')]);
  const failed = answer('c2', { isError: true });
  expect(mapped(user(text('Go')), turn, answer('c1'), failed, user(text('And?')))).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Go' }] },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Both.' },
        { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'c1' } },
        { type: 'tool_use', id: 'c2', name: 'read', input: { path: 'c2' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c1', content: 'of c1' },
        { type: 'tool_result', tool_use_id: 'c2', content: 'of c2', is_error: true },
        { type: 'text', text: 'And?' },
      ],
    },
  ]);
});

it('shows images and documents, in results too, and describes everything else', () => {
  const parts = [
    { type: 'image', mediaType: 'image/png', data: 'iVBO' },
    { type: 'file', mediaType: 'image/webp', url: 'https://example.com/a.webp' },
    { type: 'file', mediaType: 'application/pdf', name: 'a.pdf', data: 'JVBE' },
    { type: 'file', mediaType: 'application/pdf', url: 'https://example.com/a.pdf' },
    { type: 'file', mediaType: 'text/csv', name: 'a.csv', data: btoa('a,b') },
    { type: 'file', mediaType: 'application/json', data: 'not base64!' },
    { type: 'image', mediaType: 'image/svg+xml', url: 'https://example.com/a.svg' },
    { type: 'file', mediaType: 'application/zip', name: 'a.zip', data: 'UEsD' },
    { type: 'audio', mediaType: 'audio/wav', name: 'a.wav', data: 'UklGRg==' },
    { type: 'audio', mediaType: 'text/html', data: 'PGI+' },
    { type: 'image', mediaType: 'image/png', data: 'not base64' },
    { type: 'resource-link', uri: 'javascript:alert(1)\u202e\n', name: 'a"\n', size: 9 },
  ] as const;
  const blocks = [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } },
    { type: 'image', source: { type: 'url', url: 'https://example.com/a.webp' } },
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' }, title: 'a.pdf' },
    { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a,b' }, title: 'a.csv' },
    { type: 'text', text: '[File (application/json, 8 bytes), not shown to this model]' },
    { type: 'text', text: '[Image (image/svg+xml) at https://example.com/a.svg, not shown to this model]' },
    { type: 'text', text: '[File "a.zip" (application/zip, 3 bytes), not shown to this model]' },
    { type: 'text', text: '[Audio "a.wav" (audio/wav, 4 bytes), not shown to this model]' },
    { type: 'text', text: '[Audio (text/html, 3 bytes), not shown to this model]' },
    { type: 'text', text: '[Image (image/png, 7 bytes), not shown to this model]' },
    { type: 'text', text: '[Resource link "a\\"" (9 bytes) at javascript:alert(1)%E2%80%AE%0A, not loaded]' },
  ];
  expect(mapped(user(...parts))).toEqual([{ role: 'user', content: blocks }]);
  expect(mapped(answer('c1', { modelParts: parts }))).toEqual([
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: blocks }] },
  ]);
});

it('sends no blank text and nothing empty', () => {
  const blank = message('assistant', [text(' \n'), { type: 'reasoning', text: 'Hm.' }]);
  expect(
    mapped(user(text('')), blank, answer('c1', { modelParts: [{ type: 'text', text: '' }], isError: true })),
  ).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: '(empty)' },
        { type: 'tool_result', tool_use_id: 'c1', content: '(empty)', is_error: true },
      ],
    },
  ]);
});

it('sends no half of a surrogate pair, for which the API refuses the request', () => {
  const messages = [user(text('a\ud83d')), message('assistant', [call('c1', { input: { path: '\udc00' } })])];
  const body = toRequest({ system: '\ud800.', messages, tools: [], toolChoice: 'auto' }, { modelId });
  expect(body).toMatchObject({
    system: [{ text: '\ufffd.' }],
    messages: [{ content: [{ text: 'a\ufffd' }] }, { content: [{ input: { path: '\ufffd' } }] }],
  });
});

it('takes over the history of another provider', () => {
  const odd = { name: 'functions.read file', callId: 'call|1/ä' };
  const parts: Part[] = [
    { type: 'reasoning', text: 'I should look.' },
    text('Looking.'),
    { type: 'source', url: 'https://example.com' },
    call('ws_1', { name: 'web_search', executedBy: 'provider' }),
    { type: 'file', mediaType: 'image/png', data: 'iVBO' },
    call(odd.callId, { name: odd.name }),
  ];
  const foreign = message('assistant', parts, {
    api: 'openai-responses',
    model: 'gpt',
    state: { content: [{ type: 'reasoning' }] },
  });
  expect(mapped(foreign, answer(odd.callId))).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Looking.' },
        { type: 'text', text: '[File (image/png, 3 bytes), not shown to this model]' },
        { type: 'tool_use', id: 'call_1__', name: 'functions_read_file_1df0f50a', input: { path: odd.callId } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1__', content: `of ${odd.callId}` }] },
  ]);
});

describe('what the API wants back', () => {
  const thinking = { type: 'thinking', thinking: '', signature: 'sig==' };
  const redacted = { type: 'redacted_thinking', data: 'enc' };
  const server = {
    type: 'server_tool_use',
    id: 'srv1',
    name: 'web_search',
    input: { query: 'x' },
    caller: { type: 'direct' },
  };
  const result = { type: 'web_search_tool_result', tool_use_id: 'srv1', content: [{ encrypted_content: 'e' }] };
  const use = {
    type: 'tool_use',
    id: 'c1',
    name: 'read',
    caller: { type: 'code_execution_20260120', tool_id: 'srv1' },
  };
  const state = { content: [thinking, redacted, server, result, { type: 'text', text: '' }, use] };
  const contentOf = (value: unknown) => JSON.stringify((value as { content: unknown }[])[0]?.content);

  it('comes back untouched and in order, with the input of the call', () => {
    const expected = [thinking, redacted, server, result, { ...use, input: { path: 'c1' } }];
    expect(contentOf(mapped(fromUs([call('c1')], state)))).toBe(JSON.stringify(expected));
  });

  it('has the input as it was executed, and the text of a model that wrote no JSON', () => {
    const inputs = [call('c1', { input: { path: 'mended' } }), call('c1', { input: {}, invalidInput: '{"path' })].map(
      (part) => mapped(fromUs([part], { content: [use] })),
    );
    expect(inputs).toMatchObject([
      [{ content: [{ input: { path: 'mended' } }] }],
      [{ content: [{ input: { INVALID_JSON: '{"path' } }] }],
    ]);
  });

  it('is the parts if a call of the message has no block', () => {
    const parts = [text('a'), call('c1'), call('c2')];
    expect(contentOf(mapped(fromUs(parts, { content: [thinking, use] })))).toBe(
      JSON.stringify([
        { type: 'text', text: 'a' },
        { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'c1' } },
        { type: 'tool_use', id: 'c2', name: 'read', input: { path: 'c2' } },
      ]),
    );
  });

  it('is without thinking for another model, and without calls that are no longer in the message', () => {
    expect(contentOf(mapped(fromUs([], state, 'claude-opus-5')))).toBe(JSON.stringify([server, result]));
  });

  it('is without thinking that was truncated', () => {
    const cut = {
      content: [
        { ...thinking, signature: '' },
        { type: 'text', text: 'a' },
      ],
    };
    expect(contentOf(mapped(fromUs([], cut)))).toBe('[{"type":"text","text":"a"}]');
  });

  it.each([undefined, null, 'x', {}, { content: 'x' }])('is the parts where the state is %j', (unknown) => {
    const turn = message('assistant', [text('a')], {
      api: 'anthropic-messages',
      model: modelId,
      state: unknown as Json,
    });
    expect(contentOf(mapped(turn))).toBe('[{"type":"text","text":"a"}]');
  });
});

it('joins a paused turn with what follows it, and ends no request in white space', () => {
  const paused = message('assistant', [text('One, ')]);
  expect(mapped(paused, message('assistant', [text('two. \n')]))).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'One, ' },
        { type: 'text', text: 'two.' },
      ],
    },
  ]);
  expect(mapped(paused, user(text('Go')))).toMatchObject([{ content: [{ text: 'One, ' }] }, {}]);
});

it('gives code the results of its calls as text alone', () => {
  const use = { type: 'tool_use', id: 'c1', name: 'read', caller: { type: 'code_execution_20260120', tool_id: 's' } };
  const picture: ContentPart = { type: 'image', mediaType: 'image/png', data: 'AAAA' };
  const turn = fromUs([call('c1'), call('c2')], { content: [use, { ...use, id: 'c2', caller: { type: 'direct' } }] });
  const both: readonly ContentPart[] = [{ type: 'text', text: 'seen' }, picture];
  const results = message('tool', [
    { type: 'tool-result', callId: 'c1', name: 'read', output: null, modelParts: both, isError: false },
    { type: 'tool-result', callId: 'c2', name: 'read', output: null, modelParts: both, isError: false },
  ]);
  const request = { system: '', messages: [turn, results], tools: [], toolChoice: 'auto' } as const;
  const [, { content } = { content: [] }] = toRequest(request, { modelId, programs }).messages as {
    content: { content: { type: string }[] }[];
  }[];
  expect(content.map((each) => each.content.map(({ type }) => type))).toEqual([
    ['text', 'text'],
    ['text', 'image'],
  ]);
});

it('names the container of the exchange that is going on, and of no earlier one', () => {
  const inContainer = fromUs([call('c1')], {
    content: [{ type: 'tool_use', id: 'c1', name: 'read' }],
    container: 'box_1',
  });
  const containerOf = (...messages: Message[]) =>
    toRequest({ system: '', messages, tools: [], toolChoice: 'auto' }, { modelId }).container;
  expect(containerOf(user(text('Go')), inContainer, answer('c1'))).toBe('box_1');
  expect(containerOf(user(text('Go')), inContainer, answer('c1'), user(text('Next')))).toBeUndefined();
});

it('a call goes back by the name that the model wrote, if it is a former one of the tool', () => {
  const turn = message('assistant', [call('c1', { calledAs: 'look' })]);
  const sent = JSON.stringify(mapped(user(text('Go.')), turn, answer('c1', { calledAs: 'look' })));
  expect(sent).toContain('"name":"look"');
  expect(sent).not.toContain('read');
});
