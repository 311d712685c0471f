import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { capability } from '../tool/capability.ts';
import type { CallContext } from '../call/call-context.ts';
import type { ToolResult } from '../tool/result.ts';
import type { Host } from '../tool/capability.ts';
import { jsonSchema } from '../schema/json-schema.ts';
import type { JsonObject } from '../base/json.ts';
import { option } from '../tool/option.ts';
import { createRegistry } from '../tool/registry.ts';
import { runTool } from './run-tool.ts';
import { migrateSettings } from '../settings/versions.ts';
import { emptySettings, withEnabled, withInstructions, withOption } from '../settings/settings.ts';
import type { Settings } from '../settings/settings.ts';
import { defineTool } from '../tool/define.ts';
import { result } from '../tool/result.ts';
import type { Tool } from '../tool/tool.ts';
import { resolveToolset } from './toolset.ts';
import type { Toolset } from './toolset.ts';
import { host } from '../tool/host.ts';

const anything = jsonSchema({ type: 'object' });
const tool = (name: string, more: Partial<Tool> = {}): Tool =>
  defineTool({ name, description: `Does ${name}.`, input: anything, effects: 'read', execute: () => name, ...more });

const toolsetOf = (tools: readonly Tool[], settings: Settings = emptySettings, host: Host = {}): Toolset =>
  resolveToolset(createRegistry(tools), settings, host);

const context: CallContext = { projectId: 'p', runId: 'r', callId: 'c', signal: new AbortController().signal };
const text = ({ modelParts }: ToolResult): string =>
  modelParts.map((part) => (part.type === 'text' ? part.text : part.type)).join('|');
const names = (toolset: Toolset): string =>
  toolset
    .definitions({ api: 'text' })
    .map(({ name }) => name)
    .join(' ');

it('[S0-04] [A1-02] [A3-02] [S3-13] answers a call of a disabled tool as one of a tool that never was, byte for byte', async () => {
  let ran = 0;
  const off = tool('off', { execute: () => ran++ });
  const toolset = toolsetOf(
    [off, tool('needy', { requires: { files: host.files } })],
    withEnabled(emptySettings, off, false),
  );
  expect(names(toolset)).toBe('');
  for (const name of ['off', 'needy', 'never']) {
    const answered = await toolset.execute({ name, input: {} }, context);
    const expected = `Unknown tool: ${name}`;
    expect(answered).toEqual({
      output: expected,
      modelParts: [{ type: 'text', text: expected }],
      isError: true,
      code: 'unknown_tool',
    });
  }
  expect(ran).toBe(0);
});

it('[S0-02] is stateless: two projects at once never see each other’s host', async () => {
  const store = capability<Map<string, string>>('store');
  const note = defineTool({
    name: 'note',
    description: 'Notes.',
    input: z.toJSONSchema(z.object({ text: z.string() })),
    effects: 'write',
    requires: { store },
    execute: async ({ text }, _, { host, projectId }) => {
      const before = host.store.size;
      await Promise.resolve();
      host.store.set(`${projectId}-${text}`, text);
      return before;
    },
  });
  const stores = [new Map<string, string>(), new Map<string, string>()];
  const toolsets = stores.map((each) => toolsetOf([note], emptySettings, { store: each }));
  const results = await Promise.all(
    toolsets.map((toolset, index) =>
      toolset.execute({ name: 'note', input: { text: 'x' } }, { ...context, projectId: `p${index}` }),
    ),
  );
  expect(results.map(({ output }) => output)).toEqual([0, 0]);
  expect(stores.map((each) => [...each.keys()])).toEqual([['p0-x'], ['p1-x']]);
});

it('[S0-02] takes promises and generators alike, and a generator’s yields are progress', async () => {
  const counting = tool('counting', {
    execute: async function* (_input, _options, { progress }) {
      progress({ at: 0 });
      yield { at: 1 };
      yield { at: 2n };
      return 'done';
    },
  });
  const seen: unknown[] = [];
  const { output } = await runTool(counting, {}, { progress: (update) => seen.push(update) });
  expect(output).toBe('done');
  expect(seen).toEqual([{ at: 0 }, { at: 1 }, { at: '2' }]);
});

