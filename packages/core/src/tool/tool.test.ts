import { expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod/mini';
import { capability } from './capability.ts';
import type { Files } from '../files/files.ts';
import { jsonSchema } from '../schema/json-schema.ts';
import { option } from './option.ts';
import { createRegistry } from './registry.ts';
import { runTool } from '../toolset/run-tool.ts';
import { run } from '../run/lazy-run.ts';
import { emptySettings, isEnabled, withOption } from '../settings/settings.ts';
import { scriptedModel } from '../testing/index.ts';
import { defineTool } from './define.ts';
import { isExplicitResult, result } from './result.ts';
import type { Tool } from './tool.ts';
import { resolveToolset } from '../toolset/toolset.ts';
import { host } from './host.ts';

const mailer = capability<{ send(text: string): Promise<void> }>('mailer');

const search = defineTool({
  name: 'search',
  description: (options) => {
    expectTypeOf(options.engine).toEqualTypeOf<'brave' | 'tavily'>();
    expectTypeOf(options).not.toHaveProperty('apiKey'); // a description never sees a secret
    return `Searches with ${options.engine}.`;
  },
  options: {
    engine: option.select({
      label: 'Engine',
      default: 'brave',
      choices: [
        { value: 'brave', label: 'Brave' },
        { value: 'tavily', label: 'Tavily' },
      ],
    }),
    results: option.number({ label: 'Results', default: 8 }),
    safe: option.boolean({ label: 'Safe', default: true }),
    apiKey: option.secret({ label: 'API key' }),
  },
  input: z.toJSONSchema(z.object({ query: z.string(), page: z.optional(z.number()) })),
  requires: { files: host.files, mailer },
  effects: ({ query }, { results }) => (query.length > results ? 'write' : 'read'),
  prompt: (_options, { host }) => {
    expectTypeOf(host.files).toEqualTypeOf<Files>();
    return '';
  },
  execute: async ({ query, page }, options, { host }) => {
    expectTypeOf(query).toEqualTypeOf<string>();
    expectTypeOf(page).toEqualTypeOf<number | undefined>();
    expectTypeOf(options.apiKey).toEqualTypeOf<string | undefined>();
    await host.mailer.send(query);
    return [page ?? 1, options.results];
  },
});

it('[S3-08] infers input, options and host from the definition, and is a plain Tool all the same', async () => {
  expectTypeOf(search).toExtend<Tool>();
  const sent: string[] = [];
  const host = { files: {}, mailer: { send: async (text: string) => void sent.push(text) } };
  const { output } = await runTool(search, { query: 'cats' }, { host });
  expect([output, sent]).toEqual([[1, 8], ['cats']]);
});

it('[S3-08] infers input from a schema that options make, and from JSON Schema as it is declared', () => {
  defineTool({
    name: 'dynamic',
    description: 'd',
    options: { long: option.boolean({ label: 'Long', default: false }) },
    input: (options) => z.toJSONSchema(z.object({ text: options.long ? z.string() : z.string() })),
    effects: 'read',
    execute: ({ text }) => expectTypeOf(text).toEqualTypeOf<string>(),
  });
  defineTool({
    name: 'plain',
    description: 'd',
    input: jsonSchema<{ n: number }>({ type: 'object' }),
    effects: 'read',
    execute: ({ n }) => expectTypeOf(n).toEqualTypeOf<number>(),
  });
  defineTool({
    name: 'wrong',
    description: 'd',
    input: z.toJSONSchema(z.object({ a: z.string() })),
    effects: 'read',
    // @ts-expect-error: the input has no member `b`
    execute: ({ b }) => b,
  });
  expect(defineTool(search)).toBe(search);
});

it('[S1-25] [S2-07] [S2-08] [S4-02] one object brings definition, prompt, settings, title and execution, with no change elsewhere', async () => {
  const greet = defineTool({
    name: 'greet',
    title: 'Greeting',
    description: '# Greet\n\nGreets somebody by name.',
    input: jsonSchema<{ name: string }>({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    }),
    options: { word: option.text({ label: 'Word', default: 'Hello' }) },
    ui: { icon: '👋', category: 'social' },
    tags: ['polite'],
    defaultEnabled: false,
    effects: 'read',
    prompt: 'Greet whoever comes.',
    render: { title: 'Greet {name}' },
    execute: ({ name }, { word }) => `${word}, ${name}!`,
  });
  const registry = createRegistry([greet]);
  expect(isEnabled(emptySettings, greet)).toBe(false);
  const settings = withOption({ ...emptySettings, categories: { social: true } }, greet, ['word', 'Moin']);
  const model = scriptedModel([{ calls: [{ name: 'greet', input: { name: 'Ada' } }] }, {}]);
  const { messages } = await run({ model, toolset: resolveToolset(registry, settings, {}), messages: 'Greet Ada.' })
    .result;
  expect(model.requests[0]).toMatchObject({
    system: 'Greet whoever comes.',
    tools: [{ name: 'greet', description: '# Greet\n\nGreets somebody by name.' }],
  });
  expect(messages[1]?.parts[0]).toMatchObject({ title: 'Greet Ada', icon: '👋' });
  expect(messages[2]?.parts[0]).toMatchObject({ output: 'Moin, Ada!' });
});

it('[S2-09] passes an unknown capability to the tool that requires it, and no other', async () => {
  const clock = capability<() => string>('clock');
  const tell = defineTool({
    name: 'tell',
    description: 'd',
    input: jsonSchema({ type: 'object' }),
    effects: 'read',
    requires: { now: clock },
    execute: (_input, _options, { host }) => [host.now(), Object.keys(host)],
  });
  const host = { clock: () => 'noon', files: {}, other: 1 };
  expect((await runTool(tell, {}, { host })).output).toEqual(['noon', ['now']]);
});

it('recognises an answer by its mark, not by its shape', () => {
  expect(isExplicitResult(result({ output: 1 }))).toBe(true);
  expect(isExplicitResult({ output: 1, isError: true })).toBe(false);
  expect(isExplicitResult(null)).toBe(false);
});
