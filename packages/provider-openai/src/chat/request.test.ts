import type { FunctionDefinition, Message, ModelRequest, Part, ToolDefinition } from '@utensil/core';
import { describe, expect, it } from 'vitest';
import { type ChatSettings, chatMapper } from './request.ts';

const modelId = 'gpt-4.1';
const request: ModelRequest = { system: '', messages: [], tools: [], toolChoice: 'auto' };
const streamed = { stream_options: { include_usage: true }, stream: true };

const map = (asked: Partial<ModelRequest>) => chatMapper({ modelId })({ ...request, ...asked });
const message = (role: Message['role'], parts: readonly Part[], more: Partial<Message> = {}): Message => ({
  id: 'm',
  role,
  parts,
  createdAt: 0,
  ...more,
});
const text = (said: string): Part => ({ type: 'text', text: said });
const call = (callId: string, input: object = {}, more: object = {}): Part =>
  ({ type: 'tool-call', callId, name: 'read', input, executedBy: 'us', ...more }) as Part;
const answer = (callId: string, ...modelParts: readonly Part[]) =>
  message('tool', [{ type: 'tool-result', callId, name: 'read', output: null, modelParts, isError: false } as Part]);
const messagesOf = (...messages: readonly Message[]) => map({ messages }).messages;

const read: FunctionDefinition = {
  type: 'function',
  name: 'read',
  description: 'Reads.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
};
const readTool = { type: 'function', function: { name: 'read', description: 'Reads.', parameters: read.inputSchema } };

describe('the body', () => {
  it('has nothing that was not asked for, in a fixed order', () => {
    const full = map({ system: 'Be brief.', messages: [message('user', [text('Hi')])], tools: [read] });
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ];
    expect(JSON.stringify(full)).toBe(JSON.stringify({ model: modelId, messages, tools: [readTool], ...streamed }));
    expect(JSON.stringify(map({ toolChoice: 'required', parallel: false }))).toBe(
      JSON.stringify({ model: modelId, messages: [], ...streamed }),
    );
  });

  it('carries every setting of the request, and the options of the provider last', () => {
    const body = map({
      tools: [read],
      toolChoice: { tool: 'read' },
      parallel: false,
      maxOutputTokens: 99,
      providerOptions: { temperature: 0, stream: false, stream_options: { include_usage: false } },
    });
    expect(body).toEqual({
      model: modelId,
      messages: [],
      tools: [readTool],
      tool_choice: { type: 'function', function: { name: 'read' } },
      parallel_tool_calls: false,
      max_completion_tokens: 99,
      temperature: 0,
      stream: true,
      stream_options: { include_usage: false },
    });
  });

  it('writes examples into the description, and native definitions unchanged', () => {
    const definition = { type: 'custom', custom: { name: 'sql' } };
    const tools: ToolDefinition[] = [
      { ...read, examples: [{ path: 'a' }] },
      { type: 'native', name: 'sql', definition },
    ];
    const body = map({ tools, toolChoice: { tool: 'sql' } });
    expect(body.tools?.[0]).toMatchObject({ function: { description: 'Reads.\n\nExamples of input:\n{"path":"a"}' } });
    expect(body.tools?.[1]).toBe(definition);
    expect(body.tool_choice).toEqual({ type: 'custom', custom: { name: 'sql' } });
  });
});

it.each([
  ['gpt-4.1', 'high', undefined],
  ['o3', 'none', 'low'],
  ['gpt-5-mini', 'none', 'low'],
  ['gpt-5.6', 'none', 'none'],
  ['some-model', 'high', 'high'],
] as const)('asks %s for the effort %s as %s', (id, reasoning, effort) => {
  expect(chatMapper({ modelId: id })({ ...request, reasoning }).reasoning_effort).toBe(effort);
});

