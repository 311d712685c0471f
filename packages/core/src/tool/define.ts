import type { Json } from '../base/json.ts';
import type { Schema } from '../schema/schema.ts';
import type { ExplicitResult } from './result.ts';
import type { Requirements } from './capability.ts';
import type { OptionDefinitions, OptionValues } from './option.ts';
import type { ReconcileContext, Reconciled, SettleContext, Tool, ToolContext, ToolFace } from './tool.ts';

/** Return type of `execute`. Anything, if there is no `output` schema. */
type Returned<Output> = unknown extends Output
  ? unknown
  : Output | ExplicitResult | Promise<Output | ExplicitResult> | AsyncGenerator<Json, Output | ExplicitResult>;

/**
 * A tool as written by its author. A single interface, because TypeScript resolves an intersection for each tool
 * separately.
 */
interface Written<Input, Output, Options extends OptionDefinitions, Needs extends Requirements> extends ToolFace<
  Input,
  Options,
  Needs
> {
  readonly output?: Schema<Output>;
  readonly execute?: {
    call(input: Input, options: OptionValues<Options>, context: ToolContext<Needs>): Returned<NoInfer<Output>>;
  }['call'];
  readonly reconcile?: {
    call(
      input: Input,
      options: OptionValues<Options>,
      context: ReconcileContext<Needs>,
    ): Reconciled<NoInfer<Output>> | Promise<Reconciled<NoInfer<Output>>>;
  }['call'];
  readonly settle?: {
    call(handle: Json, options: OptionValues<Options>, context: SettleContext<Needs>): Returned<NoInfer<Output>>;
  }['call'];
}

/**
 * Defines a tool: returns its argument with all types inferred. With an `output` schema, `execute` must return a
 * matching value, plain or in an {@link ExplicitResult}.
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
  Output,
  const Options extends OptionDefinitions = Record<never, never>,
  Needs extends Requirements = Record<never, never>,
>(tool: Written<Input, Output, Options, Needs>): Tool<Input, Options, Needs> {
  return tool;
}
