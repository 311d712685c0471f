import { expect, it } from 'vitest';
import type { Json, JsonSchema } from '../base/json.ts';
import { repair } from './repair.ts';

const strings: JsonSchema = { type: 'array', items: { type: 'string' } };
const nullable: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'null' }] };
const field = (schema: JsonSchema, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties: { f: schema },
  required,
});

it.each<[name: string, schema: JsonSchema, before: Json, after: Json]>([
  ['one string for an array of them', field(strings), { f: 'a' }, { f: ['a'] }],
  ['one number for an array of them', field({ type: 'array', items: { type: 'integer' } }), { f: 3 }, { f: [3] }],
  [
    'one object for an array of them',
    field({ type: 'array', items: { type: 'object' } }),
    { f: { a: 1 } },
    { f: [{ a: 1 }] },
  ],
  ['JSON text for an array', field({ type: 'array', items: { type: 'integer' } }), { f: '[1,2]' }, { f: [1, 2] }],
  ['JSON text for an object', field({ type: 'object' }), { f: '{"a":1}' }, { f: { a: 1 } }],
  ['null for an optional field', field({ type: 'string' }), { f: null }, {}],
  ['text for a number', field({ type: 'number' }), { f: '-1.5e2' }, { f: -150 }],
  ['text for a whole number', field({ type: 'integer' }), { f: '5' }, { f: 5 }],
  ['text for true', field({ type: 'boolean' }), { f: 'true' }, { f: true }],
  [
    'text in a number inside an array',
    field({ type: 'array', items: { type: 'integer' } }),
    { f: ['1', 2] },
    { f: [1, 2] },
  ],
  ['one text for an array of numbers', field({ type: 'array', items: { type: 'integer' } }), { f: '7' }, { f: [7] }],
  ['deep inside', field(field(strings)), { f: { f: 'a' } }, { f: { f: ['a'] } }],
  ['behind a reference', { ...field({ $ref: '#/$defs/s' }), $defs: { s: strings } }, { f: 'a' }, { f: ['a'] }],
  [
    'an array as one of several types',
    field({ type: ['array', 'boolean'], items: { type: 'string' } }),
    { f: 'a' },
    { f: ['a'] },
  ],
])('[S2-05] [A2-04] mends %s, and says so', (_, schema, before, after) => {
  const { value, repairs } = repair(before, schema);
  expect(value).toEqual(after);
  expect(repairs).not.toEqual([]);
});

it.each<[name: string, schema: JsonSchema, value: Json]>([
  ['a union that takes it as it is', field({ anyOf: [{ type: 'string' }, strings] }), { f: 'a' }],
  ['null where it is allowed', field(nullable), { f: null }],
  ['null in a required field', field({ type: 'string' }, ['f']), { f: null }],
  ['text that is no number', field({ type: 'integer' }), { f: '5 apples' }],
  ['a fraction for a whole number', field({ type: 'integer' }), { f: '1.5' }],
  ['an empty text for a number', field({ type: 'number' }), { f: '' }],
  ['a text that is too large for a number', field({ type: 'number' }), { f: '1e999' }],
  ['a number for a text', field({ type: 'string' }), { f: 5 }],
  ['yes for true', field({ type: 'boolean' }), { f: 'yes' }],
  ['an object for an array of texts', field(strings), { f: { a: 1 } }],
  ['a field that is unknown', field(strings), { g: 'a' }],
  ['text that is only half JSON', field({ type: 'object' }), { f: '{"a":' }],
  ['a reference to itself', { ...field({ $ref: '#/$defs/s' }), $defs: { s: { $ref: '#/$defs/s' } } }, { f: 'a' }],
  [
    'the alternative that its constant says, beside one whose constants are objects',
    field({
      oneOf: [
        { type: 'object', properties: { mode: { enum: ['fast', { own: true }] }, level: { type: 'integer' } } },
        { type: 'object', properties: { mode: { enum: ['named', 'other'] }, level: {} } },
      ],
    }),
    { f: { mode: 'named', level: '1e3' } },
  ],
])('[S2-05] [A2-04] leaves alone %s', (_, schema, value) => {
  expect(repair(value, schema)).toEqual({ value, repairs: [] });
});
