// Write a tool, and run it without a model.

import { defineTool, option, runTool } from '@utensil/core';
import assert from 'node:assert/strict';
import * as z from 'zod';

const rollDice = defineTool({
  name: 'roll_dice',
  title: 'Dice',
  description: ({ dice }) => `Rolls ${dice} dice.`,
  options: { dice: option.number({ label: 'How many dice', default: 2, min: 1, max: 9, step: 1 }) },
  input: z.object({ sides: z.number().int().min(2) }),
  effects: 'read',
  render: { title: 'Roll {sides}-sided dice' },
  execute: ({ sides }, { dice }) => Array.from({ length: dice }, () => 1 + Math.floor(Math.random() * sides)),
});

const { output } = await runTool(rollDice, { sides: '6' }); // the text is repaired to a number, which is recorded
console.log(output); // [3, 5]
assert.equal((output as readonly number[]).length, 2);
