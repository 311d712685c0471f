import * as z from 'zod';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { createRegistry, defineTool, emptySettings, jsonSchema, resolveToolset, run, runTool } from '../index.ts';
import type { JsonObject, Schema } from '../index.ts';
import { describeTool, plainObjectSchema } from '../model/provider/index.ts';
import { strictSchema } from '../model/provider/strict.ts';
import { scriptedModel } from '../testing/index.ts';

const view = z.strictObject({ action: z.literal('view'), path: z.string(), lines: z.optional(z.array(z.int())) });
const write = z.strictObject({ action: z.literal('write'), path: z.string().describe('Where to.'), text: z.string() });
const help = z.strictObject({ action: z.enum(['help', 'list']) }).describe('Tells what there is.');
const files = z.discriminatedUnion('action', [view, write, help]);

const objects = (...oneOf: JsonObject[]) => jsonSchema({ oneOf });

/** As Valibot's `variant` and ArkType's unions write them. */
const variant = objects(
  { type: 'object', properties: { action: { const: 'view' }, path: { type: 'string' } }, required: ['action', 'path'] },
  { type: 'object', properties: { action: { const: 'stop' } }, required: ['action'] },
);

function tool(input: Schema, name = 'files') {
  return defineTool({
    name,
    description: 'Works on files.',
    input,
    effects: 'read',
    execute: (given) => given as JsonObject,
  });
}

function definitionOf(input: Schema) {
  const [definition] = resolveToolset(createRegistry([tool(input)]), emptySettings, {}).definitions({ api: 'x' });
  if (definition?.type !== 'function') throw new Error('The tool is unavailable.');
  return definition;
}

async function answer(input: Schema, given: JsonObject): Promise<unknown> {
  return (await runTool(tool(input), given)).output;
}

describe('the input of a tool may be a union of objects', () => {
  it.each<[string, Schema, JsonObject]>([
    ['z.discriminatedUnion', files, { action: 'view', path: 'a.md' }],
    ['z.union', z.union([z.object({ a: z.string() }), z.object({ b: z.int() })]), { b: 1 }],
    ['a union in a union', z.union([files, z.object({ a: z.string() })]), { action: 'help' }],
    ['oneOf of a library', variant, { action: 'stop' }],
    ['anyOf of references', jsonSchema({ anyOf: [{ $ref: '#/$defs/a' }], $defs: { a: { type: 'object' } } }), {}],
    ['an intersection with a union', jsonSchema({ allOf: [{ anyOf: [{ type: 'object' }] }, {}] }), {}],
  ])('by %s', async (_, input, given) => {
    expect(definitionOf(input).inputSchema['type']).toBe('object');
    expect(await answer(input, given)).toEqual(given);
  });

  it.each<[string, JsonObject]>([
    ['a member is a text', { anyOf: [{ type: 'object' }, { type: 'string' }] }],
    ['a member may be anything', { oneOf: [{ type: 'object' }, {}] }],
    ['it is empty', { anyOf: [] }],
    ['a member may be null', { anyOf: [{ type: ['object', 'null'] }] }],
    ['nothing says what it is', { allOf: [{ minProperties: 1 }] }],
  ])('but not where %s', (_, schema) => {
    const { unavailable } = resolveToolset(createRegistry([tool(jsonSchema(schema))]), emptySettings, {});
    expect(unavailable.map(({ reason }) => reason)).toEqual([expect.stringContaining('must be an object')]);
  });

  it('whose type is that of what its work is given', () => {
    const typed = defineTool({
      name: 'typed',
      description: 'Is typed.',
      input: files,
      effects: ({ action }) => (action === 'write' ? 'write' : 'read'),
      execute(input) {
        expectTypeOf(input).toEqualTypeOf<z.output<typeof files>>();
        return input.action === 'write' ? input.text : input.action;
      },
    });
    expect(typed.name).toBe('typed');
  });
});

