import type { FunctionDefinition, Message, ModelRequest, Part, ToolDefinition } from '@utensil/core';
import { describe, expect, it } from 'vitest';
import { responsesMapper } from './request.ts';

const modelId = 'gpt-5.6';
const request: ModelRequest = { system: '', messages: [], tools: [], toolChoice: 'auto' };
const settings = { store: false, include: ['reasoning.encrypted_content'], stream: true };

const map = (asked: Partial<ModelRequest>) => responsesMapper({ modelId })({ ...request, ...asked });
const message = (role: Message['role'], parts: readonly Part[], more: Partial<Message> = {}): Message => ({
  id: 'm',
  role,
  parts,
  createdAt: 0,
  ...more,
});
const user = (...parts: readonly Part[]) => message('user', parts);
const text = (said: string): Part => ({ type: 'text', text: said });
const call = (callId: string, input: object = {}, more: object = {}): Part =>
  ({ type: 'tool-call', callId, name: 'read', input, executedBy: 'us', ...more }) as Part;
const answer = (callId: string, ...modelParts: readonly Part[]) =>
  message('tool', [{ type: 'tool-result', callId, name: 'read', output: null, modelParts, isError: false } as Part]);
const inputOf = (...messages: readonly Message[]) => map({ messages }).input;

const read: FunctionDefinition = {
  type: 'function',
  name: 'read',
  description: 'Reads.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
};
const readTool = { type: 'function', name: 'read', description: 'Reads.', parameters: read.inputSchema, strict: false };

describe('the body', () => {
  it('has nothing that was not asked for, in a fixed order', () => {
    const tools = [read];
    const full = map({ system: 'Be brief.', messages: [user(text('Hi'))], tools });
    const input = [{ role: 'user', content: 'Hi' }];
    expect(JSON.stringify(full)).toBe(
      JSON.stringify({ model: modelId, instructions: 'Be brief.', input, tools: [readTool], ...settings }),
    );
    expect(JSON.stringify(map({ toolChoice: 'required', parallel: false }))).toBe(
      JSON.stringify({ model: modelId, input: [], ...settings }),
    );
  });

  it('carries every setting of the request, and the options of the provider last', () => {
    const toRequest = responsesMapper({ modelId, reasoningSummary: 'auto' });
    const body = toRequest({
      ...request,
      tools: [read],
      toolChoice: { tool: 'read' },
      parallel: false,
      maxOutputTokens: 99,
      reasoning: 'high',
      providerOptions: { store: true, service_tier: 'flex', stream: false },
    });
    expect(body).toEqual({
      model: modelId,
      input: [],
      tools: [readTool],
      tool_choice: { type: 'function', name: 'read' },
      parallel_tool_calls: false,
      max_output_tokens: 99,
      reasoning: { effort: 'high', summary: 'auto' },
      ...settings,
      store: true,
      service_tier: 'flex',
    });
  });

  it.each([
    ['gpt-5.6', true],
    ['o4-mini', true],
    ['gpt-oss-120b', true],
    ['gpt-4.1', false],
    ['ft:gpt-4o:acme', false],
  ])('asks %s for encrypted reasoning: %s', (id, asks) => {
    const body = responsesMapper({ modelId: id, reasoningSummary: 'auto' })({ ...request, reasoning: 'high' });
    expect(['include' in body, 'reasoning' in body]).toEqual([asks, asks]);
  });

  it('writes examples into the description, and native definitions unchanged', () => {
    const definition = { type: 'web_search', search_context_size: 'low' };
    const tools: ToolDefinition[] = [
      { ...read, examples: [{ path: 'a' }, { path: 'b' }] },
      { type: 'native', name: 'search', definition },
    ];
    const [first, second] = map({ tools }).tools ?? [];
    expect(first).toEqual({ ...readTool, description: 'Reads.\n\nExamples of input:\n{"path":"a"}\n{"path":"b"}' });
    expect(second).toBe(definition);
  });

  it.each([
    [{ type: 'web_search' }, { type: 'web_search' }],
    [
      { type: 'custom', name: 'sql', format: { type: 'text' } },
      { type: 'custom', name: 'sql' },
    ],
    [
      { type: 'mcp', server_label: 'wiki', server_url: 'https://a.example' },
      { type: 'mcp', server_label: 'wiki' },
    ],
  ])('forces the native tool %j', (definition, expected) => {
    const tools: ToolDefinition[] = [{ type: 'native', name: 'mine', definition }];
    expect(map({ tools, toolChoice: { tool: 'mine' } }).tool_choice).toEqual(expected);
  });

  it.each([{ type: 'apply_patch' }, { type: 'computer' }, { type: 'shell', environment: { type: 'local' } }])(
    'refuses %j, whose calls are ours to run but no functions',
    (definition) => {
      expect(() => map({ tools: [{ type: 'native', name: 'mine', definition }] })).toThrow(
        `The tool mine cannot be ${definition.type} of OpenAI's`,
      );
    },
  );
});