it('[S0-03] carries an error flag, media and control in addition to the output', async () => {
  const image = { type: 'image', mediaType: 'image/png', data: 'AA==' } as const;
  const answer = await runTool(
    tool('t', {
      execute: () =>
        result({ output: { a: 1 }, parts: [{ type: 'text', text: 'seen' }, image], control: { end: { value: 7 } } }),
    }),
    {},
  );
  expect(answer).toMatchObject({
    output: { a: 1 },
    isError: false,
    modelParts: [{ text: 'seen' }, image],
    control: { end: { value: 7 } },
  });
  const failed = await runTool(tool('t', { execute: () => result({ output: 'No such note.', isError: true }) }), {});
  expect(failed).toMatchObject({ output: 'No such note.', isError: true, code: 'tool_failed' });
});

it('[S2-03] lets a tool rewrite its own input', async () => {
  const answer = await runTool(
    tool('format', { execute: () => result({ output: 'ok', input: { text: 'formatted' } }) }),
    { text: 'raw' },
  );
  expect(answer.input).toEqual({ text: 'formatted' });
});

it.each([
  ['an error', new Error('disk on fire'), 'disk on fire'],
  ['a text', 'plain', 'plain'],
  ['nothing', undefined, 'undefined'],
  ['an object', { code: 5 }, '{"code":5}'],
  ['an object without a prototype', Object.create(null), '{}'],
  ['an error whose message is none', Object.assign(new Error('x'), { message: { a: 1 } }), '[object Object]'],
  [
    'an error that cannot be read',
    new Proxy(new Error('x'), {
      get: () => {
        throw new Error('no');
      },
    }),
    'something that cannot be shown',
  ],
  ['an error that speaks of a timeout', new Error('upstream timeout'), 'upstream timeout'],
])('[S0-05] [S1-07] [S3-16] [D3-05] answers a throw of %s as a failure of the tool', async (_, thrown, message) => {
  const throwing = tool('t', {
    execute: () => {
      throw thrown;
    },
  });
  const answer = await runTool(throwing, {});
  expect(text(answer)).toBe(`Tool execution failed: ${message}`);
  expect(answer).toMatchObject({ isError: true, code: 'tool_failed' });
});

it('keeps stacks, paths of the host and secrets out of what the model sees', async () => {
  const leaky = defineTool({
    name: 'leaky',
    description: 'd',
    input: anything,
    effects: 'read',
    options: { key: option.secret({ label: 'Key' }) },
    execute: (_input, { key }) => {
      throw new Error(`cannot open /home/ada/app/index.js with key ${key}\n    at open (file:///srv/app/x.js:1:2)`);
    },
  });
  const offered = { secrets: { get: async (name: string) => (name === 'leaky.key' ? 'sk-12345' : undefined) } };
  expect(text(await runTool(leaky, {}, { host: offered }))).toBe(
    'Tool execution failed: cannot open [path] with key [secret]',
  );
  expect(host.secrets.name).toBe('secrets');
});

it('[S0-06] [S3-09] builds definitions from the options, and sends nothing that is only for people', () => {
  const dynamic = defineTool({
    name: 'dynamic',
    title: 'Dynamic tool',
    ui: { icon: '🔧', category: 'x', subtitle: 'y' },
    description: ({ long }) => (long ? 'A long story.' : 'Short.'),
    options: { long: option.boolean({ label: 'Long', default: false }) },
    input: ({ long }) => jsonSchema({ type: 'object', properties: long ? { extra: { type: 'string' } } : {} }),
    effects: 'read',
    execute: () => 1,
  });
  const registry = createRegistry([dynamic]);
  const before = resolveToolset(registry, emptySettings, {});
  expect(before.definitions({ api: 'text' })).toEqual([
    {
      type: 'function',
      name: 'dynamic',
      effects: 'read',
      description: 'Short.',
      inputSchema: { type: 'object', properties: {} },
    },
  ]);
  const after = resolveToolset(registry, withOption(emptySettings, dynamic, ['long', true]), {});
  expect(after.definitions({ api: 'text' })[0]).toMatchObject({
    description: 'A long story.',
    inputSchema: { properties: { extra: {} } },
  });
  expect(before.definitions({ api: 'text' })[0]).toMatchObject({ description: 'Short.' });
});

