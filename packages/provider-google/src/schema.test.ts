import type { JsonObject } from '@utensil/core';
import { refuseGemini, refuseGeminiInteractions } from '@utensil/tooling-loopback/validators';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeTool } from '@utensil/core/provider';
import { toSchema } from './schema.ts';

const toolWith = (inputSchema: JsonObject) =>
  ({ type: 'function', name: 'read', description: '', inputSchema }) as const;

/** Mapped schema of a property. */
function lowered(schema: JsonObject): unknown {
  const { properties } = toSchema(toolWith({ type: 'object', properties: { a: schema } }));
  return (properties as Readonly<Record<string, unknown>>)['a'];
}

it.each<[string, JsonObject, unknown]>([
  [
    'what the API reads',
    { type: 'string', format: 'date', title: 'A' },
    { type: 'string', format: 'date', title: 'A' },
  ],
  ['a constant', { const: 'a' }, { enum: ['a'] }],
  ['a constant that is no text', { const: true }, { description: '(enum: [true])' }],
  ['values of several kinds', { enum: ['a', null] }, { description: '(enum: ["a",null])' }],
  ['an empty list of what is required', { type: 'object', required: [] }, { type: 'object' }],
  [
    'a pattern and lengths',
    { type: 'string', description: 'A name.', pattern: '^a', minLength: 2, maxLength: 9 },
    { type: 'string', description: 'A name. (pattern: "^a", minLength: 2, maxLength: 9)' },
  ],
  [
    'bounds that are exclusive, and steps',
    { type: 'number', exclusiveMinimum: 0, multipleOf: 5, maximum: 10, default: 5 },
    { type: 'number', maximum: 10, description: '(exclusiveMinimum: 0, multipleOf: 5, default: 5)' },
  ],
  [
    'the items of a list, and what they are together',
    { type: 'array', items: { const: 1 }, uniqueItems: true },
    { type: 'array', items: { enum: [1] }, description: '(uniqueItems: true)' },
  ],
  [
    'alternatives',
    { anyOf: [{ const: 1 }, { type: 'string', minLength: 1 }] },
    { anyOf: [{ enum: [1] }, { type: 'string', description: '(minLength: 1)' }] },
  ],
  ['a sum of one', { allOf: [{ type: 'string' }], description: 'A.' }, { type: 'string', description: 'A.' }],
  [
    'a sum of several',
    { allOf: [{ minimum: 1 }, { maximum: 2 }] },
    { description: '(allOf: [{"minimum":1},{"maximum":2}])' },
  ],
  ['a reference', { $ref: '#/$defs/B' }, { $ref: '#/$defs/B' }],
  [
    'a reference that says more',
    { $ref: '#/definitions/B', description: 'B.' },
    { anyOf: [{ $ref: '#/$defs/B' }], description: 'B.' },
  ],
  [
    'members of any name',
    { type: 'object', additionalProperties: { const: 'a' } },
    { type: 'object', additionalProperties: { enum: ['a'] } },
  ],
  ['a schema that lets all in', { type: 'object', properties: { b: true } }, { type: 'object', properties: { b: {} } }],
])('lowers %s', (_, schema, expected) => {
  expect(lowered(schema)).toEqual(expected);
});

it('leaves properties alone that have names of keywords, and knows definitions by one name', () => {
  const inputSchema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { const: { const: 'a' }, required: { type: 'object', properties: { pattern: { const: 5 } } } },
    required: ['const'],
    definitions: { enum: { type: 'string', pattern: 'a' } },
  };
  expect(toSchema(toolWith(inputSchema))).toEqual({
    type: 'object',
    properties: { const: { enum: ['a'] }, required: { type: 'object', properties: { pattern: { enum: [5] } } } },
    required: ['const'],
    $defs: { enum: { type: 'string', description: '(pattern: "a")' } },
  });
});

it('puts examples at the end of the description', () => {
  expect(describeTool({ ...toolWith({}), description: 'Reads.', examples: [{ a: 1 }, {}] })).toBe(
    'Reads.\n\nExamples of input:\n{"a":1}\n{}',
  );
});

function schemas(depth: number): fc.Arbitrary<JsonObject> {
  const inner = depth > 0 ? schemas(depth - 1) : fc.constant({ type: 'string' });
  const keywords = {
    type: fc.constantFrom('string', 'object', 'array', 'integer'),
    description: fc.constantFrom('', 'A.'),
    pattern: fc.constant('^b$'),
    const: fc.constantFrom<string | number | null | boolean>('c', 3, null, true),
    minLength: fc.nat(9),
    required: fc.constantFrom<string[]>([], ['p']),
    properties: fc.dictionary(fc.constantFrom('p', 'const', 'not'), inner, { maxKeys: 2 }),
    items: inner,
    anyOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
    allOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
    not: inner,
    $ref: fc.constantFrom('#/$defs/D', '#/definitions/D'),
  };
  return fc.record(keywords, { requiredKeys: [] });
}

it('makes of any schema one that the APIs read, and loses no word of it', () => {
  fc.assert(
    fc.property(schemas(2), (schema) => {
      const tool = toolWith({ type: 'object', properties: { a: schema } });
      const parameters = toSchema(tool);
      const declared = { functionDeclarations: [{ name: 'read', parametersJsonSchema: parameters }] };
      const contents = [{ role: 'user', parts: [{ text: 'Go' }] }];
      expect(refuseGemini({ contents, tools: [declared] })?.body).toBeUndefined();
      const flat = { type: 'function', name: 'read', parameters };
      expect(refuseGeminiInteractions({ model: 'gemini', input: 'Go', tools: [flat] })?.body).toBeUndefined();
      const [before, after] = [JSON.stringify(schema), JSON.stringify(parameters)];
      const lost = ['^b$', 'minLength', '/D'].filter((word) => before.includes(word) && !after.includes(word));
      expect(lost).toEqual([]);
    }),
  );
});
