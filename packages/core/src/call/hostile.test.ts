// Schemas, arguments, results and settings that are made to break something.

import { afterEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { isUtensilError, messageOf, UtensilError } from '../base/errors.ts';
import { jsonSchema } from '../schema/json-schema.ts';
import type { JsonObject, JsonSchema } from '../base/json.ts';
import { option } from '../tool/option.ts';
import { createRegistry } from '../tool/registry.ts';
import { repair } from './repair.ts';
import { runTool } from '../toolset/run-tool.ts';
import { emptySettings, withOption } from '../settings/settings.ts';
import { defineTool } from '../tool/define.ts';
import { result } from '../tool/result.ts';
import type { Tool } from '../tool/tool.ts';
import type { ToolResult } from '../tool/result.ts';
import { resolveToolset } from '../toolset/toolset.ts';
import { host } from '../tool/host.ts';

afterEach(() => void vi.useRealTimers());

const tool = (name: string, more: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    description: name,
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    execute: () => name,
    ...more,
  });

const text = ({ modelParts }: ToolResult): string =>
  modelParts.map((part) => (part.type === 'text' ? part.text : '')).join('|');

const self: JsonSchema = {
  type: 'object',
  properties: { f: { $ref: '#/$defs/a' } },
  required: ['f'],
  $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, { type: 'array', items: { $ref: '#/$defs/a' } }] } },
};
const doubling = (depth: number): JsonSchema => ({
  type: 'object',
  properties: { f: { $ref: '#/$defs/0' } },
  $defs: Object.fromEntries(
    Array.from({ length: depth }, (_, n) => [
      String(n),
      n === depth - 1 ? { type: 'string' } : { anyOf: [{ $ref: `#/$defs/${n + 1}` }, { $ref: `#/$defs/${n + 1}` }] },
    ]),
  ),
});

/** A validator that copes with these schemas; the default one rejects them, and the call is refused. */
const refuse = { validator: { compile: () => () => [{ message: '', path: ['f'] }] } };

it.each<[name: string, input: Tool['input'], given: JsonObject, said: string]>([
  ['a schema of any JSON', z.object({ data: z.json(), n: z.number() }), {}, '- n: required, expected a number'],
  ['a schema that refers to itself', jsonSchema(self, refuse), { f: 5 }, '- f: expected an array'],
  ['alternatives that double 40 times', jsonSchema(doubling(40), refuse), { f: 5 }, '- f: expected a string, got 5'],
])('explains in words what does not fit %s', async (_, input, given, said) => {
  expect(text(await runTool(tool('t', { input }), given))).toContain(said);
});

it('bounds what it says of twenty thousand wrong items, and of a name of a megabyte', async () => {
  const strings = jsonSchema({ type: 'object', properties: { f: { type: 'array', items: { type: 'string' } } } });
  const wrong = await runTool(tool('t', { input: strings }), { f: Array.from({ length: 20_000 }, (_, n) => n) });
  expect(text(wrong).split('\n').length).toBeLessThan(15);
  expect(text(wrong)).toContain('- and more of this kind');
  const prepared = await resolveToolset(createRegistry(), emptySettings, {}).prepare({
    name: 'x'.repeat(1_000_000),
    input: {},
  });
  expect([...prepared.title].length).toBe(50);
  expect(
    text(await prepared.execute({ projectId: 'p', runId: 'r', callId: 'c', signal: new AbortController().signal }))
      .length,
  ).toBeLessThan(11_000);
});

it('repairs no name into the prototype, and nothing that is still wrong', async () => {
  const hostile = JSON.parse('{"__proto__":{"admin":true},"n":"5"}') as JsonObject;
  const schema: JsonSchema = { type: 'object', properties: { n: { type: 'number', maximum: 3 } } };
  const { value } = repair(hostile, schema);
  expect((value as { admin?: unknown }).admin).toBeUndefined();
  expect(Object.keys(value as object)).toEqual(['__proto__', 'n']);
  let ran = 0;
  expect(text(await runTool(tool('t', { input: jsonSchema(schema), execute: () => ran++ }), { n: '5' }))).toContain(
    'expected a number up to 3, got the string "5"',
  );
  expect(ran).toBe(0);
});

it('repairs the alternative of a union that its constant names', () => {
  const kind = (name: string, tags: JsonSchema): JsonSchema => ({
    type: 'object',
    properties: { kind: { const: name }, tags },
  });
  const schema: JsonSchema = {
    anyOf: [kind('a', { type: 'string' }), kind('b', { type: 'array', items: { type: 'string' } })],
  };
  expect(repair({ kind: 'b', tags: '["x"]' }, schema).value).toEqual({ kind: 'b', tags: ['x'] });
  expect(repair({ kind: 'a', tags: '["x"]' }, schema).value).toEqual({ kind: 'a', tags: '["x"]' });
});

