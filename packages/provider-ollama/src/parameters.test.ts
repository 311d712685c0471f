import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { toParameters } from './parameters.ts';

const properties = (schema: object) => toParameters({ type: 'object', properties: schema } as never)['properties'];

it('keeps what the server keeps, and says the rest in descriptions', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Search',
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What to look for.', minLength: 1, pattern: '^a' },
      limit: { type: 'integer', minimum: 1, maximum: 9, default: 5 },
      tags: { type: 'array', items: { type: 'string', format: 'date' }, uniqueItems: true },
      size: { type: ['number', 'null'] },
    },
    required: ['query'],
    additionalProperties: false,
  } as const;
  expect(toParameters(schema)).toEqual({
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What to look for. (minLength: 1, pattern: "^a")' },
      limit: { type: 'integer', description: '(minimum: 1, maximum: 9, default: 5)' },
      tags: {
        type: 'array',
        items: { type: 'string', description: '(format: "date")' },
        description: '(uniqueItems: true)',
      },
      size: { type: ['number', 'null'] },
    },
    required: ['query'],
  });
});

it('says in the words of the server what it has other words for', () => {
  const string = { type: 'string' };
  expect(
    properties({
      kind: { const: 'a' },
      level: { enum: [1, 2] },
      mixed: { enum: ['a', null] },
      either: { oneOf: [string, { type: 'null' }] },
      both: { allOf: [{ type: 'object', properties: { a: string }, required: ['a'] }, { properties: { b: {} } }] },
      map: { type: 'object', additionalProperties: string },
      any: true,
    }),
  ).toEqual({
    kind: { type: 'string', enum: ['a'] },
    level: { type: 'number', enum: [1, 2] },
    mixed: { enum: ['a', null] },
    either: { anyOf: [string, { type: 'null' }] },
    both: { type: 'object', properties: { a: string, b: {} }, required: ['a'] },
    map: { type: 'object', description: '(additionalProperties: {"type":"string"})' },
    any: {},
  });
});

it('puts definitions where they are named, also those that name themselves', () => {
  const $defs = {
    name: { type: 'string', minLength: 2 },
    tree: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/tree' } } } },
  };
  const schema = {
    type: 'object',
    properties: {
      who: { $ref: '#/$defs/name', description: 'Who.' },
      tree: { $ref: '#/$defs/tree' },
      self: { $ref: '#' },
      nowhere: { $ref: 'https://a.example/x', type: 'string' },
    },
    $defs,
  };
  expect(toParameters(schema)).toEqual({
    type: 'object',
    properties: {
      who: { type: 'string', description: 'Who. (minLength: 2)' },
      tree: {
        type: 'object',
        properties: {
          children: {
            type: 'array',
            items: { type: 'object', description: 'Of the same shape as the tree around it.' },
          },
        },
      },
      self: { type: 'object', description: 'Of the same shape as the object around it.' },
      nowhere: { type: 'string' },
    },
  });
});

it('makes an object of nothing', () => {
  expect(toParameters({})).toEqual({ type: 'object', properties: {} });
});

it('sends no other keyword, whatever the schema', () => {
  const kept = new Set(['type', 'items', 'description', 'enum', 'anyOf', 'properties', 'required']);
  const { schema } = fc.letrec<{ schema: object }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.record(
        { type: fc.constantFrom('string', 'number'), minimum: fc.nat(), const: fc.string(), default: fc.jsonValue() },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 3 }),
          items: tie('schema'),
          allOf: fc.array(tie('schema'), { maxLength: 2 }),
          oneOf: fc.array(tie('schema'), { maxLength: 2 }),
          $ref: fc.constantFrom('#', '#/$defs/a', '#/$defs/none'),
        },
        { requiredKeys: [] },
      ),
    ),
  }));
  const check = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      expect(kept).toContain(key);
      if (key === 'items') check(member);
      if (key === 'anyOf') (member as unknown[]).forEach(check);
      if (key === 'properties') Object.values(member as object).forEach(check);
    }
  };
  fc.assert(
    fc.property(schema, schema, (own, a) => check(toParameters({ ...own, $defs: { a } } as never))),
    { numRuns: 200 },
  );
});

it('wrote out a definition in 2^40 places, each of which names the next one twice', () => {
  const definition = (n: number) =>
    n === 40 ? { type: 'string' } : { anyOf: [{ $ref: `#/$defs/${n + 1}` }, { $ref: `#/$defs/${n + 1}` }] };
  const $defs = Object.fromEntries(Array.from({ length: 41 }, (_, n) => [n, definition(n)]));
  const written = toParameters({ type: 'object', properties: { a: { $ref: '#/$defs/0' } }, $defs });
  expect(JSON.stringify(written).length).toBeLessThan(1_000_000);
  expect(JSON.stringify(written)).toContain('Its shape is left out: the schema is too large.');
});