it('[A2-10] gives definitions sorted, the same bytes whatever the order of registration, the same object each time', () => {
  const make = (order: readonly string[]): Toolset => toolsetOf(order.map((name) => tool(name)));
  const one = make(['b', 'a', 'c']);
  expect(one.definitions({ api: 'text' })).toBe(one.definitions({ api: 'text' }));
  expect(JSON.stringify(one.definitions({ api: 'text' }))).toBe(
    JSON.stringify(make(['c', 'b', 'a']).definitions({ api: 'text' })),
  );
});

it('gives the declaration of a tool that can be used, by its former name too, and of no other', () => {
  const note = tool('note', { title: 'Note', formerNames: ['memo'] });
  const toolset = resolveToolset(createRegistry([note, tool('off', { defaultEnabled: false })]), emptySettings, {});
  expect([toolset.tool('note'), toolset.tool('memo')]).toEqual([note, note]);
  expect([toolset.tool('off'), toolset.tool('nothing')]).toEqual([undefined, undefined]);
  expect(toolset.derive({ only: [] }).tool('note')).toBeUndefined();
});

it('[S0-07] [S0-08] replaces a definition if the vendor has the tool, and leaves its prompt out there', async () => {
  const memory = defineTool({
    name: 'memory',
    description: 'Remembers.',
    input: anything,
    effects: 'write',
    options: { useSystemPrompt: option.boolean({ label: 'Use the prompt', default: false }) },
    prompt: '## Memory',
    native: {
      'anthropic-messages': ({ useSystemPrompt }) =>
        useSystemPrompt ? undefined : { type: 'memory_20250818', name: 'memory' },
    },
    execute: () => 1,
  });
  const look = async (api: string, on: boolean): Promise<readonly [string, number]> => {
    const toolset = toolsetOf([memory], withOption(emptySettings, memory, ['useSystemPrompt', on]));
    const prompts = await toolset.prompts({ model: { api, id: 'm' }, projectId: 'p' });
    return [toolset.definitions({ api })[0]?.type ?? 'none', prompts.length];
  };
  expect(await look('anthropic-messages', false)).toEqual(['native', 0]);
  expect(await look('anthropic-messages', true)).toEqual(['function', 1]);
  expect(await look('openai-responses', false)).toEqual(['function', 1]);
  expect(await look('openai-responses', true)).toEqual(['function', 1]);
});

it('[S0-08] lists the prompts of enabled tools in the order of the registry, without empty ones, and survives one that throws', async () => {
  const warnings: string[] = [];
  const off = tool('off', { prompt: 'never' });
  const toolset = toolsetOf(
    [
      tool('z', { prompt: 'first' }),
      off,
      tool('empty', { prompt: '' }),
      tool('none'),
      tool('broken', {
        prompt: () => {
          throw new Error('no');
        },
      }),
      tool('a', { prompt: async (_options, { api, tools }) => `second on ${api} with ${tools.length}` }),
    ],
    withEnabled(emptySettings, off, false),
  );
  const prompts = await toolset.prompts({
    model: { api: 'text', id: 'm' },
    projectId: 'p',
    warn: (problem) => warnings.push(problem),
  });
  expect(prompts).toEqual(['first', 'second on text with 5']);
  expect(warnings).toEqual(['The prompt of tool "broken" failed and was left out: no']);
});

