import type { Json, JsonObject } from '../base/json.ts';
import type { ContentPart } from '../model/message.ts';
import type { Control } from './result.ts';

const resultMark: unique symbol = Symbol.for('utensil.result') as never;

/** Return value of {@link result}: for tools that return more than a plain value. */
export interface ExplicitResult {
  readonly [resultMark]: true;
  readonly output: unknown;
  readonly parts?: readonly ContentPart[];
  readonly isError?: boolean;
  readonly input?: JsonObject;
  readonly control?: Control;
  /**
   * Marks a call that continues in the background: the tool's handle for `settle`, valid in any process. The model gets
   * the rest of this result as a receipt.
   */
  readonly detached?: Json;
}

/**
 * Creates a result with more than its output: `parts` for the model (images, files), `isError`, a rewritten `input`
 * (which replaces the call's input in history), `control` of the run, or `detached` for work that continues in the
 * background.
 *
 * @example
 * ```ts
 * import { result } from '@utensil/core';
 *
 * result({ output: 'No such note.', isError: true });
 * ```
 */
export function result(answer: Omit<ExplicitResult, typeof resultMark>): ExplicitResult {
  return { [resultMark]: true, ...answer };
}

/** True if a tool returned a {@link result} instead of a plain value. */
export function isExplicitResult(value: unknown): value is ExplicitResult {
  return typeof value === 'object' && value !== null && resultMark in value;
}
