// One tool, calls of it that go well and wrong, and what is told of them: for tests of whole runs over any vendor.

import {
  type Message,
  createRegistry,
  defineTool,
  emptySettings,
  jsonSchema,
  resolveToolset,
  result,
} from '@utensil/core';

/** Reads any path. There is no `none`, and it takes `short` for `long`. */
export const read = defineTool({
  name: 'read',
  description: 'Reads.',
  input: jsonSchema<{ path: string; lines?: number }>({
    type: 'object',
    properties: { path: { type: 'string' }, lines: { type: 'integer' } },
    required: ['path'],
  }),
  effects: 'read',
  execute({ path }) {
    if (path === 'none') throw new Error('There is no such file.');
    return path === 'short' ? result({ output: 'rewritten', input: { path: 'long' } }) : `content of ${path}`;
  },
});

export const toolset = resolveToolset(createRegistry([read]), emptySettings, {});

/** A call as a model makes it. */
export type Call = readonly [id: string, name: string, input: object];

/** Calls that go well, fail, have no valid arguments, name no tool, are repaired, and are rewritten. */
export const calls: readonly Call[] = [
  ['c1', 'read', { path: 'a' }],
  ['c2', 'read', { path: 'none' }],
  ['c3', 'read', {}],
  ['c4', 'nothing', {}],
  ['c5', 'read', { path: 'b', lines: '5' }],
  ['c6', 'read', { path: 'short' }],
];

/** What is told of each of them: the input that ran, and a part of the result. */
export const told: readonly (readonly [input: object, output: string, isError: boolean])[] = [
  [{ path: 'a' }, 'content of a', false],
  [{ path: 'none' }, 'There is no such file.', true],
  [{}, 'path', true],
  [{}, 'Unknown tool: nothing', true],
  [{ path: 'b', lines: 5 }, 'content of b', false],
  [{ path: 'long' }, 'rewritten', false],
];

/** A message of the user's, whose id is its text. */
export function user(text: string): Message {
  return { id: text, role: 'user', parts: [{ type: 'text', text }], createdAt: 0 };
}