it("[S4-04] replaces the prompt of an enabled tool by the user's instructions", async () => {
  const [first, second, native, off] = [
    tool('first', { prompt: 'its own' }),
    tool('second', { prompt: 'left out' }),
    tool('native', { native: { text: () => ({ type: 'built-in' }) }, prompt: 'never' }),
    tool('off'),
  ] as const;
  const said = withInstructions(withInstructions(emptySettings, second, ''), native, 'of the built-in one');
  const settings = withEnabled(withInstructions(said, off, 'never'), off, false);
  const promptsWith = (chosen: Settings): Promise<readonly string[]> =>
    toolsetOf([first, second, native, off], chosen).prompts({ model: { api: 'text', id: 'm' }, projectId: 'p' });
  expect(await promptsWith(settings)).toEqual(['its own', 'of the built-in one']);
  expect(await promptsWith(withInstructions(settings, first, 'For first: sparingly'))).toEqual([
    'For first: sparingly',
    'of the built-in one',
  ]);
  expect(await promptsWith(withInstructions(settings, second))).toEqual(['its own', 'left out', 'of the built-in one']);
  expect(() => migrateSettings({ version: 1, tools: { first: { instructions: 5 } } })).toThrow(/is not a text/);
});

it('[S4-01] [A4-01] leaves out tools whose host lacks something, always-on ones too, and says why', () => {
  const rows: readonly (readonly [
    internal: boolean,
    chosen: boolean | undefined,
    hasFiles: boolean,
    offered: boolean,
  ])[] = [
    [false, undefined, true, true],
    [false, undefined, false, false],
    [false, true, false, false],
    [false, true, true, true],
    [false, false, true, false],
    [true, undefined, true, true],
    [true, undefined, false, false],
  ];
  for (const [internal, chosen, hasFiles, offered] of rows) {
    const needy = tool('needy', { requires: { files: host.files }, internal });
    const settings = chosen === undefined ? emptySettings : withEnabled(emptySettings, needy, chosen);
    const toolset = toolsetOf([needy], settings, hasFiles ? { files: {} } : {});
    expect([internal, chosen, hasFiles, names(toolset) === 'needy']).toEqual([internal, chosen, hasFiles, offered]);
    const reason = 'It needs files, which this app does not offer.';
    const isOn = internal || chosen !== false;
    expect(toolset.unavailable).toEqual(hasFiles || !isOn ? [] : [{ tool: needy, reason }]);
  }
});

it('a tool that lacked a capability does not come back with a host that has it', () => {
  const needy = tool('needy', { requires: { files: host.files } });
  const off = tool('off', { requires: { files: host.files }, defaultEnabled: false });
  const toolset = toolsetOf([needy, tool('fine'), off]);
  expect(names(toolset)).toBe('fine');
  const derived = toolset.derive({ host: { files: {} } });
  expect([names(derived), derived.unavailable]).toEqual(['fine needy', []]);
  expect(names(toolset.derive({ only: ['fine'], host: { files: {} } }))).toBe('fine');
  expect(names(toolset.derive({ only: ['needy'] }).derive({ host: { files: {} } }))).toBe('needy');
  expect(toolset.derive({ add: [tool('more')] }).unavailable).toHaveLength(1);
});

it('a tool whose own definition fails is unavailable, and takes no other with it', () => {
  const broken = tool('broken', {
    description: () => {
      throw new Error('bad day');
    },
  });
  const schemaless = tool('schemaless', { input: z.object({}) as never });
  const listy = tool('listy', { input: jsonSchema({ type: 'array' }) });
  const toolset = toolsetOf([broken, schemaless, listy, tool('fine')]);
  expect(names(toolset)).toBe('fine');
  expect(toolset.unavailable.map(({ reason }) => reason)).toEqual([
    'bad day',
    expect.stringContaining(
      'This schema has no JSON Schema: use zod 4.2 or later, z.toJSONSchema(schema) with zod/mini',
    ),
    'The input of tool "listy" must be an object; its schema says "array". Make it a field of an object.',
  ]);
});

