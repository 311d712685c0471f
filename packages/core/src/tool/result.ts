import { isUtensilError } from '../base/errors.ts';
import type { ErrorCode } from '../base/errors.ts';
import { orElse } from '../base/eventually.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { ContentPart, Denier } from '../model/message.ts';
import type { Question } from '../thread/question.ts';
import { wholeAt } from '../files/edit/indivisible.ts';
import { gapIn, gapText } from './gap.ts';

/** Ends the run once the calls of the turn are done. */
export interface Control {
  readonly end: { readonly value: Json };
}

/** Result of a tool call. */
export interface ToolResult {
  readonly output: Json;
  /** Content for the model. Never empty. */
  readonly modelParts: readonly ContentPart[];
  /** One line for people. */
  readonly status?: string;
  /** Content for people. */
  readonly userView?: Json;
  readonly isError: boolean;
  /** Error code, for programs. */
  readonly code?: ErrorCode;
  /** The person or policy that declined the call, with code `tool_denied`. */
  readonly deniedBy?: Denier;
  /** Id of the open question, with code `approval_pending`: repeat the call once it is answered. */
  readonly question?: Question;
  /** Input as rewritten by the tool. */
  readonly input?: JsonObject;
  readonly control?: Control;
  /** Marks a receipt: the call continues in the background. The tool's handle for it. */
  readonly detached?: Json;
  readonly toolFingerprint?: string;
}

/** Maximum length of a failed call's text. */
const failureLimit = 10_000;

/** A failed call; `text` is for the model. */
export function failure(code: ErrorCode, text: string): ToolResult {
  const output = boundText(text, failureLimit);
  return { output, modelParts: [{ type: 'text', text: output }], isError: true, code };
}

/** Head and tail of a text, `limit` characters together, and the length of the gap. */
export function boundText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const [from, to] = gapIn(text.length, limit);
  const head = text.slice(0, wholeAt(text, from));
  const tail = text.slice(wholeAt(text, to));
  return `${head}\n${gapText(text.length - head.length - tail.length, text.length)}\n${tail}`;
}

/** A declined call; `text` is for the model. */
export function denial(deniedBy: Denier, text: string): ToolResult {
  return { ...failure('tool_denied', text), deniedBy };
}

/** A text result, the same for the model and people. */
export function told(text: string): ToolResult {
  return { output: text, modelParts: [{ type: 'text', text }], isError: false };
}

/** Result of a call to a tool that does not exist, or not for this run. */
export function unknownTool(name: string): ToolResult {
  return failure('unknown_tool', `Unknown tool: ${name}`);
}

/** Result of a call that could not be prepared, as when code for it cannot be loaded. Foreign errors may have host paths. */
export function preparationFailure(error: unknown): ToolResult {
  const [code, why] = isUtensilError(error)
    ? [error.code, error.message]
    : ['tool_failed' as const, 'It could not be prepared.'];
  return failure(code, `The call was not run: ${why}`);
}

/** Result of work that prepares and executes a call. Never throws. */
export async function orPreparationFailure(work: () => Promise<ToolResult>): Promise<ToolResult> {
  return orElse(work, preparationFailure);
}

/** Result of a call whose tool was changed by its owner after the call was prepared. */
export function changedTool(name: string): ToolResult {
  const text = `Tool "${name}" has changed since this call was made, so it was not run. Read its definition, and call it again if it still does what you need.`;
  return failure('tool_changed', text);
}

/** Text for an abandoned call. */
export function cancelledText(name: string): string {
  return `Tool "${name}" was cancelled. If it ends later, its result is discarded.`;
}

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

/** True if a tool reports that an interrupted call is done. */
export function isDone(told: unknown): told is { readonly done: unknown } {
  return typeof told === 'object' && told !== null && 'done' in told;
}
