import type { JsonObject } from './index.ts';
import { expect, it } from 'vitest';
import { plainObjectSchema } from './plain-object-schema.ts';

const text = { type: 'string' };
const object = (properties: JsonObject, ...required: string[]) => ({ type: 'object', properties, required });

it('leaves a plain object schema as it is, byte for byte', () => {
  const schema = { type: 'object', properties: { a: text }, additionalProperties: false };
  expect(JSON.stringify(plainObjectSchema(schema))).toBe(JSON.stringify(schema));
});

it.each([{}, { type: 'object' }, { type: ['object', 'null'] }, { enum: [{}], not: { type: 'null' }, const: {} }])(
  'makes of %j an object with properties, which the API asks for',
  (schema) => {
    expect(plainObjectSchema(schema)).toEqual({ type: 'object', properties: {} });
  },
);

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
      command: { anyOf: [{ const: 'view' }, { const: 'rename' }, { const: 'help' }] },
      path: text,
      to: text,
    },
    required: ['command'],
  });
});

it('requires what any part of an `allOf` requires', () => {
  const allOf = [object({ a: text }, 'a'), object({ b: text }, 'b')];
  expect(plainObjectSchema({ allOf, anyOf: [{ required: ['c'] }, { required: ['d'] }] })).toEqual(
    object({ a: text, b: text }, 'a', 'b'),
  );
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
