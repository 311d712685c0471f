// Write a tool, and let a model call it.

import { createRegistry, defineTool, emptySettings, option, resolveToolset, run } from '@utensil/core';
import assert from 'node:assert/strict';
import * as z from 'zod';
import { modelOr } from '../model.ts';

const rollDice = defineTool({
  name: 'roll_dice',
  description: ({ dice }) => `Rolls ${dice} dice.`,
  options: { dice: option.number({ label: 'Number of dice', default: 2, min: 1, max: 9, step: 1 }) },
  input: z.object({ sides: z.number().int().min(2) }),
  effects: 'read',
  render: { title: 'Roll {sides}-sided dice' },
  execute: ({ sides }, { dice }) => Array.from({ length: dice }, () => 1 + Math.floor(Math.random() * sides)),
});

const model = modelOr([{ calls: [{ name: 'roll_dice', input: { sides: '6' } }] }, { text: 'There you go.' }]);
// or anthropic('claude-opus-5'), openai('gpt-5.6'), google('gemini-3.8-flash'), ollama('qwen3') …
const toolset = resolveToolset(createRegistry([rollDice]), emptySettings, {});
const turn = run({ model, toolset, messages: 'Roll two six-sided dice.' });
for await (const event of turn.events()) {
  if (event.type === 'tool-start') console.log(`→ ${event.title}`);
  if (event.type === 'text-delta') process.stdout.write(event.text);
}
console.log();
assert.equal((await turn.result).status, 'complete');
