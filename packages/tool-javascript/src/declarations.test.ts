import type { Json, JsonSchema, ToolDefinition } from '@utensil/core';
import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, it } from 'vitest';
import { declarationsOf } from './declarations.ts';

const tool = (name: string, inputSchema: JsonSchema, description = ''): ToolDefinition => ({
  type: 'function',
  name,
  description,
  inputSchema,
});

/** The type of a field with this schema. */
function typeOf(schema: Json): string {
  const text = declarationsOf([tool('f', { type: 'object', properties: { x: schema }, required: ['x'] })]);
  return /input: \{ x: (.*) \}\): Promise<unknown>;/.exec(text)?.[1] ?? text;
}

/** Throws for invalid TypeScript. */
const parse = (text: string): string => stripTypeScriptTypes(text);

describe('declarations', () => {
  it('have an input that is one of several objects as a union, which is never optional', () => {
    const form = (action: string, field: string) => ({
      type: 'object',
      properties: { action: { const: action }, [field]: {} },
    });
    const text = declarationsOf([tool('f', { type: 'object', oneOf: [form('view', 'path'), form('write', 'text')] })]);
    expect(text).toContain(
      'f(input: { action?: "view"; path?: unknown } | { action?: "write"; text?: unknown }): Promise<unknown>;',
    );
    expect(() => parse(text)).not.toThrow();
  });

  it('declare each tool in the order of names, with its description', () => {
    const add = tool(
      'add',
      {
        type: 'object',
        properties: { a: { type: 'number', description: 'The first.' }, b: { type: 'number' } },
        required: ['a', 'b'],
      },
      'Adds\n  two numbers.',
    );
    const list = tool('list-all', { type: 'object', properties: { after: { type: 'string' } } });
    const now = tool('now', { type: 'object', properties: {}, additionalProperties: false });
    const edit: ToolDefinition = { type: 'native', name: 'edit', definition: { type: 'edit_1' } };
    const text = [
      'declare const tools: {',
      '  /** Adds two numbers. */ add(input: { /** The first. */ a: number; b: number }): Promise<unknown>;',
      '  edit(input: { [name: string]: unknown }): Promise<unknown>;',
      '  "list-all"(input?: { after?: string }): Promise<unknown>;',
      '  now(input?: {}): Promise<unknown>;',
      '};',
    ].join('\n');
    expect(declarationsOf([now, list, edit, add])).toBe(text);
    expect(declarationsOf([add, edit, list, now])).toBe(text);
    expect(parse(text).trim()).toBe('');
    expect(declarationsOf([])).toBe('');
  });

  it.each<[Json, string]>([
    [{ type: 'string' }, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['a', 'b', 1, null] }, '"a" | "b" | 1 | null'],
    [{ const: false }, 'false'],
    [{ type: 'array', items: { type: 'string' } }, 'string[]'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
    [{ type: 'array' }, 'unknown[]'],
    [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'number' } }] }, 'string | number[]'],
    [{ oneOf: [{ type: 'integer' }, { type: 'number' }] }, 'number'],
    [{ type: 'object', properties: { 'a-b': { type: 'null' } } }, '{ "a-b"?: null }'],
    [{ type: 'object', additionalProperties: { type: 'boolean' } }, '{ [name: string]: boolean }'],
    [
      { type: 'array', items: { anyOf: [{ type: 'object' }, { type: 'null' }] } },
      '({ [name: string]: unknown } | null)[]',
    ],
    [{ $ref: '#/$defs/x' }, 'unknown'],
    [{ $ref: 'other.json' }, 'unknown'],
    [{ allOf: [{ type: 'string' }] }, 'string'],
    [{ allOf: [{ type: 'string' }, { minLength: 1 }] }, 'unknown'],
    [{ enum: [{ a: 1 }] }, 'unknown'],
    [{ anyOf: [] }, 'unknown'],
    [true, 'unknown'],
    [5, 'unknown'],
  ])('know %j', (schema, type) => {
    expect(typeOf(schema)).toBe(type);
    parse(`type X = ${type};`);
  });

  it('follow what a schema refers to in itself, but not around and around', () => {
    const schema = {
      type: 'object',
      properties: {
        filter: { $ref: '#/$defs/Filter' },
        mode: { allOf: [{ $ref: '#/$defs/a~1b' }] },
        odd: { $ref: '#/$defs/__proto__' },
        loop: { $ref: '#/$defs/loop' },
      },
      $defs: {
        Filter: { type: 'object', properties: { any: { type: 'array', items: { $ref: '#/$defs/Filter' } } } },
        'a/b': { enum: ['x', 'y'] },
        loop: { allOf: [{ $ref: '#/$defs/loop' }] },
      },
    };
    expect(declarationsOf([tool('f', schema)])).toContain(
      'f(input?: { filter?: { any?: unknown[] }; mode?: "x" | "y"; odd?: unknown; loop?: unknown })',
    );
    let wrapped: JsonSchema = { type: 'string' };
    for (let depth = 0; depth < 2000; depth++) wrapped = { allOf: [wrapped] };
    expect(typeOf(wrapped)).toBe('unknown');
  });

  it('leave room for others beside a tool with a huge schema, and take no longer for one that refers to itself a lot', () => {
    const each = (count: number, schema: Json): JsonSchema => ({
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, schema])),
    });
    const text = declarationsOf([tool('a', each(50, each(20, { type: 'string' }))), tool('b', { type: 'object' })]);
    expect(text).toContain('  a(input?: { [name: string]: unknown })');
    expect(text).toContain('  b(input?: { [name: string]: unknown })');

    const $defs = Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [`d${index}`, each(40, { $ref: `#/$defs/d${index + 1}` })]),
    );
    expect(declarationsOf([tool('a', { ...each(40, { $ref: '#/$defs/d0' }), $defs })]).length).toBeLessThan(6_000);
  });

  it('are bounded: deep, wide and long schemas end in unknown, many tools in their number', () => {
    let deep: JsonSchema = { type: 'string' };
    for (let depth = 0; depth < 1000; depth++) deep = { type: 'object', properties: { x: deep }, required: ['x'] };
    expect(typeOf(deep).length).toBeLessThan(100);
    expect(typeOf({ enum: Array.from({ length: 1000 }, (_, index) => index) })).toBe('unknown');
    expect(typeOf({ const: 'x'.repeat(5000) })).toBe('unknown');
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, { type: 'string' }]));
    expect(typeOf({ type: 'object', properties: wide })).toMatch(/x49\?: string; \[name: string\]: unknown \}$/);

    const many = Array.from({ length: 1000 }, (_, index) =>
      tool(`tool_${index}`, { type: 'object' }, 'long '.repeat(500)),
    );
    const text = declarationsOf(many);
    expect(text.length).toBeLessThan(21_000);
    expect(text).toMatch(/\n {2}\/\/ and 9\d\d more, with inputs as in their own definitions\n\};$/);
    parse(text);
  });

  it('stay one comment and one line a tool, whatever a description says', () => {
    const hostile = 'ends */ evil(): void; /* \n // \u2028 ` ${x} *//';
    const schema = { type: 'object', properties: { [hostile]: { type: 'string', description: hostile } } };
    const text = declarationsOf([tool('f', schema, hostile), tool('g', schema, `${'x'.repeat(199)}😀`)]);
    expect(text.split('\n')).toHaveLength(4);
    expect(parse(text).trim()).toBe('');
    expect(text).toContain(`${'x'.repeat(199)}\ufffd…`);
    const named = {
      type: 'object',
      properties: { ['__proto__']: { type: 'string' }, constructor: { type: 'number' } },
    };
    expect(declarationsOf([tool('f', named)])).toContain('{ __proto__?: string; constructor?: number }');
  });
});
