import type { JsonObject } from '../base/json.ts';
import type { ContentPart } from '../model/message.ts';
import type { Control } from './result.ts';

const resultMark: unique symbol = Symbol.for('utensil.result') as never;

/** A tool's answer, where a plain value does not say enough. */
export interface ToolAnswer {
  readonly [resultMark]: true;
  readonly output: unknown;
  readonly parts?: readonly ContentPart[];
  readonly isError?: boolean;
  readonly input?: JsonObject;
  readonly control?: Control;
}

/**
 * A tool's answer with more than its output: `parts` for the model (images, files), `isError`, a rewrite of its own
 * `input` (which replaces the call in history), or `control` of the run.
 *
 * @example
 * ```ts
 * import { result } from '@utensil/core';
 *
 * result({ output: 'No such note.', isError: true });
 * ```
 */
export function result(answer: Omit<ToolAnswer, typeof resultMark>): ToolAnswer {
  return { [resultMark]: true, ...answer };
}

/** Whether a tool returned {@link result} instead of a plain value. */
export function isAnswer(value: unknown): value is ToolAnswer {
  return typeof value === 'object' && value !== null && resultMark in value;
}
