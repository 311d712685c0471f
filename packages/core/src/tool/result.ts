import type { ErrorCode } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { ContentPart, Denier } from '../model/message.ts';
import type { Question } from '../thread/question.ts';
import { boundText } from './output.ts';

/** Ends the run, once the calls of the turn are done. */
export interface Control {
  readonly end: { readonly value: Json };
}

/** The result of a tool call. */
export interface ToolResult {
  readonly output: Json;
  /** The content for the model. Never empty. */
  readonly modelParts: readonly ContentPart[];
  /** One line for people. */
  readonly status?: string;
  /** The content for people. */
  readonly userView?: Json;
  readonly isError: boolean;
  /** Why it failed, for programs. */
  readonly code?: ErrorCode;
  /** The party that declined the call, with the code `tool_denied`. */
  readonly deniedBy?: Denier;
  /** Of a call that waits for it, with the code `approval_pending`: call it again once it is answered. */
  readonly question?: Question;
  /** The input, as the tool rewrote it. */
  readonly input?: JsonObject;
  readonly control?: Control;
  /** The call goes on in the background, and this is its receipt: what the tool knows it by. */
  readonly detached?: Json;
  readonly toolFingerprint?: string;
}

/** Characters of the text of a failed call. */
const failureLimit = 10_000;

/** A failed call: `text` is what the model sees. */
export function failure(code: ErrorCode, text: string): ToolResult {
  const output = boundText(text, failureLimit);
  return { output, modelParts: [{ type: 'text', text: output }], isError: true, code };
}

/** A call that was declined: `text` is what the model sees. */
export function denial(deniedBy: Denier, text: string): ToolResult {
  return { ...failure('tool_denied', text), deniedBy };
}

/** A result that is a text, the same for everybody. */
export function told(text: string): ToolResult {
  return { output: text, modelParts: [{ type: 'text', text }], isError: false };
}

/** The answer to a call of a tool that is not there, or not for this run. */
export function unknownTool(name: string): ToolResult {
  return failure('unknown_tool', `Unknown tool: ${name}`);
}

/** The text for an abandoned call. */
export function cancelledText(name: string): string {
  return `Tool "${name}" was cancelled. If it ends later, its result is discarded.`;
}