const edit = defineTool({
  name: 'edit',
  description: 'Edits.',
  input: z.toJSONSchema(
    z.object({
      path: z.string(),
      lines: z.optional(z.array(z.int())),
      mode: z.optional(z.enum(['fast', 'safe'])),
      nested: z.optional(z.strictObject({ depth: z.number() })),
    }),
  ),
  effects: 'write',
  execute: (input) => JSON.stringify(input),
});

it.each<[JsonObject, string]>([
  [{}, '- path: required, expected a string'],
  [{ path: 5 }, '- path: expected a string, got 5'],
  [{ path: null }, '- path: expected a string, got null'],
  [{ path: 'a', mode: 'slow' }, '- mode: expected one of "fast", "safe", got the string "slow"'],
  [
    { path: 'a', lines: ['x', 1.5] },
    '- lines[0]: expected a whole number, got the string "x"\n- lines[1]: expected a whole number, got 1.5',
  ],
  [{ path: 'a', nested: { depth: [] } }, '- nested.depth: expected a number, got the array []'],
  [{ path: 'a', nested: { depth: 1, deep: 2 } }, '- nested.deep: is not a field of this tool'],
  [{ path: ['a'.repeat(200)] }, `- path: expected a string, got the array ["${'a'.repeat(75)}…`],
])('[S3-12] [D3-04] [S4-03] refuses %j and names the field, what was expected and what came', async (input, lines) => {
  const answer = await runTool(edit, input);
  expect(text(answer)).toBe(`Invalid input for tool "edit":\n${lines}`);
  expect(answer).toMatchObject({ isError: true, code: 'invalid_input' });
});

it('[S2-05] repairs arguments that failed, runs them repaired, and says what was repaired', async () => {
  const prepared = await toolsetOf([edit]).prepare({ name: 'edit', input: { path: 'a', lines: '[1,2]', mode: null } });
  expect(prepared).toMatchObject({
    input: { path: 'a', lines: [1, 2] },
    repairs: ['lines: JSON text read as an array', 'mode: null left out'],
  });
  expect((await prepared.execute(context)).output).toBe('{"path":"a","lines":[1,2]}');
});

it('leaves arguments alone that are valid, extra ones too', async () => {
  const prepared = await toolsetOf([tool('t', { input: z.toJSONSchema(z.looseObject({ a: z.unknown() })) })]).prepare({
    name: 't',
    input: { a: '5', b: null },
  });
  expect(prepared).toMatchObject({ input: { a: '5', b: null }, repairs: [] });
});

it.each([
  ['{"path": "a', /^Failed to parse JSON arguments: .+/],
  ['not json', /^Failed to parse JSON arguments: .+/],
  ['[1]', /^Arguments must be a JSON object\.$/],
  ['"text"', /^Arguments must be a JSON object\.$/],
])('[S3-12] [S1-01] answers the arguments %j with the error', async (invalidInput, expected) => {
  const answer = await toolsetOf([edit]).execute({ name: 'edit', input: {}, invalidInput }, context);
  expect(text(answer)).toMatch(expected);
  expect(answer.code).toBe('invalid_json');
});

it('a schema that throws refuses the call instead of ending the run', async () => {
  const broken = tool('t', {
    input: {
      '~standard': {
        version: 1,
        vendor: 'x',
        jsonSchema: { input: () => ({ type: 'object' }) },
        validate: () => {
          throw new Error('oops');
        },
      },
    },
  });
  expect(text(await runTool(broken, {}))).toBe('The input of tool "t" could not be checked: oops');
});

it('[S4-08] [S3-14] [D3-09] leaves a tool that ignores its signal when its time is over, and reports what comes late', async () => {
  let signal: AbortSignal | undefined;
  let end: (value: string) => void = () => undefined;
  const deaf = tool('deaf', {
    timeoutMs: 5,
    execute: (_input, _options, given) => {
      signal = given.signal;
      return new Promise((resolve) => (end = resolve));
    },
  });
  const late = new Promise<void>((resolve) => {
    void toolsetOf([deaf])
      .execute({ name: 'deaf', input: {} }, { ...context, late: resolve })
      .then((answer) => {
        expect(text(answer)).toBe('Tool execution timed out after 5ms');
        expect(answer.code).toBe('tool_timeout');
        expect(signal?.aborted).toBe(true);
        end('too late');
      });
  });
  await late;
});