describe('if an API takes one object only', () => {
  it('the union becomes one, with a list of the actions', () => {
    expect(plainObjectSchema(definitionOf(files).inputSchema)).toEqual({
      type: 'object',
      properties: {
        action: { type: 'string', enum: ['view', 'write', 'help', 'list'] },
        path: { type: 'string', description: 'Where to.' },
        lines: expect.objectContaining({ type: 'array' }) as unknown,
        text: { type: 'string' },
      },
      required: ['action'],
    });
  });

  it('the description tells which fields belong together', () => {
    expect(describeTool(definitionOf(files))).toBe(
      `Works on files.

Input is one of:
- action "view": path, lines?
- action "write": path, text
- action "help" or "list" (Tells what there is.)`,
    );
  });

  it('a strict mode takes it, and what it fills in of other forms is left out again', async () => {
    const dialect = { requiresAll: true, takesRecursion: true, takes: () => false };
    const strict = strictSchema(definitionOf(files).inputSchema, dialect)?.schema;
    expect(strict).toMatchObject({ required: ['action', 'path', 'lines', 'text'], additionalProperties: false });
    const filled = { action: 'write', path: 'a.md', text: 'x', lines: null };
    expect(await answer(files, filled)).toEqual({ action: 'write', path: 'a.md', text: 'x' });
  });
});

describe('a call that fits no form', () => {
  it.each<[string, Schema, JsonObject, string]>([
    [
      'names the form that was meant',
      files,
      { action: 'write', path: 'a.md' },
      'Invalid input for tool "files", taken for action "write":\n- text: required, expected a string',
    ],
    [
      'says of a field that it is of another form',
      files,
      { action: 'view', path: 'a.md', text: 'x' },
      'Invalid input for tool "files", taken for action "view":\n- text: is not a field of action "view"',
    ],
    [
      'lists the forms if the action is unknown',
      variant,
      { action: 'delete', path: 'a.md' },
      'Invalid input for tool "files":\n- action: expected one of "view", "stop", got the string "delete"\nIt takes one of:\n- action "view": path\n- action "stop"',
    ],
    [
      'lists the forms if there is no action',
      variant,
      {},
      'Invalid input for tool "files":\n- action: required, expected one of "view", "stop"\nIt takes one of:\n- action "view": path\n- action "stop"',
    ],
    [
      'is read by its fields if nothing else tells the forms apart',
      z.union([z.object({ a: z.string() }), z.object({ b: z.array(z.int()), c: z.optional(z.string()) })]),
      { b: [0.5] },
      'Invalid input for tool "files", taken for the form with b, c?:\n- b[0]: expected a whole number, got 0.5',
    ],
    [
      'lists the forms if several fit as well',
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      {},
      'Invalid input for tool "files":\n- input: fits none of its forms\nIt takes one of:\n- a\n- b',
    ],
  ])('%s', async (_, input, given, text) => {
    expect(await answer(input, given)).toBe(text);
  });

  it('is repaired as the form that was meant', async () => {
    const input = z.union([z.object({ a: z.string() }), z.object({ b: z.int() })]);
    expect(await answer(input, { b: '5' })).toEqual({ b: 5 });
  });
});

it('a tool that cannot be used is told as an event, and on the console of a developer', async () => {
  vi.stubEnv('NODE_ENV', 'development');
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const toolset = resolveToolset(createRegistry([tool(jsonSchema({ type: 'string' }), 'odd')]), emptySettings, {});
  const events: string[] = [];
  const played = run({ model: scriptedModel([{ text: 'Hello.' }]), messages: 'Hi', toolset });
  for await (const event of played.events()) if (event.type === 'tool-unavailable') events.push(event.reason);
  expect(events).toEqual([expect.stringContaining('must be an object')]);
  expect(warn).toHaveBeenCalledWith(`Tool "odd" is unavailable: ${events[0]}`);
  vi.unstubAllEnvs();
});
