import type { JsonObject } from '../index.ts';
import { expect, it } from 'vitest';
import { plainObjectSchema } from './plain-object.ts';

const text = { type: 'string' };
const object = (properties: JsonObject, ...required: string[]) => ({ type: 'object', properties, required });

it('leaves a plain object schema unchanged, byte for byte', () => {
  const schema = { type: 'object', properties: { a: text }, additionalProperties: false };
  expect(JSON.stringify(plainObjectSchema(schema))).toBe(JSON.stringify(schema));
});

it.each([{}, { type: 'object' }, { type: ['object', 'null'] }])(
  'makes of %j an object with properties, which the API asks for',
  (schema) => {
    expect(plainObjectSchema(schema)).toEqual({ type: 'object', properties: {} });
  },
);

it.each([
  [{ not: { required: ['a', 'b'] } }, '{not: {"required":["a","b"]}}'],
  [{ enum: [{ a: 'x' }, { a: 'y' }] }, '{enum: [{"a":"x"},{"a":"y"}]}'],
  [{ const: { a: 'x' } }, '{const: {"a":"x"}}'],
  [{ description: '', not: {} }, '{not: {}}'],
  [{ description: 'Either.', anyOf: [{ required: ['a'] }, {}] }, 'Either.\n\n{anyOf: [{"required":["a"]},{}]}'],
  [{ oneOf: [{ properties: { b: text } }, {}] }, undefined],
])('moves what it takes out of %j into the description', (keywords, description) => {
  const schema = plainObjectSchema({ type: 'object', properties: { a: text }, ...keywords });
  expect(schema['description']).toBe(description);
  for (const keyword of ['not', 'enum', 'const', 'anyOf', 'oneOf']) expect(schema).not.toHaveProperty(keyword);
});

it('merges alternatives at the top, named ones too, and requires what all of them require', () => {
  const rename = object({ command: { const: 'rename' }, to: text }, 'command', 'to');
  const oneOf = [
    object({ command: { const: 'view' }, path: text }, 'command', 'path'),
    { $ref: '#/$defs/rename' },
    object({ command: { const: 'help' } }, 'command'),
  ];
  expect(plainObjectSchema({ $defs: { rename }, description: 'x', oneOf })).toEqual({
    $defs: { rename },
    description: 'x',
    type: 'object',
    properties: {
      command: { enum: ['view', 'rename', 'help'] },
      path: text,
      to: text,
    },
    required: ['command'],
  });
});

it('requires what any part of an `allOf` requires', () => {
  const allOf = [object({ a: text }, 'a'), object({ b: text }, 'b')];
  expect(plainObjectSchema({ allOf, anyOf: [{ required: ['c'] }, { required: ['d'] }] })).toEqual({
    description: '{anyOf: [{"required":["c"]},{"required":["d"]}]}',
    ...object({ a: text, b: text }, 'a', 'b'),
  });
});

it('takes properties of any name, and definitions that name themselves', () => {
  const loop = { anyOf: [{ $ref: '#/$defs/loop' }, object({ constructor: text, toString: text }, 'constructor')] };
  expect(plainObjectSchema({ $defs: { loop }, anyOf: [{ $ref: '#/$defs/loop' }, { $ref: '#/$defs/none' }] })).toEqual({
    $defs: { loop },
    type: 'object',
    properties: { constructor: text, toString: text },
    required: [],
  });
});

it('merges fixed values and their descriptions, and keeps other schemas apart', () => {
  const merged = (...schemas: readonly JsonObject[]) =>
    plainObjectSchema({ oneOf: schemas.map((field, index) => object({ field, [`own_${index}`]: text })) })[
      'properties'
    ];
  expect(
    merged({ type: 'string', const: 'a', description: 'A.' }, { enum: ['a', 'b'], description: 'B.' }),
  ).toMatchObject({
    field: { enum: ['a', 'b'], description: 'A.; B.' },
  });
  expect(merged({ const: 'a' }, text)).toMatchObject({ field: { anyOf: [{ const: 'a' }, text] } });
  expect(merged({ const: { a: 1 } }, { const: 'b' })).toMatchObject({ field: { anyOf: [{ const: { a: 1 } }, {}] } });
  expect(merged({ ...text, description: 'A.' }, text, { ...text, description: 'B.' })).toMatchObject({
    field: { ...text, description: 'A.; B.' },
  });
});