it('[S3-14] takes the tool’s own limit over the toolset’s, and 0 as none', async () => {
  const slow = (timeoutMs?: number): Tool =>
    tool('slow', {
      ...(timeoutMs !== undefined && { timeoutMs }),
      execute: () => new Promise((resolve) => timeoutMs === 0 && setTimeout(resolve, 30, 'done')),
    });
  expect((await runTool(slow(), {}, { timeoutMs: 5 })).code).toBe('tool_timeout');
  expect((await runTool(slow(0), {}, { timeoutMs: 5 })).output).toBe('done');
  expect((await runTool(slow(5), {}, { timeoutMs: 0 })).code).toBe('tool_timeout');
});

it('[D3-09] returns at once when its signal fires, and tells the tool', async () => {
  const controller = new AbortController();
  let told = false;
  const deaf = tool('deaf', {
    execute: (_input, _options, { signal }) => {
      signal.addEventListener('abort', () => (told = true));
      queueMicrotask(() => controller.abort());
      return new Promise(() => undefined);
    },
  });
  const running = runTool(deaf, {}, { signal: controller.signal });
  expect(await running).toMatchObject({
    code: 'tool_cancelled',
    output: 'Tool "deaf" was cancelled. If it ends later, its result is discarded.',
  });
  expect(told).toBe(true);
});

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;

it.each([
  ['nothing', undefined, '(no output)'],
  ['null', null, '(no output)'],
  ['an empty text', '', '(no output)'],
  ['a number', 42, '42'],
  ['a BigInt', 10n, '10'],
  ['a cycle', cyclic, '{"self":"[Circular]"}'],
  ['a Map', new Map([['a', new Set([1])]]), '{"a":[1]}'],
  ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['NaN', Number.NaN, 'NaN'],
  [
    'an object that throws when it is read',
    {
      get a(): never {
        throw new Error('no');
      },
    },
    '[Unreadable]',
  ],
  ['a function', () => 1, '(no output)'],
])('[S3-15] [S4-07] shows %s to the model as text', async (_, value, expected) => {
  const answer = await runTool(tool('t', { execute: () => value }), {});
  expect(text(answer)).toBe(expected);
  expect(answer.isError).toBe(false);
});

it('no value that a tool returns breaks the call, or is anything but JSON', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withNullPrototype: true,
        withSparseArray: true,
        withTypedArray: true,
      }),
      async (value) => {
        const { output, isError } = await runTool(tool('t', { execute: () => value }), {});
        expect(isError).toBe(false);
        expect(JSON.parse(JSON.stringify(output))).toEqual(output);
      },
    ),
  );
});

it('bounds what the model sees, head and tail, and keeps the whole output', async () => {
  const long = `${'a'.repeat(1_000_000)}${'z'.repeat(1_000_000)}`;
  const answer = await runTool(tool('t', { execute: () => long }), {});
  expect(answer.output).toBe(long);
  expect(text(answer).length).toBeLessThan(100_200);
  expect(text(answer)).toMatch(
    /^a+\n\[… 1900000 of 2000000 characters left out here: ask for less at a time, or for a part …\]\nz+$/,
  );
  expect(text(await runTool(tool('t', { outputLimit: 10, execute: () => '😀'.repeat(10) }), {}))).toMatch(
    /^(?:😀)+\n\[… .+ …\]\n(?:😀)+$/u,
  );
});

