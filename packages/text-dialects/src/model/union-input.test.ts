import type { FunctionDefinition } from '@utensil/core';
import { expect, it } from 'vitest';
import { dialects, promptFor, readCalls } from '../index.ts';

const files: FunctionDefinition = {
  type: 'function',
  name: 'files',
  description: 'Works on files.',
  inputSchema: {
    type: 'object',
    oneOf: [
      {
        type: 'object',
        properties: { action: { const: 'view' }, path: { type: 'string' } },
        required: ['action', 'path'],
      },
      {
        type: 'object',
        properties: { action: { const: 'keep' }, days: { type: 'integer' } },
        required: ['action', 'days'],
      },
    ],
  },
};

it('a prompt in JSON has the union unchanged', () => {
  expect(promptFor(dialects.hermes, [files])).toContain(JSON.stringify(files.inputSchema));
});

it('a prompt in words says which fields belong together, and its example has those of one form', () => {
  const prompt = promptFor(dialects.xml, [files]);
  expect(prompt).toContain('Input is one of:\n- action "view": path\n- action "keep": days');
  expect(prompt).toContain('- days (integer, optional)');
  expect(prompt).toContain('- action (one of "view", "keep", required)');
  const [example] = readCalls(prompt.slice(prompt.lastIndexOf('<tool:files>')), dialects.xml, [files]);
  expect(example?.input).toEqual({ action: 'view', path: 'value' });
});

it('a field of any form is read by its type', () => {
  const text = '<tool:files><param:action>keep</param:action><param:days>7</param:days></tool:files>';
  const [call] = readCalls(text, dialects.xml, [files]);
  expect(call?.input).toEqual({ action: 'keep', days: 7 });
});