describe('messages', () => {
  it('carry text, images and files of the user', () => {
    const parts: Part[] = [
      text('Look:'),
      { type: 'image', mediaType: 'image/png', data: 'aW1n' },
      { type: 'file', mediaType: 'application/pdf', name: 'a.pdf', data: 'cGRm' },
      { type: 'file', mediaType: 'application/pdf', name: 'b.pdf', url: 'https://a.example/b.pdf' },
      { type: 'file', mediaType: 'text/csv', name: 'c.csv', data: 'w6QsYg==' },
      { type: 'file', mediaType: 'application/json', data: 'not base64!' },
      { type: 'image', mediaType: 'image/svg+xml', url: 'https://a.example/c.svg' },
      { type: 'audio', mediaType: 'audio/wav', name: 'a.wav', data: 'UklGRg==' },
      { type: 'audio', mediaType: 'text/html', data: 'PGI+' },
      { type: 'audio', mediaType: 'audio/wav', data: '' },
      { type: 'resource-link', uri: 'javascript:alert(1)\u202e\n', name: 'a"\n', size: 9 },
    ];
    expect(messagesOf(message('user', parts))).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aW1n' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,cGRm' } },
          {
            type: 'text',
            text: '[File "b.pdf" (application/pdf) at https://a.example/b.pdf, not shown to this model]',
          },
          { type: 'text', text: 'c.csv:\nä,b' },
          { type: 'text', text: '[File (application/json, 8 bytes), not shown to this model]' },
          { type: 'text', text: '[Image (image/svg+xml) at https://a.example/c.svg, not shown to this model]' },
          { type: 'text', text: '[Audio "a.wav" (audio/wav, 4 bytes), not shown to this model]' },
          { type: 'text', text: '[Audio (text/html, 3 bytes), not shown to this model]' },
          { type: 'text', text: '[Audio (audio/wav, 0 bytes), not shown to this model]' },
          { type: 'text', text: '[Resource link "a\\"" (9 bytes) at javascript:alert(1)%E2%80%AE%0A, not loaded]' },
        ],
      },
    ]);
  });

  it.each<[string, Partial<ChatSettings>, boolean]>([
    ['gpt-audio', {}, true],
    ['gpt-4.1', {}, false],
    ['gpt-4.1', { audioInput: true }, true],
    ['gpt-audio', { audioInput: false }, false],
  ])('have recordings as such for %s with %j: %s', (id, settings, hears) => {
    const wav: Part = { type: 'audio', mediaType: 'audio/x-wav', data: 'UklGRg==' };
    const parts: Part[] = [
      wav,
      { type: 'file', mediaType: 'audio/mpeg', data: 'SUQz' },
      { type: 'audio', mediaType: 'audio/ogg', data: 'T2dn' },
      { type: 'audio', mediaType: 'audio/wav', data: 'no base64' },
      { type: 'audio', mediaType: 'audio/wav', url: 'https://a.example/a.wav' },
    ];
    const messages = [message('user', parts), message('assistant', [call('c1')]), answer('c1', text('Hear:'), wav)];
    const { messages: sent } = chatMapper({ modelId: id, ...settings })({ ...request, messages });
    const heard = { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } };
    const asMp3 = { type: 'input_audio', input_audio: { data: 'SUQz', format: 'mp3' } };
    const words = { type: 'text', text: expect.stringMatching(/^\[(?:Audio|File) \(.*not shown to this model\]$/) };
    expect(sent[0]?.content).toEqual([...(hears ? [heard, asMp3] : [words, words]), words, words, words]);
    const [, , result, behind] = sent;
    expect(result?.content).toBe(
      `Hear:\n${hears ? '[audio in the next message]' : '[Audio (audio/x-wav, 4 bytes), not shown to this model]'}`,
    );
    expect(behind?.content).toEqual(
      hears ? [{ type: 'text', text: 'From the result of read (call c1):' }, heard] : undefined,
    );
  });

  it('of the model have null if there are calls and no text, and no reasoning', () => {
    const calls = [
      call('c1', { path: 'a' }),
      call('c2', {}, { invalidInput: '{"a' }),
      call('s', {}, { executedBy: 'provider' }),
    ];
    const tool_calls = [
      { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
      { id: 'c2', type: 'function', function: { name: 'read', arguments: '{}' } },
    ];
    const thought: Part = { type: 'reasoning', text: 'Hm.' };
    expect(
      messagesOf(
        message('assistant', [thought, ...calls]),
        message('assistant', [text('I '), text('look.'), ...calls]),
        message('assistant', [text('Done.')]),
        message('assistant', [thought]),
      ),
    ).toEqual([
      { role: 'assistant', content: null, tool_calls },
      { role: 'assistant', content: 'I look.', tool_calls },
      { role: 'assistant', content: 'Done.' },
    ]);
  });

  it('are never an empty list, nor have a name, an id or a character that the API refuses', () => {
    const long = `call_${'x'.repeat(40)}1`;
    const odd = call(long, { path: 'a\ud83d' }, { name: 'functions.read file' });
    const asked = [
      message('user', []),
      message('assistant', []),
      message('assistant', [odd]),
      answer(long, text('\udc00b')),
    ];
    expect(map({ system: '\ud800 x', messages: asked }).messages).toEqual([
      { role: 'system', content: '\ufffd x' },
      { role: 'user', content: '' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: long.slice(-40),
            type: 'function',
            function: { name: 'functions_read_file_1df0f50a', arguments: '{"path":"a\ufffd"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: long.slice(-40), content: '\ufffdb' },
    ]);
  });

  it('of tools are one per result; parts other than text follow all of them', () => {
    const image: Part = { type: 'image', mediaType: 'image/png', data: 'aW1n' };
    const file: Part = { type: 'file', mediaType: 'application/pdf', data: 'cGRm' };
    const messages = [
      message('assistant', [call('c1'), call('c2'), call('c3')]),
      answer('c1', text('Here:'), image),
      answer('c2', text('Tool execution failed: no')),
      answer('c3', file),
    ];
    const results = [
      { role: 'tool', tool_call_id: 'c1', content: 'Here:\n[image in the next message]' },
      { role: 'tool', tool_call_id: 'c2', content: 'Tool execution failed: no' },
      { role: 'tool', tool_call_id: 'c3', content: '[file in the next message]' },
    ];
    const media = {
      role: 'user',
      content: [
        { type: 'text', text: 'From the result of read (call c1):' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,aW1n' } },
        { type: 'text', text: 'From the result of read (call c3):' },
        { type: 'file', file: { filename: 'file', file_data: 'data:application/pdf;base64,cGRm' } },
      ],
    };
    expect(messagesOf(...messages).slice(1)).toEqual([...results, media]);
    expect(messagesOf(...messages, message('user', [text('Go on.')])).slice(1)).toEqual([
      ...results,
      media,
      { role: 'user', content: 'Go on.' },
    ]);
  });
});

it('maps each message and each array of tools once', () => {
  const toRequest = chatMapper({ modelId });
  const messages = [message('user', [text('Hi')]), message('assistant', [call('c1')]), answer('c1', text('x'))];
  const tools = [read];
  const first = toRequest({ ...request, messages, tools });
  const second = toRequest({
    ...request,
    system: 'New.',
    messages: [...messages, message('user', [text('More')])],
    tools,
  });
  for (const [index, item] of first.messages.entries()) expect(second.messages[index + 1]).toBe(item);
  expect(second.tools).toBe(first.tools);
});

it('a call goes back by the name that the model wrote, if it is a former one of the tool', () => {
  const sent = JSON.stringify(messagesOf(message('assistant', [call('c1', {}, { calledAs: 'look' })])));
  expect(sent).toContain('"name":"look"');
  expect(sent).not.toContain('read');
});
