import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { type StrictDialect, strictSchema } from './strict.ts';

const text = { type: 'string' };
const lax: StrictDialect = {
  takes: (keyword, value) => ['pattern', 'default'].includes(keyword) || (keyword === 'minItems' && value === 1),
  requiresAll: false,
  takesRecursion: false,
};
const full: StrictDialect = { ...lax, requiresAll: true, takesRecursion: true };
const object = (properties: JsonObject, more: JsonObject = {}) => ({ type: 'object', properties, ...more });
const lowered = (properties: JsonObject, dialect = lax, more: JsonObject = {}) =>
  strictSchema(object(properties, more), dialect)?.schema;
const propertiesOf = (properties: JsonObject, dialect = lax) => lowered(properties, dialect)?.['properties'];

it('closes objects, inside of others too, and counts what limits are about', () => {
  const inner = object({ a: text, b: { anyOf: [text, { type: 'null' }] } }, { required: ['a'] });
  expect(strictSchema(object({ inner, list: { type: 'array', items: text } }, { required: ['inner'] }), lax)).toEqual({
    schema: {
      type: 'object',
      properties: {
        inner: { ...inner, additionalProperties: false },
        list: { type: 'array', items: text },
      },
      required: ['inner'],
      additionalProperties: false,
    },
    properties: 4,
    optional: 2,
    unions: 1,
    depth: 2,
  });
});

it('counts unions as they are sent: of references that say more, and of values of several types', () => {
  const named = { $defs: { name: text } };
  const count = (schema: JsonObject) => strictSchema(object({ a: schema }, named), lax)?.unions;
  expect(count({ $ref: '#/$defs/name' })).toBe(0);
  expect(count({ $ref: '#/$defs/name', description: 'Of the city.' })).toBe(1);
  expect(count({ enum: ['a', 'b'] })).toBe(0);
  expect(count({ enum: ['a', null] })).toBe(1);
});

it('takes a tool without arguments for one that has none', () => {
  const empty = { type: 'object', properties: {}, required: [], additionalProperties: false };
  expect(strictSchema({ type: 'object' }, full)?.schema).toEqual(empty);
  expect(strictSchema({ type: 'object', additionalProperties: true }, full)).toBeUndefined();
});

describe('a keyword that is not enforced', () => {
  it('goes into the description, behind what that says', () => {
    expect(
      propertiesOf({
        count: { type: 'integer', minimum: 1, maximum: 9, description: 'How many.' },
        name: { ...text, pattern: '^a', minLength: 2, description: '' },
        names: { type: 'array', items: { ...text, format: 'idn-email' }, minItems: 1, uniqueItems: true },
      }),
    ).toEqual({
      count: { type: 'integer', description: 'How many.\n\n{minimum: 1, maximum: 9}' },
      name: { ...text, pattern: '^a', description: '{minLength: 2}' },
      names: {
        type: 'array',
        items: { ...text, description: '{format: "idn-email"}' },
        minItems: 1,
        description: '{uniqueItems: true}',
      },
    });
  });

  it('goes there at the top level and in alternatives, of which only one may fit', () => {
    const choice = { oneOf: [text, { type: 'integer' }], not: { const: '' } };
    expect(lowered({ choice }, lax, { minProperties: 1, $comment: 'x' })).toMatchObject({
      description: '{minProperties: 1}',
      properties: {
        choice: {
          anyOf: [text, { type: 'integer' }],
          description: '{not: {"const":""}, only one of the alternatives may fit}',
        },
      },
    });
  });

  it('is in one object with the others, if they are alternatives at the top', () => {
    const view = object({ command: { const: 'view' }, path: text }, { required: ['command', 'path'] });
    const help = object({ command: { const: 'help' } }, { required: ['command'] });
    const oneOf = [view, { $ref: '#/$defs/help' }];
    expect(strictSchema({ type: 'object', description: 'Does.', oneOf, $defs: { help } }, lax)?.schema).toMatchObject({
      properties: { command: { enum: ['view', 'help'] } },
      required: ['command'],
    });
    expect(lowered({ a: text }, lax, { not: { required: ['b'] } })).toMatchObject({
      description: '{not: {"required":["b"]}}',
    });
  });

  it('is lost in no schema whatever', () => {
    const keyword = fc.constantFrom('minimum', 'maxLength', 'pattern', 'minItems', 'multipleOf', 'x-mine', 'format');
    const leaf = fc.tuple(fc.constantFrom('string', 'integer', 'boolean'), fc.dictionary(keyword, fc.integer()));
    const shape = fc.letrec<{ node: JsonObject }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        leaf.map(([type, more]) => ({ ...more, type })),
        fc.tuple(tie('node'), fc.dictionary(keyword, fc.integer())).map(([items, more]) => ({
          ...more,
          type: 'array',
          items,
        })),
        fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((members) => ({ anyOf: members })),
        fc
          .array(tie('node'), { minLength: 1, maxLength: 3 })
          .map((members) =>
            object(Object.fromEntries(members.map((member, index) => [`p${index}`, member])), { required: ['p0'] }),
          ),
      ),
    })).node;
    const keywordsIn = (schema: unknown): number =>
      (JSON.stringify(schema).match(/minimum|maxLength|pattern|minItems|multipleOf|x-mine|format/g) ?? []).length;
    fc.assert(
      fc.property(shape, fc.boolean(), (node, requiresAll) => {
        const schema = lowered({ node }, { ...lax, requiresAll });
        expect(keywordsIn(schema)).toBe(keywordsIn(node));
        expect(JSON.stringify(schema)).not.toMatch(/"(?:minimum|maxLength|multipleOf|x-mine|format)":/);
      }),
      { numRuns: 200 },
    );
  });
});

