import { type FinishReason, type Json, type ModelPart, isObject } from '@utensil/core';
import { type TurnReader, newCallId, reportedError } from '@utensil/core/provider';
import type { Response, ResponseOutputItem, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { type Asked, customInput, isWrapper, ownName, toCall, unwrap } from '../calls.ts';
import { toUsage } from '../usage.ts';
import { askedCall, isAsked, isServerRun } from './asked.ts';
import { hostedParts, messageText, sources, thoughtsOf } from './items.ts';
import { type EventOfItem, placeOf, placesOf } from './places.ts';

type Item = ResponseOutputItem;
type FunctionCall = Extract<Item, { type: 'function_call' }>;
type CustomCall = Extract<Item, { type: 'custom_tool_call' }>;
type OutputMessage = Extract<Item, { type: 'message' }>;

/** An item that is being written. */
interface Slot {
  readonly added?: Item;
  done?: Item;
  /** The text, or the arguments, of its deltas. */
  text: string;
  isDone: boolean;
}

/** Known by their place: the ids of items change between events behind some gateways. */
interface Turn extends Asked {
  readonly slots: Map<number, Slot>;
  /** Items that the model wants back, in order. */
  readonly items: Map<number, readonly Item[]>;
  readonly cited: Set<string>;
  refusal: string;
  hasCalls: boolean;
  /** At its limit of tokens, or by a filter: in the middle of whatever it was. */
  isCut: boolean;
  hasBegun: boolean;
  hasEnded: boolean;
}

const nothing: readonly ModelPart[] = [];

/** Reads the events of the Responses API. */
export function eventReader(asked: Asked) {
  const turn: Turn = {
    tools: asked.tools,
    slots: new Map(),
    items: new Map(),
    cited: new Set(),
    refusal: '',
    hasCalls: false,
    isCut: false,
    hasBegun: false,
    hasEnded: false,
  };
  return {
    read: (event) => (turn.hasEnded ? nothing : read(event, turn)),
    progress: () => (turn.hasEnded ? 'whole' : turn.hasBegun ? 'begun' : 'none'),
    end: () => nothing,
  } satisfies TurnReader<ResponseStreamEvent>;
}

function read(event: ResponseStreamEvent | '[DONE]' | null | undefined, turn: Turn): readonly ModelPart[] {
  if (event === '[DONE]') return hasWholeItems(turn) ? end({}, turn) : nothing;
  if (!isObject(event)) return nothing;
  turn.hasBegun = true;
  const { error } = event as { readonly error?: unknown };
  if (error) throw reportedError(isObject(error) ? error : { message: String(error) });
  switch (event.type) {
    case 'response.output_item.added':
      return isObject(event.item) ? begin(event.item, placeOf(event, turn.slots), turn) : nothing;
    case 'response.output_item.done':
      return isObject(event.item) ? endItem(event.item, placeOf(event, turn.slots), turn) : nothing;
    case 'response.completed':
    case 'response.done' as 'response.completed': // OpenRouter's name for it
    case 'response.incomplete':
      return end(event.response ?? {}, turn);
    case 'response.failed':
      throw reportedError(event.response?.error ?? {});
    case 'error':
      throw reportedError(event);
    default:
      return readContent(event, turn);
  }
}

/** Events that this does not know are the API's news; it says that clients must pass over them. */
function readContent(event: ResponseStreamEvent, turn: Turn): readonly ModelPart[] {
  switch (event.type) {
    case 'response.output_text.delta':
      return addText(event.delta, slotOf(event, turn));
    case 'response.output_text.done':
      return addWhole(event.text, slotOf(event, turn));
    case 'response.refusal.delta':
      turn.refusal += event.delta ?? '';
      return addText(event.delta, slotOf(event, turn));
    case 'response.refusal.done':
      turn.refusal ||= event.refusal;
      return addWhole(event.refusal, slotOf(event, turn));
    case 'response.reasoning_summary_part.added':
      return event.summary_index > 0 ? [{ type: 'reasoning-delta', text: '\n\n' }] : nothing;
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return addThoughts(event.delta, slotOf(event, turn));
    case 'response.function_call_arguments.delta':
    case 'response.custom_tool_call_input.delta':
      return addInput(event.delta, slotOf(event, turn), turn);
    case 'response.function_call_arguments.done':
      return slotOf(event, turn).text === '' ? addInput(event.arguments, slotOf(event, turn), turn) : nothing;
    default:
      return nothing;
  }
}

function slotOf(event: EventOfItem, turn: Turn): Slot {
  return slotAt(placeOf(event, turn.slots), turn);
}

function slotAt(index: number, turn: Turn): Slot {
  const slot = turn.slots.get(index) ?? { text: '', isDone: false };
  turn.slots.set(index, slot);
  return slot;
}

function begin(item: Item, index: number, turn: Turn): readonly ModelPart[] {
  turn.slots.set(index, { added: item, text: '', isDone: false });
  const isCall = item.type === 'function_call' || item.type === 'custom_tool_call';
  if (!isCall || isWrapper(item.name, turn.tools)) return nothing;
  if (item.type === 'custom_tool_call' && isServerRun(item, turn.tools)) return nothing;
  return [{ type: 'tool-input-start', callId: item.call_id, name: ownName(item.name, turn.tools) }];
}

function addText(delta: string, slot: Slot): readonly ModelPart[] {
  if (!delta) return nothing;
  slot.text += delta;
  return [{ type: 'text-delta', text: delta }];
}

/** A text at its end, for servers that send no deltas of it. */
function addWhole(text: string, slot: Slot): readonly ModelPart[] {
  return slot.text === '' ? addText(text, slot) : nothing;
}

function addThoughts(delta: string, slot: Slot): readonly ModelPart[] {
  if (!delta) return nothing;
  slot.text += delta;
  return [{ type: 'reasoning-delta', text: delta }];
}

function addInput(delta: string, slot: Slot, { tools }: Turn): readonly ModelPart[] {
  if (!delta) return nothing;
  const call = slot.added;
  const isFirst = slot.text === '';
  slot.text += delta;
  if (call?.type === 'custom_tool_call' && !isServerRun(call, tools))
    return [customDelta(call, isFirst ? '{"input":"' : '', delta)];
  if (call?.type !== 'function_call' || isWrapper(call.name, tools)) return nothing;
  return [{ type: 'tool-input-delta', callId: call.call_id, delta }];
}

/** The text of a custom call as JSON, like the arguments of every other. */
function customDelta({ call_id: callId }: CustomCall, before: string, text: string): ModelPart {
  return { type: 'tool-input-delta', callId, delta: before + JSON.stringify(text).slice(1, -1) };
}

/**
 * The model gets back the current state of the item: ids and encrypted content of earlier events may be provisional.
 */
function endItem(told: Item, index: number, turn: Turn): readonly ModelPart[] {
  const slot = slotAt(index, turn);
  if (slot.isDone) return nothing;
  const item = mended(told, slot, turn);
  slot.isDone = true;
  slot.done = item;
  turn.items.set(index, [item]);
  if (item.type === 'function_call') return endCall(item, index, turn);
  if (item.type === 'reasoning') return slot.text === '' ? addThoughts(thoughtsOf(item), slot) : nothing;
  if (item.type === 'custom_tool_call' && !isServerRun(item, turn.tools)) return endCustomCall(item, slot, turn);
  if (isAsked(item)) {
    turn.hasCalls = true;
    return [askedCall(item, turn.tools)];
  }
  return item.type === 'message' ? endMessage(item, slot, turn) : hostedParts(item, turn.tools);
}

/** Gateways leave out at the end what came in deltas. An item goes back as it is read. */
function mended(item: Item, slot: Slot, turn: Turn): Item {
  if (item.type === 'function_call') return mendedCall(item, slot, turn);
  if (item.type !== 'message' || item.content?.length || slot.text === '') return item;
  return { ...item, content: [{ type: 'output_text', text: slot.text, annotations: [] }] };
}

/** Some leave out the id of a call, or use one twice. */
function mendedCall(item: FunctionCall, { text }: Slot, { slots }: Turn): FunctionCall {
  const known = [...slots.values()].flatMap(({ done }) => (done?.type === 'function_call' ? [done.call_id] : []));
  const free = [item.call_id, item.id].find((id) => id && !known.includes(id));
  const written: unknown = item.arguments;
  const whole = typeof written === 'string' ? written : written ? JSON.stringify(written) : '';
  return { ...item, call_id: free ?? newCallId(), arguments: whole || text };
}

function endCall(item: FunctionCall, index: number, turn: Turn): readonly ModelPart[] {
  const call = {
    callId: item.call_id,
    name: item.name,
    text: item.arguments,
    isCut: turn.isCut || item.status === 'incomplete',
  };
  turn.hasCalls = true;
  const inside = isWrapper(item.name, turn.tools) ? unwrap(call) : undefined;
  if (inside === undefined) return [toCall(call, turn.tools)];
  // Results will be those of the calls inside; a wrapper sent back would stay without one.
  const { id: _, ...rest } = item;
  const items = inside.map(({ callId, name, text }) => ({ ...rest, call_id: callId, name, arguments: text }));
  turn.items.set(index, items);
  return inside.map((each) => toCall(each, turn.tools));
}

function endCustomCall(item: CustomCall, slot: Slot, turn: Turn): readonly ModelPart[] {
  const { call_id: callId, name, input: text } = item;
  turn.hasCalls = true;
  const input = turn.isCut ? { input: {}, invalidInput: text } : { input: customInput(text) };
  const call: ModelPart = { type: 'tool-call', callId, name: ownName(name, turn.tools), ...input, executedBy: 'us' };
  return slot.text === '' ? [call] : [{ type: 'tool-input-delta', callId, delta: '"}' }, call];
}

function endMessage(item: OutputMessage, slot: Slot, turn: Turn): readonly ModelPart[] {
  const { text, refusal } = messageText(item);
  turn.refusal ||= refusal;
  const parts: ModelPart[] = [];
  if (slot.text === '' && text !== '') parts.push({ type: 'text-delta', text }); // some servers send no deltas
  for (const source of sources(item)) {
    if (!turn.cited.has(source.url)) parts.push(source);
    turn.cited.add(source.url);
  }
  return parts;
}

/** For a server that ends in order but without a final event. Thoughts alone do not make an answer. */
function hasWholeItems({ slots }: Turn): boolean {
  const all = [...slots.values()];
  return all.every(({ isDone }) => isDone) && all.some(({ done }) => done !== undefined && done.type !== 'reasoning');
}

function end(response: Partial<Response>, turn: Turn): readonly ModelPart[] {
  if (response.status === 'failed') throw reportedError(response.error ?? {});
  const stopped = response.incomplete_details?.reason;
  turn.isCut = stopped === 'max_output_tokens' || stopped === 'content_filter';
  const parts: ModelPart[] = [];
  const output = (response.output ?? []).filter(isObject);
  const places = placesOf(output, turn.slots);
  for (const [index, item] of output.entries()) parts.push(...endItem(item, places[index] as number, turn));
  for (const [index, slot] of turn.slots) {
    const item = slot.isDone ? undefined : soFar(slot, turn);
    if (item !== undefined) parts.push(...endItem(item, index, turn));
  }
  turn.hasEnded = true;
  const items = [...turn.items].sort(([a], [b]) => a - b).flatMap(([, each]) => each);
  const detail = turn.refusal || details.get(stopped ?? '');
  parts.push({
    type: 'finish',
    reason: reasonOf(stopped, turn),
    usage: toUsage(response.usage),
    ...(detail !== undefined && { detail }),
    ...(items.length > 0 && { state: items as object as Json }),
  });
  return parts;
}

const details: ReadonlyMap<string, string> = new Map([
  ['max_messages', 'The limit of messages in one answer is reached.'],
]);

/** An item that never ended, as far as it was received. Reasoning is useless without its end. */
function soFar({ added, text }: Slot, { isCut }: Turn): Item | undefined {
  if (added?.type === 'function_call')
    return { ...added, arguments: text, status: isCut || text === '' ? 'incomplete' : 'completed' };
  if (added?.type === 'custom_tool_call') return { ...added, input: text };
  if (added?.type !== 'message') return undefined;
  return { ...added, content: [{ type: 'output_text', text, annotations: [] }], status: 'incomplete' };
}

/** The API has no finish reason for calls; a truncated call ends with `length`. */
function reasonOf(stopped: string | undefined, { hasCalls, refusal }: Turn): FinishReason {
  if (stopped === 'max_output_tokens') return 'length';
  if (stopped === 'content_filter') return 'content-filter';
  if (hasCalls) return 'tool-calls';
  return refusal === '' ? 'stop' : 'refusal';
}
