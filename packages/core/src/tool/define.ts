import type { Requirements } from './capability.ts';
import type { OptionDefinitions } from './option.ts';
import type { Tool } from './tool.ts';

/**
 * Defines a tool: returns its argument, and infers everything.
 *
 * @example
 * ```ts
 * import { defineTool } from '@utensil/core';
 * import * as z from 'zod/mini';
 *
 * const rollDice = defineTool({
 *   name: 'roll_dice',
 *   description: 'Rolls a die.',
 *   input: z.toJSONSchema(z.object({ sides: z.int() })),
 *   effects: 'read',
 *   execute: ({ sides }) => 1 + Math.floor(Math.random() * sides),
 * });
 * ```
 */
export function defineTool<
  Input,
  const Options extends OptionDefinitions = Record<never, never>,
  Needs extends Requirements = Record<never, never>,
>(tool: Tool<Input, Options, Needs>): Tool<Input, Options, Needs> {
  return tool;
}
