import type { FunctionDefinition, Message, ModelPart, ModelRequest, Part, ToolDefinition } from '@utensil/core';
import { type Loopback, loopback, sse } from '@utensil/tooling-loopback';
import { refuseOpenAIChat, refuseOpenAIResponses, refuseOpenRouter } from '@utensil/tooling-loopback/validators';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chatMapper } from './chat/request.ts';
import { openaiCompatible } from './compatible/compatible.ts';
import { type OpenAIOptions, openai, openaiChat } from './openai.ts';
import { openrouter } from './openrouter/openrouter.ts';
import { responsesMapper } from './responses/request.ts';
import { strictSchemas } from './strict.ts';
import type { Chosen } from '@utensil/core/provider';

// Over HTTP, with the official SDK, and servers that refuse what their vendors refuse.
const hello: Message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hello' }], createdAt: 0 };
const object = (properties: object, more: object = {}): FunctionDefinition['inputSchema'] =>
  ({ type: 'object', properties, ...more }) as FunctionDefinition['inputSchema'];
const tool = (name: string, more: Partial<FunctionDefinition> = {}): FunctionDefinition => ({
  type: 'function',
  name,
  description: `Does ${name}.`,
  inputSchema: object({ path: { type: 'string' } }),
  ...more,
});

/** Schemas of all kinds: open and closed, with alternatives, names, bounds, and keywords that no strict mode takes. */
const anySchema = fc.letrec<{ node: Record<string, unknown> }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.record(
      {
        type: fc.constantFrom('string', 'integer', ['number', 'null'], 'boolean'),
        description: fc.string(),
        minimum: fc.integer(),
        maxLength: fc.nat(),
        pattern: fc.constantFrom('^a', '(?=b)', '\\bc'),
        format: fc.constantFrom('uri', 'date', 'odd'),
        default: fc.constant('x'),
      },
      { requiredKeys: ['type'] },
    ),
    fc.constantFrom(
      {},
      { const: 1 },
      { enum: ['a', null] },
      { $ref: '#/$defs/named' },
      { $ref: '#/$defs/named', title: 'N' },
    ),
    fc.record({ type: fc.constant('array'), items: tie('node'), minItems: fc.nat(3), uniqueItems: fc.boolean() }),
    fc
      .tuple(fc.constantFrom('anyOf', 'oneOf', 'allOf'), fc.array(tie('node'), { minLength: 1, maxLength: 3 }))
      .map(([key, members]) => ({ [key]: members })),
    fc
      .tuple(
        fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('node')),
        fc.subarray(['a', 'b', 'c']),
        fc.option(fc.boolean()),
      )
      .map(([properties, names, rest]) => ({
        type: 'object',
        properties,
        required: names.filter((name) => name in properties),
        ...(rest !== null && { additionalProperties: rest }),
      })),
  ),
})).node;

type Sent = Readonly<Record<string, unknown>>;
type Connection = { readonly apiKey: string; readonly baseURL: string };

const chatAnswer = sse([
  { data: { choices: [{ index: 0, delta: { content: 'Hi.' }, finish_reason: 'stop' }] } },
  { data: '[DONE]' },
]);
const responsesAnswer = (...items: readonly object[]) =>
  sse([
    ...items.map((item, output_index) => ({ data: { type: 'response.output_item.done', output_index, item } })),
    { data: { type: 'response.completed', response: { status: 'completed', output: [] } } },
  ]);

const wires = {
  openai: {
    refuse: refuseOpenAIResponses,
    answer: responsesAnswer(),
    make: (at: Connection, strict?: Chosen) => openai('gpt-5.6', { ...at, strict }),
  },
  openaiChat: {
    refuse: refuseOpenAIChat,
    answer: chatAnswer,
    make: (at: Connection, strict?: Chosen) => openaiChat('gpt-4.1', { ...at, strict }),
  },
  openaiCompatible: {
    refuse: refuseOpenAIChat,
    answer: chatAnswer,
    make: (at: Connection, strict?: Chosen) => openaiCompatible({ ...at, model: 'local', strict }),
  },
  openrouter: {
    refuse: refuseOpenRouter,
    answer: chatAnswer,
    make: (at: Connection, strict?: Chosen) => openrouter('openai/gpt-5.6', { ...at, strict }),
  },
};

