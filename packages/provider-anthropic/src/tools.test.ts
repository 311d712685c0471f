import type { FunctionDefinition, Message, ModelPart, ModelRequest, Part, ToolDefinition } from '@utensil/core';
import { type Handler, loopback } from '@utensil/tooling-loopback';
import { type AnthropicBlock, anthropicStream } from '@utensil/tooling-loopback/anthropic';
import { refuseAnthropicMessages } from '@utensil/tooling-loopback/validators';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnthropicOptions, anthropic } from './anthropic.ts';
import { requestMemory, toRequest } from './request.ts';
import { strictSchemas } from './strict.ts';

// Over HTTP, with the official SDK, and a server that refuses what Anthropic refuses.
const modelId = 'claude-sonnet-5-5';
const hello: Message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Hello' }], createdAt: 0 };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more }) as const;
const tool = (name: string, more: Partial<FunctionDefinition> = {}): FunctionDefinition => ({
  type: 'function',
  name,
  description: `Does ${name}.`,
  inputSchema: object({ path: { type: 'string' } }) as FunctionDefinition['inputSchema'],
  ...more,
});

interface Asked {
  readonly parts: readonly ModelPart[];
  readonly body: {
    readonly tools?: readonly Record<string, unknown>[];
    readonly messages: readonly { content: unknown }[];
  };
}

async function ask(
  more: Partial<ModelRequest>,
  options: AnthropicOptions = {},
  blocks: readonly AnthropicBlock[] = [{ type: 'text', text: 'Hi.' }],
): Promise<Asked> {
  const answer: Handler = (request) => refuseAnthropicMessages(request.json()) ?? { body: anthropicStream(blocks) };
  await using server = await loopback(answer);
  const model = anthropic(modelId, { apiKey: 'sk-test', baseURL: server.url, ...options });
  const request: ModelRequest = { system: 'Be brief.', messages: [hello], tools: [], toolChoice: 'auto', ...more };
  const parts: ModelPart[] = [];
  for await (const part of model.stream(request, { signal: new AbortController().signal })) parts.push(part);
  return { parts, body: server.requests[0]?.json() as Asked['body'] };
}

const toolsOf = async (
  tools: readonly ToolDefinition[],
  options?: AnthropicOptions,
  more: Partial<ModelRequest> = {},
) => (await ask({ tools, ...more }, options)).body.tools ?? [];