describe('messages', () => {
  it('carry text, images and files of the user', () => {
    const parts: Part[] = [
      text('Look:'),
      { type: 'image', mediaType: 'image/png', data: 'aW1n' },
      { type: 'image', mediaType: 'image/png', url: 'https://a.example/i.png' },
      { type: 'file', mediaType: 'application/pdf', name: 'a.pdf', data: 'cGRm' },
      { type: 'file', mediaType: 'application/pdf', url: 'https://a.example/a.pdf' },
      { type: 'file', mediaType: 'image/webp', data: 'aW1n' },
      { type: 'file', mediaType: 'text/csv', data: 'YSxi' },
      { type: 'file', mediaType: 'application/zip', name: 'a.zip', data: 'UEsD' },
      { type: 'image', mediaType: 'image/svg+xml', data: 'PHN2Zz4=' },
      { type: 'audio', mediaType: 'audio/wav', name: 'a.wav', data: 'UklGRg==' },
      { type: 'audio', mediaType: 'text/html', data: 'PGI+' },
      { type: 'audio', mediaType: 'audio/wav', data: '' },
      { type: 'resource-link', uri: 'javascript:alert(1)\u202e\n', name: 'a"\n', size: 9 },
    ];
    expect(inputOf(user(...parts))).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look:' },
          { type: 'input_image', image_url: 'data:image/png;base64,aW1n', detail: 'auto' },
          { type: 'input_image', image_url: 'https://a.example/i.png', detail: 'auto' },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,cGRm' },
          { type: 'input_file', file_url: 'https://a.example/a.pdf' },
          { type: 'input_image', image_url: 'data:image/webp;base64,aW1n', detail: 'auto' },
          { type: 'input_file', filename: 'file', file_data: 'data:text/csv;base64,YSxi' },
          { type: 'input_text', text: '[File "a.zip" (application/zip, 3 bytes), not shown to this model]' },
          { type: 'input_text', text: '[Image (image/svg+xml, 5 bytes), not shown to this model]' },
          { type: 'input_text', text: '[Audio "a.wav" (audio/wav, 4 bytes), not shown to this model]' },
          { type: 'input_text', text: '[Audio (text/html, 3 bytes), not shown to this model]' },
          { type: 'input_text', text: '[Audio (audio/wav, 0 bytes), not shown to this model]' },
          {
            type: 'input_text',
            text: '[Resource link "a\\"" (9 bytes) at javascript:alert(1)%E2%80%AE%0A, not loaded]',
          },
        ],
      },
    ]);
  });

  it('are never an empty list, nor have a name, an id or a character that the API refuses', () => {
    const long = `call_${'x'.repeat(64)}1`;
    const odd = call(long, { path: 'a\ud83d' }, { name: 'functions.read file' });
    const half = message('assistant', [text('\ud83d'), odd]);
    expect(map({ system: '\ud800 x', messages: [user(), half, answer(long, text('\udc00b'))] })).toMatchObject({
      instructions: '\ufffd x',
      input: [
        { role: 'user', content: '' },
        { role: 'assistant', content: '\ufffd' },
        { call_id: long.slice(-64), name: 'functions_read_file_1df0f50a', arguments: '{"path":"a\ufffd"}' },
        { call_id: long.slice(-64), output: '\ufffdb' },
      ],
    });
  });

  it('of other models are told without their reasoning and state', () => {
    const parts: Part[] = [
      { type: 'reasoning', text: 'Hm.' },
      text('I look.'),
      call('c1', { path: 'a' }),
      call('c2', {}, { invalidInput: '{"path":' }),
      call('s1', {}, { executedBy: 'provider' }),
    ];
    const origin = { api: 'anthropic-messages', model: 'claude', state: [{ type: 'thinking', signature: 's' }] };
    const expected = [
      { role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' },
      { type: 'function_call', call_id: 'c2', name: 'read', arguments: '{}' },
    ];
    expect(inputOf(message('assistant', parts, { origin }))).toEqual(expected);
    expect(inputOf(message('assistant', parts))).toEqual(expected);
  });

  it('of tools are text if they are text, errors too, else parts', () => {
    const image: Part = { type: 'image', mediaType: 'image/png', data: 'aW1n' };
    expect(inputOf(answer('c1', text('Tool execution failed: no')), answer('c2', text('Here:'), image))).toEqual([
      { type: 'function_call_output', call_id: 'c1', output: 'Tool execution failed: no' },
      {
        type: 'function_call_output',
        call_id: 'c2',
        output: [
          { type: 'input_text', text: 'Here:' },
          { type: 'input_image', image_url: 'data:image/png;base64,aW1n', detail: 'auto' },
        ],
      },
    ]);
  });
});

