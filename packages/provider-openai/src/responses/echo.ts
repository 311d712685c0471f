import { type Json, type Message, type ToolCallPart, callsOf, isObject } from '@utensil/core';
import { parseToolInput, wireName } from '@utensil/core/provider';
import type { ResponseOutputItem } from 'openai/resources/responses/responses';
import { argumentsOf, customText } from '../calls.ts';
import { askedId, isAsked } from './asked.ts';

type ReasoningItem = Extract<ResponseOutputItem, { type: 'reasoning' }>;

/**
 * The items of a turn in the form that the model gets back: unchanged and in order, except that calls have the input
 * that ran and names that the API accepts, and that calls which the message has lost are left out. Undefined if a call
 * of the message has no item.
 */
export function echo(
  items: readonly ResponseOutputItem[],
  message: Message,
): readonly ResponseOutputItem[] | undefined {
  const byId = new Map(callsOf(message).map((call) => [call.callId, call]));
  const hosted = new Set(message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.callId] : [])));
  for (const callId of byId.keys()) hosted.delete(callId);
  const echoed: ResponseOutputItem[] = [];
  let leads = false; // whether something stands behind, for the API refuses reasoning that leads to nothing
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index] as ResponseOutputItem;
    const kept = keep(item, { byId, hosted }, leads);
    if (kept !== undefined) echoed.unshift(kept);
    if (item.type !== 'reasoning') leads = kept !== undefined || (leads && items[index + 1]?.type !== 'reasoning');
  }
  return byId.size === 0 ? echoed : undefined;
}

/** The calls of a message: ours, of which each has one item, and those that the server ran. */
interface Calls {
  readonly byId: Map<string, ToolCallPart>;
  readonly hosted: ReadonlySet<string>;
}

function keep(item: ResponseOutputItem, calls: Calls, leads: boolean): ResponseOutputItem | undefined {
  if (item.type === 'reasoning') return leads && isReadable(item) ? item : undefined;
  const callId = callIdOf(item);
  if (callId === undefined || calls.hosted.has(callId)) return asInput(item);
  const call = calls.byId.get(callId);
  if (call === undefined) return undefined;
  calls.byId.delete(callId);
  if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return asInput(item);
  const name = wireName(item.name);
  const named = name === item.name ? item : { ...item, name };
  if (named.type === 'custom_tool_call')
    return customText(call) === named.input ? named : { ...named, input: customText(call) };
  return isSame(named.arguments, call) ? named : { ...named, arguments: argumentsOf(call) };
}

/** The call of an item, if it must be answered. */
function callIdOf(item: ResponseOutputItem): string | undefined {
  if (item.type === 'function_call' || item.type === 'custom_tool_call') return item.call_id;
  return isAsked(item) ? askedId(item) : undefined;
}

/** The members that the types of requests allow, where those of answers may be more. */
const members: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'image_generation_call',
    [
      ...['id', 'type', 'status', 'result', 'error', 'revised_prompt'],
      ...['action', 'background', 'output_format', 'quality', 'size'],
    ],
  ],
]);

function asInput(item: ResponseOutputItem): ResponseOutputItem {
  const allowed = members.get(item.type);
  const isExtra = (name: string): boolean => name === 'created_by' || allowed?.includes(name) === false;
  const names = Object.keys(item);
  if (!names.some(isExtra)) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => !isExtra(name))) as object as ResponseOutputItem;
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
