import {
  type JsonObject,
  type NativeDefinition,
  type ToolCall,
  type ToolCallPart,
  type ToolDefinition,
  isObject,
} from '@utensil/core';
import { fromWireName, parseToolInput, wellFormed, calledName, wireName } from '@utensil/core/provider';

/** The request that a stream answers. */
export interface Asked {
  readonly tools: readonly ToolDefinition[];
}

/** A call as it came from the model. */
export interface WrittenCall {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  /** The turn ended inside of it. */
  readonly isCut?: boolean;
}

/** A call for us to run, of one of these tools. */
export function toCall({ callId, name, text, isCut = false }: WrittenCall, tools: readonly ToolDefinition[]): ToolCall {
  // Without text there are no arguments, unless the text was still to come.
  const parsed = isCut && text.trim() === '' ? { input: {}, invalidInput: text } : parseToolInput(text);
  return { type: 'tool-call', callId, name: ownName(name, tools), ...parsed, executedBy: 'us' };
}

/** Our name of a tool, from the API's. One with a definition for this API has the name that stands in it. */
export function ownName(name: string, tools: readonly ToolDefinition[]): string {
  const native = tools.find((tool) => tool.type === 'native' && nativeName(tool) === name);
  if (native !== undefined) return native.name;
  const bare = fromWireName(name.replace(/^functions\./, ''), tools); // as GPT models think of them
  return tools.some((tool) => tool.name === bare) ? bare : name;
}

function nativeName({ definition }: NativeDefinition): unknown {
  const { name, function: own, custom } = definition;
  const inside = own ?? custom;
  return name ?? (isObject(inside) ? inside['name'] : undefined);
}

/**
 * True if a call wraps several others. Some GPT models write a call of an undefined tool, with their real calls as its
 * arguments.
 */
export function isWrapper(name: string, tools: readonly ToolDefinition[]): boolean {
  return wrapperNames.has(name) && !tools.some((tool) => tool.name === name);
}

const wrapperNames: ReadonlySet<string> = new Set(['parallel', 'multi_tool_use.parallel']);

/** The calls inside a wrapper; undefined if it has none, so that the model gets an error for the unknown tool. */
export function unwrap({ callId, text }: WrittenCall): readonly WrittenCall[] | undefined {
  const uses = parseToolInput(text).input['tool_uses'];
  if (!Array.isArray(uses) || uses.length === 0 || !uses.every(isUse)) return undefined;
  return uses.map(({ recipient_name: recipient, parameters = {} }, index) => ({
    callId: `${callId}_${index}`,
    name: recipient.replace(/^functions\./, ''),
    text: JSON.stringify(parameters),
  }));
}

function isUse(use: unknown): use is { readonly recipient_name: string; readonly parameters?: JsonObject } {
  return isObject(use) && typeof use['recipient_name'] === 'string';
}

/** A custom tool takes one text, which is our input's only field. */
export function customInput(text: string): JsonObject {
  return { input: text };
}

/** The text of {@link customInput}. */
export function customText({ input }: ToolCallPart): string {
  return typeof input['input'] === 'string' ? input['input'] : JSON.stringify(wellFormed(input));
}

/**
 * The arguments of a call as history. If the model's text was not JSON, they are `{}`: servers refuse a conversation
 * with broken arguments, and the call's result has already reported the error to the model.
 */
export function argumentsOf({ input }: ToolCallPart): string {
  return JSON.stringify(wellFormed(input));
}

/** The name of a call as history. As a model wrote it, it may be none that the API takes. */
export function toName(call: ToolCallPart): string {
  return wireName(calledName(call));
}

/** The id of a call as history. Other providers' ids may be longer than the API allows; they differ at their ends. */
export function shorten(callId: string, limit: number): string {
  return callId.slice(-limit);
}