it('takes a schema whose root is a reference, and spells it out for the model', () => {
  const named = z.object({ n: z.number() }).meta({ id: 'Named' });
  const [definition] = resolveToolset(createRegistry([tool('t', { input: named })]), emptySettings, {}).definitions({
    api: 'text',
  });
  expect(definition).toMatchObject({ inputSchema: { type: 'object', properties: { n: { type: 'number' } } } });
});

it.each<[name: string, broken: Partial<Tool>, reason: string]>([
  [
    'a native definition that throws',
    {
      native: {
        x: () => {
          throw new Error('boom');
        },
      },
    },
    'boom',
  ],
  ['a requirement that is none', { requires: { x: undefined as never } }, 'name'],
])('takes %s for a tool that is unavailable', (_, broken, reason) => {
  const { unavailable, definitions } = resolveToolset(
    createRegistry([tool('broken', broken), tool('fine')]),
    emptySettings,
    {},
  );
  expect(unavailable.map((each) => each.reason)).toEqual([expect.stringContaining(reason)]);
  expect(definitions({ api: 'x' })).toHaveLength(1);
});

it('gives a tool options that it cannot change for the next call', async () => {
  const counting = defineTool({
    name: 'counting',
    description: 'd',
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    options: { n: option.number({ label: 'N', default: 1 }) },
    execute: (_input, options) => Reflect.set(options, 'n', options.n + 1) || options.n,
  });
  expect((await runTool(counting, {})).output).toBe(1);
  expect((await runTool(counting, {})).output).toBe(1);
});

it('hears nothing of a tool that has ended', async () => {
  const seen: unknown[] = [];
  let later: (update: string) => void = () => undefined;
  await runTool(
    tool('t', { execute: (_input, _options, { progress }) => ((later = progress), 1) }),
    {},
    { progress: (update) => seen.push(update) },
  );
  later('too late');
  expect(seen).toEqual([]);
});

it('ends a generator that is cancelled', async () => {
  const controller = new AbortController();
  let isEnded = false;
  const endless = tool('t', {
    async *execute() {
      try {
        for (let n = 0; ; n++) yield n;
      } finally {
        isEnded = true;
      }
    },
  });
  const answered = await runTool(
    endless,
    {},
    { signal: controller.signal, progress: (n) => n === 3 && controller.abort() },
  );
  await new Promise((resolve) => setTimeout(resolve));
  expect([answered.code, isEnded]).toEqual(['tool_cancelled', true]);
});

it('[D3-09] clears the timer of a tool that has ended, and waits a minute if nothing is said', async () => {
  vi.useFakeTimers();
  await runTool(tool('t'), {});
  expect(vi.getTimerCount()).toBe(0);
  const deaf = runTool(tool('t', { execute: () => new Promise(() => undefined) }), {});
  await vi.advanceTimersByTimeAsync(59_999);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect((await deaf).output).toBe('Tool execution timed out after 60000ms');
});

it('never shows the model nothing, nor more than the limit in all', async () => {
  expect(text(await runTool(tool('t', { execute: () => result({ output: 1, parts: [] }) }), {}))).toBe('(no output)');
  const parts = Array.from({ length: 50 }, () => ({ type: 'text', text: 'x'.repeat(100) }) as const);
  const many = await runTool(tool('t', { outputLimit: 100, execute: () => result({ output: 1, parts }) }), {});
  expect(text(many).replaceAll(/[^x]/g, '').length).toBeLessThan(300); // and a note for each that was cut
});

it('keeps what people see JSON, too', async () => {
  const cyclic: { self?: unknown } = {};
  cyclic.self = cyclic;
  const { userView, status } = await runTool(
    tool('t', { render: { user: () => cyclic as never, status: () => 5n as never } }),
    {},
  );
  expect([userView, status]).toEqual([{ self: '[Circular]' }, '5']);
  expect((await runTool(tool('t', { execute: () => new Uint8Array(9) }), {})).output).toBe('[9 bytes]');
});

it('says field, expectation and value of an output that is not JSON', async () => {
  const typed = tool('t', {
    output: jsonSchema({ type: 'object', properties: { n: { type: 'number' } } }),
    execute: () => ({ n: 5n }),
  });
  expect(text(await runTool(typed, {}))).toContain('- n: expected a number, got the string "5"');
});

