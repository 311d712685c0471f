// Untrusted schemas, and values for them, made to keep the host busy or to break it. Steps and outcomes are asserted,
// never times: a value that hangs fails its test by the time limit.

import { describe, expect, it } from 'vitest';
import { defineTool } from '../tool/define.ts';
import { explainIssues } from '../call/explain.ts';
import { jsonSchema } from './json-schema.ts';
import type { Json, JsonObject, JsonSchema } from '../base/json.ts';
import { plainObjectSchema } from './plain-object.ts';
import { createRegistry } from '../tool/registry.ts';
import { repair } from '../call/repair.ts';
import { runTool } from '../toolset/run-tool.ts';
import { emptySettings } from '../settings/settings.ts';
import { strictSchema } from './strict.ts';
import { resolveToolset } from '../toolset/toolset.ts';

async function isValid(schema: JsonSchema, value: unknown): Promise<boolean> {
  return (await jsonSchema(schema)['~standard'].validate(value)).issues === undefined;
}

/** Each definition names the next one twice: `depth` of them, and as many evaluations as 2 to the power of it. */
function doubling(depth: number, keyword = 'allOf'): JsonSchema {
  const definition = (n: number): JsonSchema => ({
    [keyword]: [{ $ref: `#/$defs/${n + 1}` }, { $ref: `#/$defs/${n + 1}` }],
  });
  const last: JsonSchema = { type: 'object', properties: { name: { type: 'string' } } };
  const definitions = Array.from({ length: depth }, (_, n) => [String(n), n === depth - 1 ? last : definition(n)]);
  return { type: 'object', allOf: [{ $ref: '#/$defs/0' }], $defs: Object.fromEntries(definitions) as JsonObject };
}

