import type { FunctionDefinition, Message, ModelRequest, Part, ToolDefinition } from '@utensil/core';
import { describe, expect, it } from 'vitest';
import { type Capabilities, chatMapper } from './request.ts';

const modelId = 'qwen3';
const request: ModelRequest = { system: '', messages: [], tools: [], toolChoice: 'auto' };
const all: Capabilities = new Set(['completion', 'tools', 'vision', 'thinking']);
const none: Capabilities = new Set(['completion']);

const map = (asked: Partial<ModelRequest>, capabilities = all) =>
  chatMapper({ modelId })({ ...request, ...asked }, capabilities);
const message = (role: Message['role'], parts: readonly Part[], more: Partial<Message> = {}): Message => ({
  id: 'm',
  role,
  parts,
  createdAt: 0,
  ...more,
});
const text = (said: string): Part => ({ type: 'text', text: said });
const call = (callId: string, input: object = {}): Part =>
  ({ type: 'tool-call', callId, name: 'read', input, executedBy: 'us' }) as Part;
const answer = (callId: string, ...modelParts: readonly Part[]) =>
  message('tool', [{ type: 'tool-result', callId, name: 'read', output: null, modelParts, isError: false } as Part]);
const image: Part = { type: 'image', mediaType: 'image/png', data: 'aW1n' };
const messagesOf = (messages: readonly Message[], capabilities = all) => map({ messages }, capabilities).messages;

const read: FunctionDefinition = {
  type: 'function',
  name: 'read',
  description: 'Reads.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
};
const now: FunctionDefinition = { ...read, name: 'now', inputSchema: { type: 'object' } };
const readTool = { type: 'function', function: { name: 'read', description: 'Reads.', parameters: read.inputSchema } };

describe('the body', () => {
  it('has nothing that was not asked for, in a fixed order', () => {
    const full = map({ system: 'Be brief.', messages: [message('user', [text('Hi')])], tools: [read] });
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ];
    expect(JSON.stringify(full)).toBe(JSON.stringify({ model: modelId, messages, tools: [readTool], stream: true }));
    expect(JSON.stringify(map({ toolChoice: 'required', parallel: false }))).toBe(
      JSON.stringify({ model: modelId, messages: [], stream: true }),
    );
  });

  it('carries limits as options of the model, and those of the provider last', () => {
    const options = { temperature: 0, num_predict: 7 };
    const providerOptions = { keep_alive: '5m', options, stream: false };
    const body = chatMapper({ modelId, contextWindow: 32_768 })(
      { ...request, maxOutputTokens: 99, providerOptions },
      all,
    );
    expect(body).toEqual({
      model: modelId,
      messages: [],
      keep_alive: '5m',
      options: { num_ctx: 32_768, num_predict: 7, temperature: 0 },
      stream: true,
    });
  });

  it('writes examples into the description, and native definitions unchanged', () => {
    const definition = { type: 'function', function: { name: 'own' } };
    const tools: ToolDefinition[] = [
      { ...read, examples: [{ path: 'a' }] },
      { type: 'native', name: 'own', definition },
    ];
    expect(map({ tools }).tools).toMatchObject([
      { function: { description: 'Reads.\n\nExamples of input:\n{"path":"a"}' } },
      definition,
    ]);
  });

  it('asks in words for settings without a field in the API, and omits tools that must not be called', () => {
    const tools = [now, read];
    const asked = (more: Partial<ModelRequest>) => {
      const body = map({ tools, ...more });
      return [body.messages[0]?.content, body.tools?.map((tool) => tool.function.name)];
    };
    expect(asked({ system: 'Hi.', toolChoice: 'none', parallel: false })).toEqual(['Hi.', undefined]);
    expect(asked({ toolChoice: 'required' })).toEqual(['Answer with a call of one of your tools.', ['now', 'read']]);
    expect(asked({ system: 'Hi.', toolChoice: { tool: 'read' }, parallel: false })).toEqual([
      'Hi.\n\nAnswer with a call of the tool read.\n\nCall one tool at a time.',
      ['read'],
    ]);
  });
});

it.each([
  ['qwen3', undefined, all, undefined],
  ['qwen3', 'none', all, false],
  ['qwen3', 'high', all, true],
  ['qwen3', 'high', undefined, true],
  ['qwen3', 'high', none, undefined],
  ['gpt-oss:20b', 'medium', all, 'medium'],
  ['gpt-oss:20b', 'none', all, 'low'],
] as const)('asks %s for the reasoning %s as it can', (id, reasoning, capabilities, think) => {
  const asked = { ...request, ...(reasoning && { reasoning }) };
  expect(chatMapper({ modelId: id })(asked, capabilities).think).toBe(think);
});

