// Add numbers: wrong arguments are repaired, or refused with the field and what was expected.

import { defineTool, runTool } from '@utensil/core';
import assert from 'node:assert/strict';
import * as z from 'zod';

const addNumbers = defineTool({
  name: 'add_numbers',
  description: 'Adds numbers.',
  input: z.object({ numbers: z.array(z.number()).min(1) }),
  effects: 'read',
  execute: ({ numbers }) => numbers.reduce((sum, number) => sum + number, 0),
});

const { output } = await runTool(addNumbers, { numbers: '[1, 2, "3"]' }); // models send such things: repaired
console.log(output); // 6
assert.equal(output, 6);

const refused = await runTool(addNumbers, { numbers: ['one'] });
console.log(refused.output); // what a model is told, so that it can correct its call
assert.equal(refused.isError, true);