function nested(depth: number, inner: Json, wrap: (value: Json) => Json): Json {
  let value = inner;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

describe('jsonSchema', () => {
  it('spent minutes on a format of a text: a format only describes', async () => {
    expect(await isValid({ type: 'string', format: 'url' }, `http://${'a'.repeat(28)}.\0`)).toBe(true);
  });

  it('spent hours on ^(a+)+$', async () => {
    expect(await isValid({ pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}!`)).toBe(false);
    expect(await isValid({ patternProperties: { '^(a+)+$': false } }, { [`${'a'.repeat(50_000)}!`]: 1 })).toBe(true);
  });

  it('wrote out the repetitions of thousands of short patterns', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, n) => [`p${n}`, { pattern: `^${n}a{4000}$` }]),
    );
    await expect(isValid({ properties }, {})).rejects.toMatchObject({
      code: 'schema_unsupported',
      message: expect.stringContaining('has patterns that are too large: repeat less in them, or use "maxLength"'),
    });
  });

  it('ran thousands of patterns over each of thousands of names', async () => {
    const patternProperties = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`^${n}$`, {}]));
    const value = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n]));
    await expect(isValid({ patternProperties }, value)).rejects.toMatchObject({ code: 'schema_too_costly' });
  });

  it('compared each of 10,000 objects with each other one', async () => {
    const items = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `item ${id}`, tags: ['a', { b: null }] }));
    expect(await isValid({ uniqueItems: true }, items)).toBe(true);
    const reordered = { tags: ['a', { b: null }], name: 'item 7', id: 7.0 };
    expect(await isValid({ uniqueItems: true }, [...items, reordered])).toBe(false);
    expect(await isValid({ uniqueItems: true }, [1, true, '1', [1], { 1: 1 }, null, 'null', '[1]'])).toBe(true);
  });

  it.each(['allOf', 'anyOf', 'oneOf'])('evaluated a doubling $ref 2^40 times, by %s', async (keyword) => {
    await expect(isValid(doubling(40, keyword), { name: 5 })).rejects.toMatchObject({
      code: 'schema_too_costly',
      message: expect.stringContaining('send a smaller value, or simplify the schema'),
    });
    expect(await isValid(doubling(10), { name: 'x' })).toBe(true);
  });

  it('did as much work as a small schema and a small value multiply to', async () => {
    const names = Array.from({ length: 10_000 }, (_, n) => `k${n}`);
    const values = Array.from({ length: 5_000 }, () => ({}));
    const constants = names.map((name) => ({ const: name }));
    for (const items of [{ required: names }, { anyOf: constants }, { dependentRequired: { a: names } }] as const) {
      const given = 'dependentRequired' in items ? values.map(() => ({ a: 1 })) : values;
      await expect(isValid({ items: { not: { not: items } } }, given)).rejects.toMatchObject({
        code: 'schema_too_costly',
      });
    }
  });

  it('overflowed the stack on a $ref that leads to itself', async () => {
    const loops: readonly JsonSchema[] = [
      { $ref: '#' },
      { anyOf: [{ type: 'string' }, { not: { $ref: '#' } }] },
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { if: false, else: { $ref: '#/$defs/a' } } } },
      { dependentSchemas: { a: { $ref: '#' } } },
    ];
    for (const schema of loops) {
      await expect(isValid(schema, {})).rejects.toMatchObject({
        code: 'schema_unsupported',
        message: expect.stringContaining('refers to itself for the same value'),
      });
    }
    const tree: JsonSchema = {
      type: 'object',
      properties: { left: { $ref: '#' }, right: { $ref: '#' } },
      required: [],
    };
    expect(await isValid(tree, { left: { right: {} }, right: { left: 5 } })).toBe(false);
  });

  it('overflowed the stack on a deep schema, and on a deep value', async () => {
    const schema = nested(5_000, {}, (inner) => ({ properties: { a: inner } })) as JsonSchema;
    await expect(isValid(schema, {})).rejects.toMatchObject({ code: 'schema_unsupported' });
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`a${n}`, { $ref: `#/$defs/a${n + 1}` }]));
    await expect(isValid({ $ref: '#/$defs/a0', $defs: { ...wide, a20000: {} } }, 1)).rejects.toMatchObject({
      code: 'schema_too_costly',
    });
    const value = nested(20_000, 'x', (inner) => [inner]);
    for (const recursive of [{ items: { $ref: '#' } }, { uniqueItems: true }, { const: [1] }] as const) {
      await expect(isValid(recursive, value)).rejects.toMatchObject({ code: 'schema_too_costly' });
    }
    expect(
      await isValid(
        { items: { $ref: '#' } },
        nested(300, 'x', (inner) => [inner]),
      ),
    ).toBe(true);
  });

  it('has stack enough for the deepest value, called from deep inside of a program', async () => {
    const { compile } = await import('./validation/interpreter.ts');
    const check = compile({ anyOf: [{ type: 'array', items: { $ref: '#' } }, { type: 'string' }] });
    const value = nested(330, 'x', (inner) => [inner]);
    const from = (frames: number): readonly unknown[] => (frames === 0 ? check(value) : from(frames - 1));
    expect(from(2_000)).toEqual([]);
  });

  it.each(['$dynamicRef', '$recursiveRef'])(
    'took values wrongly for valid by %s, which it refuses in words',
    async (keyword) => {
      const schema: JsonSchema = { type: 'object', properties: { a: { items: { [keyword]: '#node' } } } };
      await expect(isValid(schema, {})).rejects.toMatchObject({
        code: 'schema_unsupported',
        message: `The schema at #/properties/a/items has the keyword "${keyword}", which is not supported: write "$ref" with the schema that is meant.`,
      });
      expect(await isValid({ properties: { [keyword]: { const: { [keyword]: '#' } } } }, {})).toBe(true);
    },
  );

  it('never fetches a schema that is named by an address', async () => {
    for (const $ref of [
      'https://schema.example/a.json',
      'file:///etc/passwd',
      'other.json',
      '#/$defs/missing',
      '#a',
      '#%',
    ]) {
      await expect(isValid({ items: { $ref } }, [])).rejects.toMatchObject({
        code: 'schema_unsupported',
        message: expect.stringContaining(`refers to ${JSON.stringify($ref)}, which is not in this schema`),
      });
    }
  });

  it('knows names that every object has from those of the value', async () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"number"},"toString":{"type":"number"}},"additionalProperties":false}',
    ) as JsonSchema;
    expect(await isValid(schema, {})).toBe(true);
    expect(await isValid(schema, JSON.parse('{"__proto__":"a","constructor":1}'))).toBe(true);
    expect(await isValid(schema, JSON.parse('{"__proto__":1}'))).toBe(false);
    expect(await isValid(schema, { valueOf: 1 })).toBe(false);
    expect(await isValid({ required: ['constructor'] }, {})).toBe(false);
    expect(await isValid({ required: ['__proto__'] }, {})).toBe(false);
    expect(
      await isValid({ dependentRequired: { constructor: ['a'] }, dependentSchemas: { toString: false } }, {}),
    ).toBe(true);
    for (const $ref of ['#/constructor', '#/__proto__', '#/$defs/toString']) {
      await expect(isValid({ $ref, $defs: {} }, {})).rejects.toMatchObject({ code: 'schema_unsupported' });
    }
    expect(
      await isValid(JSON.parse('{"constructor":{"type":"never"},"__proto__":{"type":"never"}}') as JsonSchema, 1),
    ).toBe(true);
  });

  it.each<[schema: JsonSchema, said: string]>([
    [{ type: 'strnig' }, 'The schema at # has "strnig" as "type": "type" takes one or more of "string"'],
    [
      { properties: { a: { required: true } } },
      'at #/properties/a has true as "required": "required" takes a list of strings',
    ],
    [{ items: { minimum: '1' } }, 'at #/items has "1" as "minimum": "minimum" takes a number'],
    [{ anyOf: { type: 'string' } }, '"anyOf" takes a list of schemas'],
    [{ properties: { a: 'string' } }, '"properties" takes an object of schemas'],
    [{ minLength: -1 }, '"minLength" takes a whole number from 0'],
    [{ multipleOf: 0 }, '"multipleOf" takes a number above 0'],
    [{ contains: true, minContains: 'x' }, '"minContains" takes a whole number from 0'],
    [{ items: { pattern: '(a)\\1' } }, 'at #/items has a pattern that refers back to a group (\\1)'],
    [{ pattern: '[' }, 'has an invalid pattern, "["'],
    [
      { $schema: 'http://json-schema.org/draft-04/schema#' },
      'is written for "http://json-schema.org/draft-04/schema#"',
    ],
    [{ enum: Array.from({ length: 100_000 }, (_, n) => n) }, 'has more than 100000 values'],
  ])('refuses %j in words', async (schema, said) => {
    await expect(isValid(schema, {})).rejects.toMatchObject({
      code: 'schema_unsupported',
      message: expect.stringContaining(said),
    });
  });

  it('reads draft 7 where the schema says so', async () => {
    const tuple: JsonSchema = { items: [{ type: 'string' }], additionalItems: false };
    for (const $schema of [{}, { $schema: 'http://json-schema.org/draft-07/schema#' }]) {
      expect(await isValid({ ...$schema, ...tuple }, ['a'])).toBe(true);
      expect(await isValid({ ...$schema, ...tuple }, ['a', 'b'])).toBe(false);
    }
  });

  it('tells what the schema of a place does not say', async () => {
    const rows: readonly (readonly [JsonSchema, Json, string])[] = [
      [{ uniqueItems: true }, [1, 2, 1], 'items 0 and 2 are equal'],
      [{ not: { type: 'string' } }, 'a', 'has a form that is excluded'],
      [{ contains: { type: 'string' } }, [1], 'at least 1 items of a certain form, and there are 0'],
      [{ maxProperties: 1 }, { a: 1, b: 2 }, 'at most 1 fields, and there are 2'],
      [{ propertyNames: { pattern: '^a' } }, { b: 1 }, 'no field may be called "b"'],
      [{ oneOf: [{ type: 'number' }, { minimum: 1 }] }, 5, 'fits alternatives 1 and 2, where only one may fit'],
    ];
    for (const [schema, value, said] of rows) {
      const { issues = [] } = await jsonSchema(schema)['~standard'].validate(value);
      expect(explainIssues(issues, value, schema)).toContain(`(${said})`);
    }
  });
});