describe('code that Anthropic runs', () => {
  const code: ToolDefinition = {
    type: 'native',
    name: 'javascript',
    definition: { type: 'code_execution_20260521', name: 'code_execution' },
  };
  const tree = object({ child: { $ref: '#' } }) as FunctionDefinition['inputSchema'];
  const tools = [code, tool('a'), tool('b', { inputSchema: tree })];
  const callersOf = async (options?: AnthropicOptions, more?: Partial<ModelRequest>) =>
    (await toolsOf(tools, options, more)).map((each) => each['allowed_callers']);

  it('may call tools if the app says so, but those whose schemas have no end', async () => {
    const both = ['direct', 'code_execution_20260521'];
    expect(await callersOf({ programmaticCalls: true })).toEqual([undefined, both, undefined]);
    expect(await callersOf()).toEqual([undefined, undefined, undefined]);
    expect(await callersOf({ programmaticCalls: true, strict: ['a'] })).toEqual([undefined, undefined, undefined]);
    const [, alone] = await toolsOf(tools.slice(1), { programmaticCalls: true });
    expect(alone?.['allowed_callers']).toBeUndefined();
  });

  it('calls none in a turn that is made to call one, or one alone', async () => {
    for (const more of [{ toolChoice: 'required' }, { toolChoice: { tool: 'a' } }, { parallel: false }] as const)
      expect(await callersOf({ programmaticCalls: true }, more)).toEqual([undefined, undefined, undefined]);
    expect(await callersOf({ programmaticCalls: true }, { toolChoice: 'none' })).toContainEqual(expect.any(Array));
  });
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

describe('strict', () => {
  const limited = tool('limited', {
    inputSchema: object({ count: { type: 'integer', minimum: 1, description: 'How many.' } }) as never,
  });

  it('is asked of no tool by itself, of all or of some on request', async () => {
    const strictOf = async (strict?: AnthropicOptions['strict']) =>
      (await toolsOf([limited, tool('read')], { strict })).map((each) => each['strict']);
    expect(await strictOf()).toEqual([undefined, undefined]);
    expect(await strictOf(true)).toEqual([true, true]);
    expect(await strictOf(['read'])).toEqual([undefined, true]);
  });

  it('says in the description what it does not enforce', async () => {
    const [sent] = await toolsOf([limited], { strict: true });
    expect(sent?.['input_schema']).toEqual({
      type: 'object',
      properties: { count: { type: 'integer', description: 'How many.\n\n{minimum: 1}' } },
      required: [],
      additionalProperties: false,
    });
  });

  it.each([
    [
      { type: 'string', format: 'uri', default: 'x' },
      { type: 'string', format: 'uri', default: 'x' },
    ],
    [
      { type: 'string', format: 'regex' },
      { type: 'string', description: '{format: "regex"}' },
    ],
    [
      { type: 'string', pattern: '^(?:a|b)$' },
      { type: 'string', pattern: '^(?:a|b)$' },
    ],
    [
      { type: 'string', pattern: '(?=a)' },
      { type: 'string', description: '{pattern: "(?=a)"}' },
    ],
    [
      { type: 'string', pattern: '\\bword' },
      { type: 'string', description: '{pattern: "\\\\bword"}' },
    ],
    [
      { type: 'array', items: { type: 'string' }, minItems: 2 },
      { type: 'array', items: { type: 'string' }, description: '{minItems: 2}' },
    ],
  ])('lowers %j', async (property, expected) => {
    const [sent] = await toolsOf([tool('a', { inputSchema: object({ property }) as never })], { strict: true });
    expect(sent?.['input_schema']).toMatchObject({ properties: { property: expected } });
  });

  it('excludes schemas that it does not support, or that are too many for one request', async () => {
    const tree = object(
      { child: { $ref: '#/$defs/tree' } },
      { $defs: { tree: object({ child: { $ref: '#/$defs/tree' } }) } },
    );
    const map = object({ map: { type: 'object', additionalProperties: { type: 'string' } } });
    const wide = object(
      Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`p${index}`, { type: 'string' }])),
    );
    const tools = [
      ...[tree, map, wide, wide].map((inputSchema, index) => tool(`a${index}`, { inputSchema: inputSchema as never })),
      ...Array.from({ length: 30 }, (_, index) => tool(`b${index}`, { inputSchema: object({}) as never })),
    ];
    const sent = await toolsOf(tools, { strict: true });
    expect(sent.slice(0, 4).map((each) => each['strict'])).toEqual([undefined, undefined, true, undefined]);
    expect(sent.filter((each) => each['strict'] === true)).toHaveLength(20);
    expect(sent[1]?.['input_schema']).toEqual(map);
  });
});

it('is refused with no schema whatever, strict or not', () => {
  let strict = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(anySchema, anySchema), { minLength: 1, maxLength: 8 }), (drawn) => {
      const tools = drawn.map(([a, named], index) =>
        tool(`t${index}`, { inputSchema: object({ a }, { $defs: { named } }) as FunctionDefinition['inputSchema'] }),
      );
      const request: ModelRequest = { system: '', messages: [hello], tools, toolChoice: 'auto' };
      const body = toRequest(request, { modelId, strict: true, strictSchemas });
      expect(refuseAnthropicMessages(body)).toBeUndefined();
      strict += JSON.stringify(body.tools).split('"strict":true').length - 1;
    }),
    { numRuns: 200 },
  );
  expect(strict).toBeGreaterThan(100);
});