const connectionTo = ({ url }: Loopback): Connection => ({ apiKey: 'sk-test', baseURL: url });

async function drain(model: ReturnType<typeof openai>, more: Partial<ModelRequest>): Promise<readonly ModelPart[]> {
  const request: ModelRequest = { system: '', messages: [hello], tools: [], toolChoice: 'auto', ...more };
  const parts: ModelPart[] = [];
  for await (const part of model.stream(request, { signal: new AbortController().signal })) parts.push(part);
  return parts;
}

describe.each(Object.entries(wires))('strict, %s', (_, { refuse, answer, make }) => {
  /** The functions as they were sent, in the flat form of Responses. */
  async function sentFor(tools: readonly FunctionDefinition[], strict?: Chosen): Promise<readonly Sent[]> {
    await using server = await loopback((request) => refuse(request.json()) ?? { body: answer });
    await drain(make(connectionTo(server), strict), { tools });
    const body = server.requests[0]?.json() as { readonly tools: readonly { readonly function?: Sent }[] };
    return body.tools.map((each) => each.function ?? (each as Sent));
  }

  it('is asked of no tool by itself, of all or of some on request', async () => {
    const strictOf = async (strict?: Chosen) =>
      (await sentFor([tool('a'), tool('b')], strict)).map((each) => each['strict'] === true);
    expect(await strictOf()).toEqual([false, false]);
    expect(await strictOf(true)).toEqual([true, true]);
    expect(await strictOf(['b'])).toEqual([false, true]);
  });

  it('requires all, says null for what may be left out, and in words what it does not enforce', async () => {
    const inputSchema = object(
      {
        count: { type: 'integer', minimum: 1, default: 1 },
        at: { type: 'string', format: 'uri', description: 'Where.' },
      },
      { required: ['at'] },
    );
    expect((await sentFor([tool('a', { inputSchema })], true))[0]?.['parameters']).toEqual({
      type: 'object',
      properties: {
        count: { type: ['integer', 'null'], minimum: 1, description: '{default: 1}' },
        at: { type: 'string', description: 'Where.\n\n{format: "uri"}' },
      },
      required: ['count', 'at'],
      additionalProperties: false,
    });
  });

  it('takes recursion, and leaves alone what it cannot hold', async () => {
    const tree = object({ child: { $ref: '#/$defs/tree' } });
    const map = object({ map: { type: 'object', additionalProperties: { type: 'string' } } });
    const deep = Array.from({ length: 11 }).reduce<object>((inner) => object({ inner }), { type: 'string' });
    const tools = [
      tool('a', { inputSchema: { ...tree, $defs: { tree } } }),
      tool('b', { inputSchema: map }),
      tool('c', { inputSchema: deep as FunctionDefinition['inputSchema'] }),
    ];
    const sent = await sentFor(tools, true);
    expect(sent.map((each) => each['strict'] === true)).toEqual([true, false, false]);
    expect(sent[1]?.['parameters']).toEqual(map);
  });
});

