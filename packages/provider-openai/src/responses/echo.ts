import { type Json, type ToolCallPart, isObject } from '@utensil/core';
import { parseToolInput, wireName } from '@utensil/core/provider';
import type { ResponseOutputItem } from 'openai/resources/responses/responses';
import { argumentsOf, customText } from '../calls.ts';

type ReasoningItem = Extract<ResponseOutputItem, { type: 'reasoning' }>;

/**
 * The items of a turn as the model gets them back: untouched and in order, except that calls carry the input with which
 * they ran and names that the API takes, and that calls which the message has no more are gone. Undefined where a call
 * of the message has no item.
 */
export function echo(
  items: readonly ResponseOutputItem[],
  calls: readonly ToolCallPart[],
): readonly ResponseOutputItem[] | undefined {
  const byId = new Map(calls.map((call) => [call.callId, call]));
  const echoed: ResponseOutputItem[] = [];
  let leads = false; // whether something stands behind, for the API refuses reasoning that leads to nothing
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index] as ResponseOutputItem;
    const kept = keep(item, byId, leads);
    if (kept !== undefined) echoed.unshift(kept);
    if (item.type !== 'reasoning') leads = kept !== undefined || (leads && items[index + 1]?.type !== 'reasoning');
  }
  return byId.size === 0 ? echoed : undefined;
}

function keep(
  item: ResponseOutputItem,
  calls: Map<string, ToolCallPart>,
  leads: boolean,
): ResponseOutputItem | undefined {
  if (item.type === 'reasoning') return leads && isReadable(item) ? item : undefined;
  if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return item;
  const call = calls.get(item.call_id);
  if (call === undefined) return undefined;
  calls.delete(item.call_id);
  const name = wireName(item.name);
  const named = name === item.name ? item : { ...item, name };
  if (named.type === 'custom_tool_call')
    return customText(call) === named.input ? named : { ...named, input: customText(call) };
  return isSame(named.arguments, call) ? named : { ...named, arguments: argumentsOf(call) };
}

/** Nothing is stored at OpenAI, so the id of reasoning without its content is unknown to the API. */
function isReadable({ encrypted_content: sealed, content = [] }: ReasoningItem): boolean {
  return Boolean(sealed) || content.length > 0;
}

function isSame(text: string, call: ToolCallPart): boolean {
  const { input, invalidInput } = parseToolInput(text);
  return invalidInput === undefined && isEqual(input, call.input);
}

/** In whatever order the keys are: validation may have changed that, and nothing else. */
function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => isEqual(a[key] as Json, b[key] as Json));
}
