import type { Json, JsonObject } from '@utensil/core';
import { expect, it } from 'vitest';
import { dialects, promptFor } from '../index.ts';
import { fromText, typesOf } from './typing.ts';

it('looked into 20 alternatives that are the schema itself 160,000 times, and knew no type in the end', () => {
  const itself = { $ref: '#/$defs/a' };
  const members: readonly Json[] = [
    ...Array.from({ length: 20 }, () => itself),
    { type: 'string' },
    { enum: [1, null] },
  ];
  const root: JsonObject = { $defs: { a: { anyOf: members } } };
  expect([...typesOf(itself, root)]).toEqual(['string', 'number', 'null']);
  expect(typesOf({ anyOf: [{ type: 'string' }, {}] }, root).size).toBe(0);
  expect(typesOf({ oneOf: [{ type: ['string', 'null'] }, { const: true }] }, root)).toEqual(
    new Set(['string', 'null', 'boolean']),
  );
  expect(typesOf({ $ref: '#/$defs/none' }, root).size).toBe(0);
});

it('overflowed the stack on an array whose items are arrays of itself', () => {
  const inputSchema: JsonObject = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/a' } },
    $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } },
  };
  for (const dialect of Object.values(dialects)) {
    expect(promptFor(dialect, [{ type: 'function', name: 't', description: 'd', inputSchema }])).toMatch(
      /array|list|\[\]/i,
    );
  }
});

it('overflowed the stack for a parameter of 100,000 levels, and for one value where lists of lists are wanted', () => {
  const list: JsonObject = { type: 'array', items: { $ref: '#' } };
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  for (const text of [nested, 'x'])
    expect(fromText(text, { key: 'a', schema: list, root: list })).toEqual({
      problem: expect.stringContaining("parameter 'a'") as string,
    });
  expect(fromText('[[], [[]]]', { key: 'a', schema: list, root: list })).toEqual({ value: [[], [[]]] });
});
