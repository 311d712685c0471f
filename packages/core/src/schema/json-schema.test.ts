import { expect, it } from 'vitest';
import { explainIssues } from '../call/explain.ts';
import { jsonSchema } from './json-schema.ts';
import type { Json, JsonSchema } from '../base/json.ts';

const field = (schema: JsonSchema): JsonSchema => ({ type: 'object', properties: { f: schema } });

async function explain(schema: JsonSchema, value: Json): Promise<string> {
  const { issues } = await jsonSchema(schema)['~standard'].validate(value);
  return issues === undefined ? 'valid' : explainIssues(issues, value, schema);
}

/**
 * Schemas by keyword, as in the groups of the JSON Schema test suite: a valid value, an invalid one, and its messages.
 */
const rows: readonly (readonly [keyword: string, schema: JsonSchema, good: Json, bad: Json, said: string])[] = [
  ['type: string', field({ type: 'string' }), { f: 'a' }, { f: 1 }, '- f: expected a string, got 1'],
  ['type: number', field({ type: 'number' }), { f: 1.5 }, { f: '1.5' }, '- f: expected a number, got the string "1.5"'],
  ['type: integer', field({ type: 'integer' }), { f: 2 }, { f: 1.5 }, '- f: expected a whole number, got 1.5'],
  [
    'type: integer, as 1.0',
    field({ type: 'integer' }),
    { f: 1.0 },
    { f: null },
    '- f: expected a whole number, got null',
  ],
  ['type: boolean', field({ type: 'boolean' }), { f: false }, { f: 0 }, '- f: expected true or false, got 0'],
  ['type: null', field({ type: 'null' }), { f: null }, { f: '' }, '- f: expected null, got the string ""'],
  ['type: object', field({ type: 'object' }), { f: {} }, { f: [] }, '- f: expected an object, got the array []'],
  ['type: array', field({ type: 'array' }), { f: [] }, { f: {} }, '- f: expected an array, got the object {}'],
  [
    'type: several',
    field({ type: ['string', 'null'] }),
    { f: null },
    { f: 5 },
    '- f: expected a string or null, got 5',
  ],
  [
    'enum',
    field({ enum: ['a', 1, null] }),
    { f: 1 },
    { f: 'b' },
    '- f: expected one of "a", 1, null, got the string "b"',
  ],
  ['const', field({ const: 'x' }), { f: 'x' }, { f: 'y' }, '- f: expected "x", got the string "y"'],
  ['minimum', field({ type: 'number', minimum: 1 }), { f: 1 }, { f: 0 }, '- f: expected a number from 1, got 0'],
  ['maximum', field({ type: 'number', maximum: 9 }), { f: 9 }, { f: 10 }, '- f: expected a number up to 9, got 10'],
  [
    'exclusiveMinimum',
    field({ type: 'number', exclusiveMinimum: 0 }),
    { f: 1 },
    { f: 0 },
    '- f: expected a number above 0, got 0',
  ],
  [
    'exclusiveMaximum',
    field({ type: 'number', exclusiveMaximum: 9 }),
    { f: 8 },
    { f: 9 },
    '- f: expected a number below 9, got 9',
  ],
  [
    'multipleOf',
    field({ type: 'number', multipleOf: 5 }),
    { f: 10 },
    { f: 7 },
    '- f: expected a number in steps of 5, got 7',
  ],
  [
    'minLength',
    field({ type: 'string', minLength: 2 }),
    { f: 'ab' },
    { f: 'a' },
    '- f: expected a string of at least 2 characters, got the string "a"',
  ],
  [
    'maxLength',
    field({ type: 'string', maxLength: 2 }),
    { f: 'ab' },
    { f: 'abc' },
    '- f: expected a string of at most 2 characters, got the string "abc"',
  ],
  [
    'minLength, maxLength',
    field({ type: 'string', minLength: 1, maxLength: 2 }),
    { f: 'a' },
    { f: '' },
    '- f: expected a string of 1 to 2 characters, got the string ""',
  ],
  [
    'pattern',
    field({ type: 'string', pattern: '^a' }),
    { f: 'ab' },
    { f: 'b' },
    '- f: expected a string matching ^a, got the string "b"',
  ],
  [
    'items',
    field({ type: 'array', items: { type: 'string' } }),
    { f: ['a'] },
    { f: ['a', 5] },
    '- f[1]: expected a string, got 5',
  ],
  [
    'prefixItems',
    field({ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }),
    { f: ['a', 1] },
    { f: ['a', 'b'] },
    '- f[1]: expected a number, got the string "b"',
  ],
  [
    'minItems',
    field({ type: 'array', minItems: 1, items: { type: 'string' } }),
    { f: ['a'] },
    { f: [] },
    '- f: expected an array of at least 1 items, each a string, got the array []',
  ],
  [
    'maxItems',
    field({ type: 'array', maxItems: 1 }),
    { f: [1] },
    { f: [1, 2] },
    '- f: expected an array of at most 1 items, got the array [1,2]',
  ],
  [
    'as many items as a tuple has',
    field({ type: 'array', minItems: 2, maxItems: 2, prefixItems: [{ type: 'number' }, { type: 'number' }] }),
    { f: [1, 2] },
    { f: [1] },
    '- f: expected an array of exactly 2 items: a number, then a number, then no more, got the array [1]',
  ],
  [
    'minItems alone',
    field({ type: 'array', minItems: 2 }),
    { f: [1, 2] },
    { f: [] },
    '- f: expected an array of at least 2 items, got the array []',
  ],
  [
    'minItems of a tuple',
    field({
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'integer', minimum: 1 }],
      items: false,
      minItems: 2,
    }),
    { f: ['a', 1] },
    { f: [] },
    '- f: expected an array of at least 2 items: a string, then a whole number from 1, then no more, got the array []',
  ],
  [
    'items behind those of a tuple',
    field({ type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' }, minItems: 1 }),
    { f: ['a', 1] },
    { f: [] },
    '- f: expected an array of at least 1 items: a string, then each a number, got the array []',
  ],
  [
    'items of items, with bounds',
    field({
      type: 'array',
      items: { type: 'array', items: { type: 'array', minItems: 3, items: { type: 'number' } } },
    }),
    { f: [[[1, 2, 3]]] },
    { f: 'a' },
    '- f: expected an array, each an array, each an array of at least 3 items, got the string "a"',
  ],
  [
    'required',
    { type: 'object', properties: { f: { type: 'string' } }, required: ['f'] },
    { f: '' },
    {},
    '- f: required, expected a string',
  ],
  [
    'required, nested',
    field({ type: 'object', properties: { g: { type: 'boolean' } }, required: ['g'] }),
    { f: { g: true } },
    { f: {} },
    '- f.g: required, expected true or false',
  ],
  [
    'additionalProperties: false',
    { ...field({}), additionalProperties: false },
    { f: 1 },
    { f: 1, g: 2 },
    '- g: is not a field of this tool',
  ],
  [
    'additionalProperties: schema',
    { type: 'object', additionalProperties: { type: 'number' } },
    { x: 1 },
    { x: 'a' },
    '- x: expected a number, got the string "a"',
  ],
  [
    'anyOf',
    field({ anyOf: [{ type: 'string' }, { type: 'integer' }] }),
    { f: 5 },
    { f: 1.5 },
    '- f: expected a string or a whole number, got 1.5',
  ],
  [
    'oneOf',
    field({ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }),
    { f: ['a'] },
    { f: 5 },
    '- f: expected a string or an array, each a string, got 5',
  ],
  [
    'allOf',
    field({ type: 'number', allOf: [{ minimum: 1 }, { maximum: 3 }] }),
    { f: 2 },
    { f: 4 },
    '- f: expected a number, got 4',
  ],
  [
    '$ref',
    { ...field({ $ref: '#/$defs/n' }), $defs: { n: { type: 'number' } } },
    { f: 1 },
    { f: 'a' },
    '- f: expected a number, got the string "a"',
  ],
  [
    '$ref, recursive',
    {
      $ref: '#/$defs/t',
      $defs: { t: { type: 'object', properties: { next: { $ref: '#/$defs/t' }, v: { type: 'number' } } } },
    },
    { next: { v: 1 } },
    { next: { next: { v: 'x' } } },
    '- next.next.v: expected a number, got the string "x"',
  ],
  [
    'names with slashes and tildes',
    { type: 'object', properties: { 'a/b~c d': { type: 'number' } } },
    { 'a/b~c d': 1 },
    { 'a/b~c d': 'x' },
    '- a/b~c d: expected a number, got the string "x"',
  ],
  [
    'several fields',
    { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a', 'b'] },
    { a: '', b: '' },
    { b: 1 },
    '- a: required, expected a string\n- b: expected a string, got 1',
  ],
];

it.each(rows)('[A3-03] [S3-12] checks %s, and says in words what is wrong', async (_, schema, good, bad, said) => {
  expect(await explain(schema, good)).toBe('valid');
  expect(await explain(schema, bad)).toBe(said);
});

it('takes a validator of one’s own', async () => {
  const validator = { compile: () => () => [{ message: 'too blue', path: ['f'] }] };
  const { issues } = await jsonSchema(field({ type: 'string' }), { validator })['~standard'].validate({ f: 'sky' });
  expect(explainIssues(issues ?? [], { f: 'sky' }, field({ type: 'string' }))).toBe(
    '- f: expected a string, got the string "sky" (too blue)',
  );
});

it('a validator that could not be loaded once was never tried again', async () => {
  let isDown = true;
  const compile = async () => {
    if (isDown) throw new Error('The network is down.');
    return () => [];
  };
  const { validate } = jsonSchema({ type: 'object' }, { validator: { compile } })['~standard'];
  await expect(validate({})).rejects.toThrow('The network is down.');
  isDown = false;
  expect(await validate({})).toEqual({ value: {} });
});