describe('where all properties are required', () => {
  it('lets those that were not be null', () => {
    const ref = { $ref: '#/$defs/thing' };
    expect(
      lowered(
        {
          must: text,
          may: { ...text, description: 'Maybe.' },
          pick: { enum: ['a', 'b'] },
          only: { const: 1 },
          either: { anyOf: [text, { type: 'integer' }] },
          null: { type: ['string', 'null'] },
          ref,
          told: { ...ref, description: 'That one.' },
        },
        full,
        { required: ['must'], $defs: { thing: text } },
      ),
    ).toEqual({
      type: 'object',
      properties: {
        must: text,
        may: { type: ['string', 'null'], description: 'Maybe.' },
        pick: { type: ['string', 'null'], enum: ['a', 'b', null] },
        only: { anyOf: [{ type: 'integer', const: 1 }, { type: 'null' }] },
        either: { anyOf: [text, { type: 'integer' }, { type: 'null' }] },
        null: { type: ['string', 'null'] },
        ref: { anyOf: [ref, { type: 'null' }] },
        told: { anyOf: [ref, { type: 'null' }], description: 'That one.' },
      },
      required: ['must', 'may', 'pick', 'only', 'either', 'null', 'ref', 'told'],
      additionalProperties: false,
      $defs: { thing: text },
    });
  });
});

it.each<[string, JsonObject]>([
  ['is open', object({ a: text }, { additionalProperties: true })],
  ['is a map', object({ map: { type: 'object', additionalProperties: text } })],
  ['says nothing of a value', object({ any: {} })],
  ['says nothing of an item', object({ list: { type: 'array' } })],
  ['has properties by pattern', object({ a: { ...object({ a: text }), patternProperties: { b: text } } })],
  ['has items by position', object({ pair: { type: 'array', prefixItems: [text], items: text } })],
  ['adds to a base', object({ a: { allOf: [object({ a: text }), object({ b: text })] } })],
  ['has objects as its values', object({ a: { enum: [{}] } })],
  ['names what is elsewhere', object({ a: { $ref: 'https://schemas.example/a' } })],
  ['says a type and alternatives', object({ a: { type: 'string', anyOf: [{ minLength: 1 }] } })],
])('leaves a schema alone that %s', (_, schema) => {
  expect(strictSchema(schema, full)).toBeUndefined();
});

it('takes a part of one into the whole', () => {
  expect(propertiesOf({ a: { description: 'An a.', allOf: [{ ...text, minLength: 1 }] } })).toEqual({
    a: { ...text, description: 'An a.\n\n{minLength: 1}' },
  });
});

it('tells recursion, by whatever way, from a definition that is named twice', () => {
  const node = object({ next: { $ref: '#/$defs/other' } });
  const other = { type: 'array', items: { $ref: '#/$defs/node' } };
  const loop = object({ a: { $ref: '#/$defs/node' } }, { $defs: { node, other } });
  const twice = object({ a: { $ref: '#/$defs/thing' }, b: { $ref: '#/$defs/thing' } }, { $defs: { thing: text } });
  const self = object({ a: { $ref: '#' } });
  expect([loop, self, twice].map((schema) => strictSchema(schema, lax) !== undefined)).toEqual([false, false, true]);
  expect([loop, self, twice].map((schema) => strictSchema(schema, full) !== undefined)).toEqual([true, true, true]);
});
