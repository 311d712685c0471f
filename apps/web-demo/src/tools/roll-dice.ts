import { defineTool, jsonSchema, option } from '@utensil/core';

/** A tool of the app itself. This file is its entire definition. */
export const rollDice = defineTool({
  name: 'roll_dice',
  title: 'Dice',
  description: ({ dice }) => `Rolls ${dice} dice.`,
  options: {
    dice: option.number({ label: 'How many dice', default: 2, min: 1, max: 9, step: 1 }),
    isLucky: option.boolean({ label: 'Lucky', description: 'Every roll is the best one.', default: false }),
  },
  input: jsonSchema<{ sides: number }>({
    type: 'object',
    properties: { sides: { type: 'integer', minimum: 2 } },
    required: ['sides'],
  }),
  ui: { subtitle: 'Rolls dice', icon: '🎲', category: 'games' },
  prompt: 'Roll the dice with roll_dice; never make up a roll.',
  effects: 'read',
  render: { title: 'Roll {sides}-sided dice' },
  execute: ({ sides }, { dice, isLucky }) =>
    Array.from({ length: dice }, () => (isLucky ? sides : 1 + Math.floor(Math.random() * sides))),
});