describe('messages', () => {
  it('carry text, images and files of the user', () => {
    const parts: Part[] = [
      text('Look:'),
      image,
      { type: 'image', mediaType: 'image/png', url: 'https://a.example/b.png' },
      { type: 'file', mediaType: 'application/pdf', name: 'a.pdf', data: 'cGRm' },
      { type: 'file', mediaType: 'text/csv', name: 'c.csv', data: 'w6QsYg==' },
      { type: 'file', mediaType: 'application/json', data: 'not base64!' },
      { type: 'image', mediaType: 'image/png', data: 'not base64!' },
      { type: 'audio', mediaType: 'audio/wav', name: 'a.wav', data: 'UklGRg==' },
      { type: 'audio', mediaType: 'text/html', data: 'PGI+' },
      { type: 'audio', mediaType: 'audio/wav', data: '' },
      { type: 'resource-link', uri: 'javascript:alert(1)\u202e\n', name: 'a"\n', size: 9 },
    ];
    const told = [
      '[Image (image/png) at https://a.example/b.png, not shown to this model]',
      '[File "a.pdf" (application/pdf, 3 bytes), not shown to this model]',
      'c.csv:\nä,b',
      '[File (application/json, 8 bytes), not shown to this model]',
      '[Image (image/png, 8 bytes), not shown to this model]',
      '[Audio "a.wav" (audio/wav, 4 bytes), not shown to this model]',
      '[Audio (text/html, 3 bytes), not shown to this model]',
      '[Audio (audio/wav, 0 bytes), not shown to this model]',
      '[Resource link "a\\"" (9 bytes) at javascript:alert(1)%E2%80%AE%0A, not loaded]',
    ];
    expect(messagesOf([message('user', parts)])).toEqual([
      { role: 'user', content: ['Look:', ...told].join('\n\n'), images: ['aW1n'] },
    ]);
    expect(messagesOf([message('user', parts)], none)).toEqual([
      {
        role: 'user',
        content: ['Look:', '[Image (image/png, 3 bytes), not shown to this model]', ...told].join('\n\n'),
      },
    ]);
  });

  it('of the model include its reasoning, if this model wrote it', () => {
    const parts: Part[] = [{ type: 'reasoning', text: 'Hm.' }, text('I look.'), call('c1', { path: 'a' })];
    const said = {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [{ id: 'c1', function: { name: 'read', arguments: { path: 'a' } } }],
    };
    const own = { api: 'ollama-chat', model: modelId };
    expect(
      messagesOf([
        message('assistant', parts, { origin: own }),
        message('assistant', parts, { origin: { ...own, model: 'other' } }),
        message('assistant', parts, { origin: { ...own, api: 'openai-chat' } }),
        message('assistant', parts, { origin: own, incomplete: true }),
        message('assistant', parts.slice(0, 1), { origin: own }),
      ]),
    ).toEqual([{ ...said, thinking: 'Hm.' }, said, said, said].map((each) => expect.objectContaining(each) as object));
    expect(JSON.stringify(messagesOf([message('assistant', parts)]))).not.toContain('Hm.');
  });

  it('of tools are one for each result, and images follow all of them', () => {
    const messages = [
      message('assistant', [call('c1'), call('c2'), call('c3')]),
      answer('c1', text('Here:'), image),
      answer('c2', text('Tool execution failed: no')),
      answer('c3', image, { type: 'file', mediaType: 'application/pdf', data: 'cGRm' }),
      message('user', [text('Go on.')]),
    ];
    const result = (tool_call_id: string, content: string) => ({
      role: 'tool',
      content,
      tool_name: 'read',
      tool_call_id,
    });
    expect(messagesOf(messages).slice(1)).toEqual([
      result('c1', 'Here:\n[image in the next message]'),
      result('c2', 'Tool execution failed: no'),
      result('c3', '[image in the next message]\n[File (application/pdf, 3 bytes), not shown to this model]'),
      {
        role: 'user',
        content: 'From the result of read (call c1):\nFrom the result of read (call c3):',
        images: ['aW1n', 'aW1n'],
      },
      { role: 'user', content: 'Go on.' },
    ]);
    expect(messagesOf(messages, none)[1]).toEqual(
      result('c1', 'Here:\n[Image (image/png, 3 bytes), not shown to this model]'),
    );
  });

  it('have no half of a character', () => {
    const body = map({ system: '\ud800 x', messages: [message('user', [text('a\ud83d')])], tools: [read] });
    expect(body.messages).toEqual([
      { role: 'system', content: '\ufffd x' },
      { role: 'user', content: 'a\ufffd' },
    ]);
  });
});

it('maps each message and each array of tools once', () => {
  const toRequest = chatMapper({ modelId });
  const messages = [message('user', [text('Hi')]), message('assistant', [call('c1')]), answer('c1', text('x'))];
  const tools = [read];
  const first = toRequest({ ...request, messages, tools }, all);
  const second = toRequest({ ...request, system: 'New.', messages: [...messages, message('user', [])], tools }, all);
  for (const [index, item] of first.messages.entries()) expect(second.messages[index + 1]).toBe(item);
  expect(second.tools?.[0]).toBe(first.tools?.[0]);
});

it('lowers the schemas of a thousand tools once, and not for each request', () => {
  let reads = 0;
  const tools = Array.from({ length: 1_000 }, (_, index): FunctionDefinition => ({
    type: 'function',
    name: `tool_${index}`,
    description: 'A tool.',
    get inputSchema() {
      reads++;
      return { type: 'object', properties: { name: { type: 'string', pattern: '^a' } } };
    },
  }));
  const toRequest = chatMapper({ modelId });
  const first = toRequest({ ...request, tools }, all).tools ?? [];
  const second = toRequest({ ...request, tools, toolChoice: 'required' }, all).tools ?? [];
  expect(reads).toBe(1_000);
  expect(second.every((tool, index) => tool === first[index])).toBe(true);
  toRequest({ ...request, tools: [...tools] }, all);
  expect(reads).toBe(2_000);
});

it('a call goes back by the name that the model wrote, if it is a former one of the tool', () => {
  const former = (part: Part): Part => ({ ...part, calledAs: 'look' }) as Part;
  const [made, told] = [call('c1'), answer('c1', text('ok'))];
  const turn = message('assistant', [former(made)]);
  const sent = JSON.stringify(messagesOf([turn, { ...told, parts: told.parts.map(former) }]));
  expect(sent).toContain('"name":"look"');
  expect(sent).toContain('"tool_name":"look"');
  expect(sent).not.toContain('read');
});