describe('a tool with an untrusted schema', () => {
  const tool = (input: JsonSchema) =>
    defineTool({ name: 't', description: 'd', input: jsonSchema(input), effects: 'read', execute: () => 'ran' });

  it('answers a call that is too costly to check in words, and with a code of its own', async () => {
    const { code, output } = await runTool(tool(doubling(40)), { name: 5 });
    expect(code).toBe('schema_too_costly');
    expect(output).toContain('The input of tool "t" could not be checked: Validation stopped after 2000000 steps');
    const refused = await runTool(tool({ type: 'object', properties: { a: { $dynamicRef: '#a' } } }), {});
    expect(refused.code).toBe('schema_unsupported');
  });

  it('failed as if it had not run if its output is too costly to check', async () => {
    const ran = await runTool(
      { ...tool({ type: 'object' }), output: jsonSchema(doubling(40)), execute: () => ({}) },
      {},
    );
    expect(ran).toMatchObject({ code: 'schema_too_costly', isError: true });
    expect(ran.output).toContain('the output of "t" could not be checked: Validation stopped');
  });

  it('is unavailable if the schema is too deep or too large for the code that walks it', () => {
    const deep = nested(3_000, {}, (inner) => ({ type: 'object', properties: { a: inner } })) as JsonSchema;
    const large = { type: 'object', properties: { a: { enum: Array.from({ length: 100_000 }, (_, n) => n) } } };
    for (const schema of [deep, large]) {
      const toolset = resolveToolset(createRegistry([tool(schema)]), emptySettings, {});
      expect(toolset.unavailable.map(({ reason }) => reason)).toEqual([expect.stringContaining('This schema')]);
      expect(toolset.definitions({ api: 'text' })).toEqual([]);
    }
  });

  it('is lowered for vendors in as many steps as it has definitions, however often they are named', () => {
    const plain = plainObjectSchema({
      ...doubling(40, 'anyOf'),
      anyOf: [{ $ref: '#/$defs/0' }, { $ref: '#/$defs/0' }],
    });
    expect(plain['properties']).toEqual({ name: { type: 'string' } });
    const many = Array.from({ length: 5_000 }, (_, n) => ({
      properties: { [`p${n}`]: { const: n }, same: { const: n } },
    }));
    const { properties } = plainObjectSchema({ type: 'object', oneOf: many });
    expect(Object.keys(properties as JsonObject)).toHaveLength(5_001);
    expect(properties).toMatchObject({ same: { enum: expect.objectContaining({ length: 5_000 }) } });
    const members = Array.from({ length: 20_000 }, () => ({ $ref: '#/$defs/a' }));
    const kinds = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, { const: n }]));
    const told = plainObjectSchema({ type: 'object', anyOf: members, $defs: { a: { properties: kinds } } });
    expect(String(told['description']).length).toBeLessThan(20_000);
  });

  it('is lowered for a strict mode with 20,000 definitions, each of which names the next', () => {
    const dialect = { takes: () => true, requiresAll: false, takesRecursion: false };
    const chain = (last: JsonSchema): JsonSchema => {
      const entries = Array.from({ length: 20_000 }, (_, n) => [`d${n}`, { $ref: `#/$defs/d${n + 1}` }] as const);
      return {
        type: 'object',
        properties: { a: { $ref: '#/$defs/d0' } },
        required: ['a'],
        additionalProperties: false,
        $defs: { ...Object.fromEntries(entries), d20000: last },
      };
    };
    expect(strictSchema(chain({ type: 'string' }), dialect)).toBeDefined();
    expect(strictSchema(chain({ $ref: '#/$defs/d7' }), dialect)).toBeUndefined();
  });

  it('is explained in as many steps as it has places, not as many as there are ways to them', () => {
    const twice: JsonSchema = {
      $ref: '#/$defs/a',
      $defs: {
        a: {
          anyOf: [
            { properties: { x: { $ref: '#/$defs/a' } } },
            { type: 'object', properties: { x: { $ref: '#/$defs/a' } } },
          ],
        },
      },
    };
    const path = [...Array.from({ length: 60 }, () => 'x'), 'unknown'];
    expect(explainIssues([{ path, message: '' }], {}, twice)).toContain('is not a field of this tool');
  });

  it('is explained without writing out a large value, or a long list of what is allowed, for each issue', () => {
    let writes = 0;
    const counted = { toJSON: () => (writes++, { a: 'x'.repeat(1_000) }) };
    const issues = Array.from({ length: 100 }, (_, n) => ({ path: [], message: `no ${n}` }));
    expect(explainIssues(issues, counted, {})).toContain('- input: expected a value, got the object {"a":"xxx');
    expect(writes).toBe(1);
    const list = Array.from({ length: 1_000 }, (_, n) => n);
    expect(explainIssues([{ path: [], message: '' }], 'x', { enum: list })).toContain('98, 99 or 900 others, got');
  });

  it('repairs nothing where that takes too much work', () => {
    const choices = Array.from({ length: 900 }, (_, n) => ({ type: 'object', properties: { kind: { const: n } } }));
    const schema: JsonSchema = { items: { anyOf: choices } };
    const value = [...Array.from({ length: 20_000 }, () => ['5']), '{"kind":1}'];
    expect(repair(value.slice(-2), schema).value).toEqual([['5'], { kind: 1 }]);
    expect(repair(value, schema)).toEqual({ value, repairs: [] });
    const deep = nested(5_000, '5', (inner) => ({ a: inner }));
    expect(repair(deep, { properties: { a: { $ref: '#' } } }).repairs).toEqual([]);
    expect(repair({ a: 1 }, { properties: { a: { $ref: '#/constructor', type: 'string' } } }).repairs).toEqual([]);
  });
});
