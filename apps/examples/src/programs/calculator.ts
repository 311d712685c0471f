// A calculator: the model calls it, and answers with its result.

import { createRegistry, defineTool, emptySettings, resolveToolset, run } from '@utensil/core';
import assert from 'node:assert/strict';
import * as z from 'zod';
import { modelOr } from '../model.ts';
import { show } from '../show.ts';

const operations: Readonly<Record<string, (left: number, right: number) => number>> = {
  add: (left, right) => left + right,
  subtract: (left, right) => left - right,
  multiply: (left, right) => left * right,
  divide: (left, right) => left / right,
};

const calculator = defineTool({
  name: 'calculator',
  description: 'Calculates with two numbers.',
  input: z.object({
    operation: z.enum(['add', 'subtract', 'multiply', 'divide']),
    left: z.number(),
    right: z.number(),
  }),
  effects: 'read',
  render: { title: 'Calculate: {operation} {left}, {right}' },
  execute: ({ operation, left, right }) => {
    if (operation === 'divide' && right === 0) throw new Error('Nothing can be divided by 0.'); // the model reads this
    return operations[operation]?.(left, right);
  },
});

const toolset = resolveToolset(createRegistry([calculator]), emptySettings, {});
const model = modelOr([
  { calls: [{ name: 'calculator', input: { operation: 'multiply', left: 1234, right: 5678 } }] },
  { text: '1234 × 5678 is 7,006,652.' },
]);
const { text } = await show(run({ model, toolset, messages: 'What is 1234 × 5678? Use the calculator.' }));
assert.match(text.replaceAll(/[^\d]/g, ''), /7006652/);
