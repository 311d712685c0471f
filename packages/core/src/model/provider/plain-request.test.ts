import { expect, it } from 'vitest';
import type { JsonSchema } from '../../base/json.ts';
import type { FunctionDefinition, ModelRequest } from '../model.ts';
import { plainRequests } from './plain-request.ts';

const object = { type: 'object', properties: { path: { type: 'string' } } } as const;

function toolWith(inputSchema: JsonSchema): FunctionDefinition {
  return { type: 'function', name: 'act', description: 'Acts.', inputSchema };
}

function requestWith(...tools: readonly FunctionDefinition[]): ModelRequest {
  return { system: '', messages: [], tools, toolChoice: 'auto' };
}

const fields = (action: string, name: string) => ({
  type: 'object',
  properties: { action: { const: action }, [name]: { type: 'string' } },
  required: ['action', name],
});
const union = { anyOf: [fields('read', 'path'), fields('find', 'text')] };

it('gives the very request back if each schema is an object', () => {
  const toPlain = plainRequests();
  const request = requestWith(toolWith(object), toolWith(object));
  expect(toPlain(request)).toBe(request);
  expect(toPlain(request)).toBe(request);
});

it('merges a union of objects, and tells which fields belong together', async () => {
  const { tools } = await plainRequests()(requestWith(toolWith(object), toolWith(union)));
  expect(tools).toEqual([
    toolWith(object),
    {
      ...toolWith({
        type: 'object',
        properties: {
          action: { enum: ['read', 'find'] },
          path: { type: 'string' },
          text: { type: 'string' },
        },
        required: ['action'],
      }),
      description: 'Acts.\n\nInput is one of:\n- action "read": path\n- action "find": text',
    },
  ]);
});

it('lowers a list of tools once, for all requests with it', async () => {
  const toPlain = plainRequests();
  const request = requestWith(toolWith(union));
  const first = await toPlain(request);
  const second = toPlain({ ...request, system: 'New.' });
  expect(second).toMatchObject({ system: 'New.' });
  expect((second as ModelRequest).tools).toBe(first.tools);
});

it.each([{}, { type: 'object' }, { ...object, not: { required: ['path'] } }, { enum: [{}] }, { const: {} }])(
  'makes an object of %j',
  async (schema) => {
    const { tools } = await plainRequests()(requestWith(toolWith(schema)));
    expect(tools).toEqual([expect.objectContaining({ inputSchema: expect.objectContaining({ type: 'object' }) })]);
    expect(await plainRequests()(requestWith(...(tools as readonly FunctionDefinition[])))).toEqual(
      requestWith(...(tools as readonly FunctionDefinition[])),
    );
  },
);