describe('a deferred tool', () => {
  const tools = [tool('always'), tool('later', { defer: true })];

  it('is sent to be searched for, and the search with it', async () => {
    expect(await toolsOf(tools)).toMatchObject([
      { name: 'always' },
      { name: 'later', defer_loading: true },
      { type: 'tool_search_tool_bm25_20251119', cache_control: { type: 'ephemeral' } },
    ]);
    expect((await toolsOf(tools, { toolSearch: 'regex' })).at(-1)).toMatchObject({ name: 'tool_search_tool_regex' });
    expect(await toolsOf([tool('only', { defer: true })])).toHaveLength(2);
  });

  it('needs no second search if the app has one, and none if the server has none', async () => {
    const definition = { type: 'tool_search_tool_regex', name: 'tool_search_tool_regex' };
    const own: ToolDefinition = { type: 'native', name: 'find_tools', definition };
    expect(await toolsOf([own, ...tools])).toHaveLength(3);
    const plain = await toolsOf(tools, { toolSearch: false });
    expect(plain.map((each) => each['defer_loading'])).toEqual([undefined, undefined]);
    expect(anthropic(modelId, { toolSearch: false }).info.supports).toMatchObject({ deferredTools: false });
  });

  it('is loaded at once if a call of it is forced', async () => {
    const sent = await toolsOf(tools, {}, { toolChoice: { tool: 'later' } });
    expect(sent[1]).toMatchObject({ name: 'later', defer_loading: false });
  });

  it('is found by the server, whose search goes back with the call, without what is gone since', async () => {
    const found = (...names: readonly string[]) => ({
      type: 'tool_search_tool_search_result',
      tool_references: names.map((tool_name) => ({ type: 'tool_reference', tool_name })),
    });
    const blocks = [
      { type: 'server_tool_use', id: 'srvtoolu_1', name: 'tool_search_tool_bm25', input: { query: 'later' } },
      { type: 'tool_search_tool_result', tool_use_id: 'srvtoolu_1', content: found('later', 'memory', 'gone') },
      { type: 'tool_use', id: 'toolu_1', name: 'later', input: { path: 'a' } },
    ];
    const notes: ToolDefinition = {
      type: 'native',
      name: 'notes',
      definition: { type: 'memory_20250818', name: 'memory', defer_loading: true },
    };
    const { parts } = await ask({ tools: [...tools, notes, tool('gone', { defer: true })] }, {}, blocks);
    const calls = parts.filter((part) => part.type === 'tool-call');
    expect(calls).toMatchObject([
      { name: 'tool_search_tool_bm25', executedBy: 'provider', input: { query: 'later' } },
      { name: 'later', executedBy: 'us', input: { path: 'a' } },
    ]);
    const finish = parts.at(-1);
    const state = finish?.type === 'finish' ? finish.state : undefined;
    const turn: Message = {
      id: 'm2',
      role: 'assistant',
      parts: calls,
      createdAt: 1,
      origin: { api: 'anthropic-messages', model: modelId, ...(state !== undefined && { state }) },
    };
    const modelParts = [{ type: 'text', text: 'Done.' }] as const;
    const result: Part = {
      type: 'tool-result',
      callId: 'toolu_1',
      name: 'later',
      output: '',
      modelParts,
      isError: false,
    };
    const answer: Message = { id: 'm3', role: 'tool', parts: [result], createdAt: 2 };
    const { body } = await ask({ tools: [...tools, notes], messages: [hello, turn, answer] });
    expect(body.messages[1]?.content).toEqual([
      blocks[0],
      { ...blocks[1], content: found('later', 'memory') },
      blocks[2],
    ]);
  });
});

it('streams the input of a tool as it is written on request', async () => {
  const eagerOf = async (eagerInput?: AnthropicOptions['eagerInput']) =>
    (await toolsOf([tool('read'), tool('write')], { eagerInput })).map((each) => each['eager_input_streaming']);
  expect(await eagerOf()).toEqual([undefined, undefined]);
  expect(await eagerOf(true)).toEqual([true, true]);
  expect(await eagerOf(['write'])).toEqual([undefined, true]);
});

it('marks the tools for the cache, unless nothing is to be kept', async () => {
  const markOf = async (options: AnthropicOptions) =>
    (await toolsOf([tool('a'), tool('b')], options)).map((each) => 'cache_control' in each);
  expect(await markOf({})).toEqual([false, true]);
  expect(await markOf({ cache: false })).toEqual([false, false]);
});

it('calls a tool that the vendor has built in by the name of the vendor, and tells ours', async () => {
  const tools: ToolDefinition[] = [
    { type: 'native', name: 'terminal', definition: { type: 'bash_20250124', name: 'bash' } },
  ];
  const blocks = [{ type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'ls' } }];
  const { parts, body } = await ask({ tools, toolChoice: { tool: 'terminal' } }, {}, blocks);
  expect(body).toMatchObject({ tool_choice: { type: 'tool', name: 'bash' } });
  expect(parts.find((part) => part.type === 'tool-call')).toMatchObject({ name: 'terminal' });
  expect(parts.at(-1)).toMatchObject({ state: { content: [{ type: 'tool_use', id: 'toolu_1', name: 'bash' }] } });
});

it('lowers a thousand tools once for as long as the list is the same', () => {
  let reads = 0;
  const tools = Array.from({ length: 1_000 }, (_, index): FunctionDefinition => ({
    ...tool(`t${index}`),
    get inputSchema() {
      reads += 1;
      return { type: 'object' as const, properties: {} };
    },
  }));
  const memory = requestMemory();
  const settings = { modelId, strict: true, strictSchemas };
  const bodyOf = (messages: readonly Message[]) =>
    toRequest({ system: '', messages, tools, toolChoice: 'auto' }, settings, memory);
  const first = bodyOf([hello]);
  const readOnce = reads;
  expect(readOnce).toBeGreaterThanOrEqual(1_000);
  expect(bodyOf([hello, { ...hello, id: 'm2' }]).tools).toBe(first.tools);
  expect(reads).toBe(readOnce);
});
