import type { JsonObject } from '../index.ts';
import { expect, it } from 'vitest';
import { plainObjectSchema } from './plain-object.ts';

const text = { type: 'string' };
const object = (properties: JsonObject, ...required: string[]) => ({ type: 'object', properties, required });

it('leaves a plain object schema as it is, byte for byte', () => {
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
  const gist = ([command, ...others]: readonly string[]) =>
    JSON.stringify({ properties: { command: { const: command } }, required: ['command', ...others] });
  const oneOf = [
    object({ command: { const: 'view' }, path: text }, 'command', 'path'),
    { $ref: '#/$defs/rename' },
    object({ command: { const: 'help' } }, 'command'),
  ];
  expect(plainObjectSchema({ $defs: { rename }, description: 'x', oneOf })).toEqual({
    $defs: { rename },
    description: `x\n\n{oneOf: [${[['view', 'path'], ['rename', 'to'], ['help']].map(gist).join(',')}]}`,
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