it('keeps secrets out of results and errors, the longer one first, and those of former names too', async () => {
  const leaky = defineTool({
    name: 'leaky',
    formerNames: ['older'],
    description: 'd',
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    options: { a: option.secret({ label: 'A' }), b: option.secret({ label: 'B' }), c: option.secret({ label: 'C' }) },
    execute: (_input, { a, b, c }) => ({ told: [a, b, c ?? 'none'] }),
  });
  const stored: Readonly<Record<string, string>> = { 'leaky.a': 'sk-1', 'older.a': 'old', 'older.b': 'sk-123456' };
  const host = { secrets: { get: async (key: string) => stored[key] } };
  const { output, modelParts } = await runTool(leaky, {}, { host });
  expect(output).toEqual({ told: ['[secret]', '[secret]', 'none'] });
  expect(modelParts).toEqual([{ type: 'text', text: '{"told":["[secret]","[secret]","none"]}' }]);
});

it('takes a secret of nothing but blanks for none, and leaves the blanks of what tools say', async () => {
  const spaced: Tool = defineTool({
    name: 'spaced',
    description: 'Says what key it was given.',
    options: { key: option.secret({ label: 'Key' }) },
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    execute: (_input, { key }) => `a b ${key ?? 'none'}`,
  });
  const { output } = await runTool(spaced, {}, { host: { secrets: { get: async () => ' ' } } });
  expect(output).toBe('a b none');
});

it('keeps secrets out of progress, of rewritten input and of what ends a run', async () => {
  const leaky = defineTool({
    name: 'leaky',
    description: 'd',
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    options: { key: option.secret({ label: 'Key' }) },
    execute(_input, { key = '' }, { progress }) {
      progress({ using: key });
      return result({ output: '', input: { key }, control: { end: { value: key } } });
    },
  });
  const host = { secrets: { get: async () => 'sk-123456' } };
  const told: unknown[] = [];
  const answer = await runTool(leaky, {}, { host, progress: (update) => told.push(update) });
  expect(told).toEqual([{ using: '[secret]' }]);
  expect(answer).toMatchObject({ input: { key: '[secret]' }, control: { end: { value: '[secret]' } } });
});

it('leaves the paths of a project in Utensil errors', async () => {
  const failing = tool('t', {
    execute: () => {
      throw new UtensilError('ENOENT', "ENOENT: no such file or directory, '/tmp/notes.md'");
    },
  });
  expect(text(await runTool(failing, {}))).toBe(
    "Tool execution failed: ENOENT: no such file or directory, '/tmp/notes.md'",
  );
});

it('answers for a tool that cannot be run, instead of throwing', async () => {
  expect(text(await runTool(tool('not a name'), {}))).toContain('Tool name "not a name" is not valid');
  expect(text(await runTool(tool('t', { requires: { files: host.files } }), {}))).toBe(
    'Tool "t" cannot be used: It needs files, which this app does not offer.',
  );
  const { execute: _, ...pick } = tool('pick');
  expect(text(await runTool(pick, {}))).toBe('Tool "pick" has no execute: its client answers.');
});

it.each(['harmless', undefined, 5])('takes the effects %s for destructive', async (effects) => {
  const toolset = resolveToolset(createRegistry([tool('t', { effects: effects as never })]), emptySettings, {});
  expect((await toolset.prepare({ name: 't', input: {} })).effects).toBe('destructive');
});

it('runs a call under a former name, unless another tool has it', async () => {
  const renamed = tool('new_name', { formerNames: ['old_name', 'taken'] });
  const toolset = resolveToolset(createRegistry([renamed, tool('taken')]), emptySettings, {});
  const context = { projectId: 'p', runId: 'r', callId: 'c', signal: new AbortController().signal };
  const ran = await Promise.all(
    ['old_name', 'taken', 'older'].map((name) => toolset.execute({ name, input: {} }, context)),
  );
  expect(ran.map(({ output }) => output)).toEqual(['new_name', 'taken', 'Unknown tool: older']);
});

it('compiles once for each setting, also where settings take turns', () => {
  let compiled = 0;
  const dynamic = defineTool({
    name: 'dynamic',
    description: () => `d${++compiled}`,
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    options: { n: option.number({ label: 'N', default: 0 }) },
    execute: () => 1,
  });
  const registry = createRegistry([dynamic]);
  const define = (n: number) =>
    resolveToolset(registry, withOption(emptySettings, dynamic, ['n', n]), {}).definitions({ api: 'text' })[0];
  expect(define(1)).toBe((define(2), define(1)));
  expect(compiled).toBe(2);
  for (let n = 0; n < 100; n++) define(n);
  expect(define(99)).toBe(define(99));
});

it('looks at no error so closely that it throws', () => {
  const untouchable = new Proxy(new Error('x'), {
    get: () => {
      throw new Error('no');
    },
  });
  expect([isUtensilError(untouchable), messageOf(untouchable)]).toEqual([false, 'something that cannot be shown']);
  expect(isUtensilError(new UtensilError('EIO', 'x'), 'ENOENT')).toBe(false);
});
