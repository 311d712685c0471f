import {
  type FilePart,
  type JsonObject,
  type ModelPart,
  type SourcePart,
  type ToolDefinition,
  isObject,
} from '@utensil/core';
import { parseToolInput } from '@utensil/core/provider';
import type {
  ResponseOutputItem,
  ResponseOutputMessage as OutputMessage,
  ResponseReasoningItem as Reasoning,
} from 'openai/resources/responses/responses';

/** A call of a tool that OpenAI runs itself, and the image that it made. Its result is for the model, in the item. */
export function hostedParts(item: ResponseOutputItem, tools: readonly ToolDefinition[]): readonly ModelPart[] {
  if (item.type !== 'program' && !item.type.endsWith('_call')) return [];
  const told = item as object as JsonObject;
  const callId = [told['call_id'], told['id']].find((id) => typeof id === 'string') ?? item.type;
  const call = { callId, name: hostedName(told, tools), input: hostedInput(told) };
  return [{ type: 'tool-call', ...call, executedBy: 'provider' }, ...image(told)];
}

/** The name under which the app has declared the tool, else the vendor's. */
function hostedName({ type, name }: JsonObject, tools: readonly ToolDefinition[]): string {
  if (typeof name === 'string') return name;
  const hosted = String(type).replace(/_call$/, '');
  const isDeclared = (tool: ToolDefinition) =>
    tool.type === 'native' && String(tool.definition['type']).startsWith(hosted);
  return tools.find(isDeclared)?.name ?? hosted;
}

function hostedInput(item: JsonObject): JsonObject {
  const { action, arguments: text, input: written } = item;
  if (isObject(action)) return action;
  if (typeof written === 'string') return parseToolInput(written).input;
  if (isObject(text)) return text;
  if (typeof text === 'string') return parseToolInput(text).input;
  return Object.fromEntries(Object.entries(item).filter(([key, value]) => inputKeys.has(key) && value !== null));
}

const inputKeys: ReadonlySet<string> = new Set(['code', 'queries', 'operation', 'arguments', 'revised_prompt']);

function image({ type, result, output_format: format }: JsonObject): readonly FilePart[] {
  if (type !== 'image_generation_call' || typeof result !== 'string') return [];
  return [{ type: 'file', mediaType: `image/${typeof format === 'string' ? format : 'png'}`, data: result }];
}

/** The pages that a message cites. */
export function sources({ content }: OutputMessage): readonly SourcePart[] {
  return (content ?? [])
    .flatMap((each) => (each.type === 'output_text' ? (each.annotations ?? []) : []))
    .filter((annotation) => annotation.type === 'url_citation')
    .map(({ url, title }) => ({ type: 'source', url, ...(title && { title }) }));
}

/** Text of a message, and its refusal. */
export function messageText({ content }: OutputMessage): { readonly text: string; readonly refusal: string } {
  const parts = content ?? []; // gateways leave it out if all came in deltas
  const said = parts.map((each) => (each.type === 'refusal' ? each.refusal : each.text));
  const refused = parts.map((each) => (each.type === 'refusal' ? each.refusal : ''));
  return { text: said.join(''), refusal: refused.join('') };
}

/** Text of an item of reasoning. */
export function thoughtsOf({ content, summary }: Reasoning): string {
  const shown = content?.length ? content : (summary ?? []);
  return shown.map(({ text }) => text).join('\n\n');
}