it('lets programs that run at OpenAI call the functions, and answers them there', async () => {
  const programs: ToolDefinition = {
    type: 'native',
    name: 'javascript',
    definition: { type: 'programmatic_tool_calling' },
  };
  const program = { type: 'program', id: 'pr_1', call_id: 'call_p', code: 'await read()', fingerprint: 'f' };
  const caller = { type: 'program', caller_id: 'call_p' };
  const issued = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'read', arguments: '{}', caller };
  const done = { type: 'program_output', id: 'po_1', call_id: 'call_p', result: '1', status: 'completed' };
  const answers = [responsesAnswer(program, { ...issued, status: 'in_progress' }), responsesAnswer(done)];
  await using server = await loopback(
    (request) => refuseOpenAIResponses(request.json()) ?? { body: answers.shift() ?? responsesAnswer() },
  );
  const model = openai('gpt-5.6', connectionTo(server));
  const tools = [programs, tool('read')];

  const parts = await drain(model, { tools });
  expect(parts.filter(({ type }) => type === 'tool-call')).toMatchObject([
    { callId: 'call_p', name: 'javascript', input: { code: 'await read()' }, executedBy: 'provider' },
    { callId: 'c1', name: 'read', executedBy: 'us' },
  ]);
  const state = parts.find((part) => part.type === 'finish')?.state ?? null;
  const turn: Message = {
    id: 'm2',
    role: 'assistant',
    parts: parts.filter((part) => part.type === 'tool-call').map((part) => ({ ...part, title: part.name })),
    createdAt: 0,
    origin: { api: 'openai-responses', model: 'gpt-5.6', state },
  };
  const result: Message = {
    id: 'm3',
    role: 'tool',
    parts: [
      {
        type: 'tool-result',
        callId: 'c1',
        name: 'read',
        output: 1,
        modelParts: [{ type: 'text', text: '1' }],
        isError: false,
      },
    ],
    createdAt: 0,
  };
  await drain(model, { tools, messages: [hello, turn, result] });

  const [first, second] = server.requests.map(
    (request) => request.json() as { readonly tools: Sent[]; readonly input: Sent[] },
  );
  expect(first?.tools).toMatchObject([
    { type: 'programmatic_tool_calling' },
    { name: 'read', allowed_callers: ['direct', 'programmatic'] },
  ]);
  expect(second?.input.slice(1)).toEqual([
    program,
    { ...issued, status: 'in_progress' },
    { type: 'function_call_output', call_id: 'c1', output: '1', caller },
  ]);
  await drain(model, { tools: [tool('read')] });
  expect(JSON.stringify(server.requests[2]?.json())).not.toContain('allowed_callers');
});

it('leaves to the description what a model that was fine-tuned does not enforce', () => {
  const inputSchema = object({ count: { type: 'integer', minimum: 1 } }, { required: ['count'] });
  const toRequest = responsesMapper({ modelId: 'ft:gpt-4.1:acme', schemaOf: strictSchemas('ft:gpt-4.1:acme', true) });
  const { tools } = toRequest({
    system: '',
    messages: [hello],
    tools: [tool('a', { inputSchema })],
    toolChoice: 'auto',
  });
  expect(tools?.[0]).toMatchObject({
    parameters: { properties: { count: { type: 'integer', description: '{minimum: 1}' } } },
  });
});

it('is refused with no schema whatever, strict or not', () => {
  let strict = 0;
  const toRequest = responsesMapper({ modelId: 'gpt-5.6', schemaOf: strictSchemas('gpt-5.6', true) });
  const toChat = chatMapper({ modelId: 'gpt-4.1', schemaOf: strictSchemas('gpt-4.1', true) });
  fc.assert(
    fc.property(anySchema, anySchema, (a, named) => {
      const tools = [tool('t', { inputSchema: object({ a }, { $defs: { named } }) })];
      const request: ModelRequest = { system: '', messages: [hello], tools, toolChoice: 'auto' };
      const body = toRequest(request);
      expect(refuseOpenAIResponses(body)).toBeUndefined();
      expect(refuseOpenAIChat(toChat(request))).toBeUndefined();
      strict += JSON.stringify(body.tools).includes('"strict":true') ? 1 : 0;
    }),
    { numRuns: 200 },
  );
  expect(strict).toBeGreaterThan(20);
});