describe('what the model wrote itself', () => {
  const reasoning = (id: string) => ({ type: 'reasoning', id, summary: [], encrypted_content: `sealed-${id}` });
  const item = (call_id: string, args: string, more: object = {}) => ({
    type: 'function_call',
    id: `fc_${call_id}`,
    call_id,
    name: 'read',
    arguments: args,
    status: 'completed',
    ...more,
  });
  const said = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    phase: 'commentary',
    status: 'completed',
    content: [],
  };
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' };
  const own = (state: readonly object[], parts: readonly Part[], model = modelId) =>
    message('assistant', parts, { origin: { api: 'openai-responses', model, state: state as never } });

  it('goes back untouched and in order', () => {
    const state = [
      reasoning('1'),
      search,
      said,
      reasoning('2'),
      item('c1', '{ "b": [1, {}],\n "a": "x" }'),
      item('c2', ''),
    ];
    const echoed = inputOf(own(state, [text(''), call('c1', { a: 'x', b: [1, {}] }), call('c2')])) as readonly object[];
    expect(echoed).toEqual(state);
    for (const [index, each] of echoed.entries()) expect(each).toBe(state[index]);
  });

  it.each([
    ['repaired', '{"n":"5"}', { n: 5 }],
    ['rewritten', '{"n":[1]}', { n: [1, 2] }],
    ['shortened', '{"n":1,"m":null}', { n: 1 }],
    ['no JSON', '{"n":', {}],
    ['no object', '[1]', {}],
  ])('goes back with the input that ran, if it was %s', (_, args, input) => {
    expect(inputOf(own([reasoning('1'), item('c1', args)], [call('c1', input)]))).toEqual([
      reasoning('1'),
      item('c1', JSON.stringify(input)),
    ]);
  });

  it('goes back without calls that the message lost, and without the reasoning that led to them only', () => {
    const state = [reasoning('1'), item('c1', '{}'), reasoning('2'), item('c2', '{}'), reasoning('3'), item('c3', '{')];
    expect(inputOf(own(state, [call('c2')]))).toEqual([reasoning('2'), item('c2', '{}')]);
    expect(inputOf(own([reasoning('1'), item('c1', '{}'), item('c2', '{}')], [call('c2')]))).toEqual([
      reasoning('1'),
      item('c2', '{}'),
    ]);
    expect(inputOf(own([said, reasoning('1')], []))).toEqual([said]);
  });

  it('goes back without reasoning of which only an id came, and with an id that the API takes', () => {
    const { encrypted_content: _, ...unsealed } = reasoning('1');
    const open = { ...unsealed, content: [{ type: 'reasoning_text', text: 'Hm.' }] };
    const long = `call_${'x'.repeat(64)}1`;
    expect(inputOf(own([unsealed, open, item(long, '{}')], [call(long)]), answer(long, text('x')))).toEqual([
      open,
      { ...item(long, '{}'), call_id: long.slice(-64) },
      { type: 'function_call_output', call_id: long.slice(-64), output: 'x' },
    ]);
  });

  it('is told like that of any other if the model is another, or a call has no item', () => {
    const parts = [text('I look.'), call('c1', { path: 'a' })];
    const told = [
      { role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' },
    ];
    const state = [reasoning('1'), search, said, item('c1', '{"path":"a"}')];
    expect(inputOf(own(state, parts, 'gpt-5.4'))).toEqual(told);
    expect(inputOf(own([reasoning('1'), said], parts))).toEqual(told);
    expect(inputOf(own([null, 'x', {}] as never, parts))).toEqual(told);
  });

  it('answers calls of a program to the program, and custom calls as such', () => {
    const caller = { type: 'program', caller_id: 'call_p' };
    const program = { type: 'program', id: 'pr_1', call_id: 'call_p', code: '', fingerprint: 'f' };
    const custom = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c2', name: 'sql', input: 'SELECT 1' };
    const issued = item('c1', '{}', { caller, status: 'in_progress' });
    const turn = own([program, issued, custom], [call('c1'), call('c2', { input: 'SELECT 2' })]);
    const results = [answer('c1', text('one')), answer('c2', text('two'))];
    expect(inputOf(turn, ...results, own([item('c3', '{}')], [call('c3')]), answer('c3', text('three')))).toEqual([
      program,
      issued,
      { ...custom, input: 'SELECT 2' },
      { type: 'function_call_output', call_id: 'c1', output: 'one', caller },
      { type: 'custom_tool_call_output', call_id: 'c2', output: 'two' },
      item('c3', '{}'),
      { type: 'function_call_output', call_id: 'c3', output: 'three' },
    ]);
  });
});

it('maps each message and each array of tools once', () => {
  const toRequest = responsesMapper({ modelId });
  const messages = [user(text('Hi'), text('there')), message('assistant', [text('Hello')]), answer('c1', text('x'))];
  const tools = [read];
  const first = toRequest({ ...request, messages, tools });
  const second = toRequest({ ...request, messages: [...messages, user(text('More'))], tools });
  for (const [index, item] of (first.input as readonly unknown[]).entries()) expect(second.input?.[index]).toBe(item);
  expect(second.tools).toBe(first.tools);
  expect(toRequest({ ...request, tools: [read] }).tools).not.toBe(first.tools);
});

it('a call goes back by the name that the model wrote, if it is a former one of the tool', () => {
  const sent = JSON.stringify(inputOf(message('assistant', [call('c1', {}, { calledAs: 'look' })])));
  expect(sent).toContain('"name":"look"');
  expect(sent).not.toContain('read');
});