it("[S2-04] separates the model's view from the people's view, and a failing view loses nothing", async () => {
  const render = {
    model: (output: unknown) => `model: ${JSON.stringify(output)}`,
    user: () => ({ card: 'chart' }),
    status: () => '3 rows',
  };
  expect(await runTool(tool('t', { render, execute: () => [1] }), {})).toMatchObject({
    modelParts: [{ type: 'text', text: 'model: [1]' }],
    userView: { card: 'chart' },
    status: '3 rows',
  });
  const broken = (): never => {
    throw new Error('no');
  };
  const answer = await runTool(
    tool('t', { render: { model: broken, user: broken, status: broken }, execute: () => [1] }),
    {},
  );
  expect(answer).toMatchObject({ output: [1], isError: false, modelParts: [{ text: '[1]' }] });
});

it('checks what a tool returns against its output schema', async () => {
  const typed = tool('t', { output: z.toJSONSchema(z.object({ n: z.number() })), execute: (input) => input });
  expect(await runTool(typed, { n: 1 })).toMatchObject({ output: { n: 1 }, isError: false });
  const answer = await runTool(typed, { n: 'x' });
  expect(answer).toMatchObject({ isError: true, code: 'invalid_output' });
  expect(text(answer)).toContain('"t" returned something that does not match its output schema:\n- n:');
});

it.each([
  ['Read {path}', { path: 'a.md' }, 'Read a.md'],
  ['Read {paths}', { paths: ['a', 'b', 'c'] }, 'Read a and 2 more'],
  ['Read {paths}', { paths: ['a'] }, 'Read a'],
  ['Read {missing}', {}, 'Read'],
  ['{text}', { text: 'line one\nline two' }, 'line one line two'],
  ['{n} of {o}', { n: 5, o: { a: 1 } }, '5 of {"a":1}'],
  ['{text}', { text: 'x'.repeat(80) }, `${'x'.repeat(49)}…`],
  ['{text}', { text: '😀'.repeat(80) }, `${'😀'.repeat(49)}…`],
  ['{empty}', { empty: '' }, 'T'],
])('[S2-43] titles %j for %j', async (title, input, expected) => {
  const prepared = await toolsetOf([tool('t', { title: 'T', render: { title } })]).prepare({ name: 't', input });
  expect(prepared.title).toBe(expected);
});

it('counts effects that throw as destructive', async () => {
  const effects = (): never => {
    throw new Error('who knows');
  };
  expect((await toolsetOf([tool('t', { effects })]).prepare({ name: 't', input: {} })).effects).toBe('destructive');
});

it('identifies a definition by its content for the model, not by the order of its keys', async () => {
  const print = async (more: Partial<Tool>): Promise<string | undefined> =>
    (await toolsetOf([tool('t', more)]).prepare({ name: 't', input: {} })).toolFingerprint;
  const one = await print({ input: jsonSchema({ type: 'object', title: 'x' }) });
  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(await print({ input: jsonSchema({ title: 'x', type: 'object' }) })).toBe(one);
  expect(await print({ description: 'Other.' })).not.toBe(one);
  expect(await print({ effects: 'destructive', input: jsonSchema({ type: 'object', title: 'x' }) })).not.toBe(one);
});

it('offers deferred tools if the model can search for them itself, otherwise the tools that find them', () => {
  const kinds = [
    { name: 'plain' },
    { name: 'hidden', defer: true, prompt: 'Use hidden with care.' },
    { name: 'find', role: { type: 'tool-search' as const }, prompt: 'Find tools first.' },
  ];
  const tools = kinds.map((kind): Tool => ({
    description: 'x',
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    ...kind,
  }));
  const told = async (some: readonly Tool[], deferredTools: boolean) => {
    const toolset = resolveToolset(createRegistry(some), emptySettings, {});
    const model = { api: 'text', id: 'm', supports: { deferredTools } };
    const names = toolset.definitions(model).map(({ name }) => name);
    return [names, await toolset.prompts({ model, projectId: 'p' })];
  };
  return Promise.all([
    expect(told(tools, false)).resolves.toEqual([['find', 'plain'], ['Find tools first.']]),
    expect(told(tools, true)).resolves.toEqual([['hidden', 'plain'], ['Use hidden with care.']]),
    expect(told([tools[0] as Tool, tools[2] as Tool], false)).resolves.toEqual([['plain'], []]),
  ]);
});