describe('a deferred tool', () => {
  const tools = [tool('always'), tool('later', { defer: true })];

  async function ask(more: Partial<ModelRequest>, options: OpenAIOptions = {}, answer = responsesAnswer()) {
    await using server = await loopback((request) => refuseOpenAIResponses(request.json()) ?? { body: answer });
    const parts = await drain(openai('gpt-5.6', { ...connectionTo(server), ...options }), more);
    return { parts, body: server.requests[0]?.json() as { readonly tools: readonly Sent[]; readonly input: unknown } };
  }

  it('is sent to be searched for, and the search with it', async () => {
    expect((await ask({ tools })).body.tools).toMatchObject([
      { name: 'always' },
      { name: 'later', defer_loading: true },
      { type: 'tool_search' },
    ]);
    const native: ToolDefinition = { type: 'native', name: 'find', definition: { type: 'tool_search' } };
    expect((await ask({ tools: [native, ...tools] })).body.tools).toHaveLength(3);
  });

  it('is loaded at once if a call of it is forced', async () => {
    const { body } = await ask({ tools, toolChoice: { tool: 'later' } });
    expect(body.tools[1]).toMatchObject({ name: 'later', defer_loading: false });
  });

  it.each([
    ['gpt-5.6', undefined, true],
    ['gpt-5.4-mini', undefined, true],
    ['gpt-6', undefined, true],
    ['gpt-5.3', undefined, false],
    ['gpt-5', undefined, false],
    ['gpt-4.1', undefined, false],
    ['o4-mini', undefined, false],
    ['my-deployment', true, true],
    ['gpt-5.6', false, false],
  ])('is known to %s, with the option %s: %s', (id, toolSearch, deferredTools) => {
    expect(openai(id, { toolSearch }).info.supports).toMatchObject({ deferredTools });
    const body = responsesMapper({ modelId: id, toolSearch })({
      system: '',
      messages: [hello],
      tools,
      toolChoice: 'auto',
    });
    expect(JSON.stringify(body).includes('tool_search')).toBe(deferredTools);
    expect(JSON.stringify(body).includes('defer_loading')).toBe(deferredTools);
  });

  it('is sent as any other over Chat', () => {
    const body = chatMapper({ modelId: 'gpt-4.1' })({ system: '', messages: [hello], tools, toolChoice: 'auto' });
    expect(body.tools?.[1]).toEqual({
      type: 'function',
      function: { name: 'later', description: 'Does later.', parameters: tools[1]?.inputSchema },
    });
    expect(openaiChat('gpt-4.1').info.supports?.deferredTools).toBeUndefined();
  });

  it('is found by the server, whose search goes back before the call', async () => {
    const found = { type: 'function', name: 'later', parameters: {}, strict: false, defer_loading: true };
    const items = [
      {
        type: 'tool_search_call',
        id: 'tsc_1',
        call_id: null,
        execution: 'server',
        status: 'completed',
        arguments: { paths: ['later'] },
      },
      {
        type: 'tool_search_output',
        id: 'tso_1',
        call_id: null,
        execution: 'server',
        status: 'completed',
        tools: [found],
      },
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'later', arguments: '{}', status: 'completed' },
    ];
    const { parts } = await ask({ tools }, {}, responsesAnswer(...items));
    const calls = parts.filter((part) => part.type === 'tool-call');
    expect(calls).toMatchObject([
      { name: 'tool_search', executedBy: 'provider', input: { paths: ['later'] } },
      { name: 'later', executedBy: 'us' },
    ]);
    const finish = parts.at(-1);
    const state = finish?.type === 'finish' ? finish.state : undefined;
    const turn: Message = {
      id: 'm2',
      role: 'assistant',
      parts: calls,
      createdAt: 1,
      origin: { api: 'openai-responses', model: 'gpt-5.6', ...(state !== undefined && { state }) },
    };
    const modelParts = [{ type: 'text', text: 'Done.' }] as const;
    const result: Part = {
      type: 'tool-result',
      callId: 'call_1',
      name: 'later',
      output: '',
      modelParts,
      isError: false,
    };
    const answer: Message = { id: 'm3', role: 'tool', parts: [result], createdAt: 2 };
    const { body } = await ask({ tools, messages: [hello, turn, answer] });
    expect(body.input).toEqual([
      { role: 'user', content: 'Hello' },
      ...items,
      { type: 'function_call_output', call_id: 'call_1', output: 'Done.' },
    ]);
  });
});

it('calls a tool that is defined for the API by the name in its definition, and tells ours', async () => {
  const responses: ToolDefinition = { type: 'native', name: 'query', definition: { type: 'custom', name: 'sql' } };
  const item = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'sql', input: 'select 1' };
  await using server = await loopback(() => ({ body: responsesAnswer(item) }));
  const parts = await drain(openai('gpt-5.6', connectionTo(server)), { tools: [responses] });
  expect(parts.find((part) => part.type === 'tool-call')).toMatchObject({ name: 'query' });
});

it.each([
  [
    { type: 'custom', custom: { name: 'sql' } },
    { type: 'custom', custom: { name: 'sql' } },
  ],
  [
    { type: 'function', function: { name: 'run' } },
    { type: 'function', function: { name: 'run' } },
  ],
  [{ type: 'openrouter:web_search' }, { type: 'openrouter:web_search' }],
])('makes a model of a gateway call %j', async (definition, expected) => {
  await using server = await loopback((request) => refuseOpenRouter(request.json()) ?? { body: chatAnswer });
  const tools: ToolDefinition[] = [{ type: 'native', name: 'mine', definition }];
  await drain(openrouter('openai/gpt-5.6', connectionTo(server)), { tools, toolChoice: { tool: 'mine' } });
  expect(server.requests[0]?.json()).toMatchObject({ tool_choice: expected });
});

it('tells over Chat of the pages that were cited, once, and of the images that were drawn', async () => {
  const cite = (url: string, title?: string) => ({ type: 'url_citation', url_citation: { url, title } });
  const annotations = [cite('https://a.example', 'A'), cite('https://a.example'), { type: 'odd' }];
  const images = [
    { type: 'image_url', image_url: { url: 'data:image/webp;base64,aW1n' } },
    { type: 'image_url', image_url: { url: 'https://a.example/i.png' } },
    { type: 'image_url' },
  ];
  const body = sse([
    { data: { choices: [{ index: 0, delta: { content: 'See.', annotations } }] } },
    { data: { choices: [{ index: 0, delta: { annotations: [...annotations, cite('https://b.example')], images } }] } },
    { data: { choices: [{ index: 0, delta: { annotations: 'none', images: null }, finish_reason: 'stop' }] } },
    { data: '[DONE]' },
  ]);
  await using server = await loopback(() => ({ body }));
  const parts = await drain(openrouter('google/gemini-3-image', connectionTo(server)), {});
  expect(parts.slice(0, -1)).toEqual([
    { type: 'text-delta', text: 'See.' },
    { type: 'source', url: 'https://a.example', title: 'A' },
    { type: 'source', url: 'https://b.example' },
    { type: 'file', mediaType: 'image/webp', data: 'aW1n' },
    { type: 'file', mediaType: 'image/png', url: 'https://a.example/i.png' },
  ]);
});

it('keeps no call over Chat that a filter cut off', async () => {
  const call = { index: 0, id: 'c1', type: 'function', function: { name: 'read', arguments: '' } };
  const body = sse([
    { data: { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: 'content_filter' }] } },
    { data: '[DONE]' },
  ]);
  await using server = await loopback(() => ({ body }));
  const parts = await drain(openaiChat('gpt-4.1', connectionTo(server)), { tools: [tool('read')] });
  expect(parts.at(-2)).toMatchObject({ type: 'tool-call', invalidInput: '' });
  expect(parts.at(-1)).toMatchObject({ reason: 'content-filter' });
});

it.each([
  ['responses', responsesMapper({ modelId: 'gpt-5.6', schemaOf: strictSchemas('gpt-5.6', true) })],
  ['chat', chatMapper({ modelId: 'gpt-4.1', schemaOf: strictSchemas('gpt-4.1', true) })],
])('lowers a thousand tools once for as long as the list is the same: %s', (_, toRequest) => {
  let reads = 0;
  const tools = Array.from({ length: 1_000 }, (_each, index): FunctionDefinition => ({
    ...tool(`t${index}`),
    get inputSchema() {
      reads += 1;
      return { type: 'object' as const, properties: {} };
    },
  }));
  const bodyOf = (messages: readonly Message[]) => toRequest({ system: '', messages, tools, toolChoice: 'auto' });
  const first = bodyOf([hello]);
  const readOnce = reads;
  expect(readOnce).toBeGreaterThanOrEqual(1_000);
  expect(bodyOf([hello, { ...hello, id: 'm2' }]).tools).toBe(first.tools);
  expect(reads).toBe(readOnce);
});
