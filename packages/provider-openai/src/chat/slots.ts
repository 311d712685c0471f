import type { ModelPart } from '@utensil/core';
import { parseToolInput } from '@utensil/core/provider';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { type Asked, customInput, isWrapper, ownName, toCall, unwrap } from '../calls.ts';

/** A fragment of a call. Servers that imitate OpenAI leave out, repeat and change what they like. */
export type CallDelta = Partial<ChatCompletionChunk.Choice.Delta.ToolCall>;

/** A call that is being written. */
interface Slot {
  readonly index: number | undefined;
  readonly callId: string;
  /** A tool that takes one text, and no JSON. */
  readonly isCustom: boolean;
  name: string;
  text: string;
  hasStarted: boolean;
}

/** The calls of a turn, in call order. */
export interface Slots extends Asked {
  readonly newId: () => string;
  readonly slots: Slot[];
  /** How many have been told as complete. */
  told: number;
}

/** The parts of a fragment. A call is told as soon as the next begins and it is whole JSON, which nothing can follow. */
export function* addCall(delta: CallDelta, calls: Slots): Generator<ModelPart> {
  const { name, text } = written(delta);
  const known = find(delta, name, calls.slots);
  if (known === undefined) yield* tellWhole(calls);
  const slot = known ?? open(delta, calls);
  slot.name ||= name;
  slot.text += text;
  if (slot.name === '' || isWrapper(slot.name, calls.tools)) return;
  const { callId } = slot;
  if (!slot.hasStarted) yield { type: 'tool-input-start', callId, name: ownName(slot.name, calls.tools) };
  const fresh = slot.hasStarted ? text : slot.text;
  slot.hasStarted = true;
  if (fresh !== '' && !slot.isCustom) yield { type: 'tool-input-delta', callId, delta: fresh };
}

/** The calls that are whole already, for something else follows them. */
export function* tellWhole(calls: Slots): Generator<ModelPart> {
  while (isWhole(calls.slots[calls.told])) yield* tell(calls, false);
}

/** The calls that are still to be told. `isCut`: the turn ended in the middle of the last. */
export function* endCalls(calls: Slots, isCut: boolean): Generator<ModelPart> {
  while (calls.told < calls.slots.length) yield* tell(calls, isCut && calls.told === calls.slots.length - 1);
}

function* tell(calls: Slots, isCut: boolean): Generator<ModelPart> {
  const slot = calls.slots[calls.told++] as Slot;
  const { callId, name } = slot;
  const text = slot.isCustom && !isCut ? JSON.stringify(customInput(slot.text)) : slot.text;
  const call = { callId, name, text, isCut };
  const inside = isWrapper(name, calls.tools) ? unwrap(call) : undefined;
  yield* (inside ?? [call]).map((each) => toCall(each, calls.tools));
}

/** Ollama and others number every call 0, and some give no ids: a new call is known by a new id that brings a name. */
function find({ id, index }: CallDelta, name: string, slots: readonly Slot[]): Slot | undefined {
  const same = id ? slots.find((slot) => slot.callId === id) : undefined;
  const slot = same ?? (index === undefined ? slots.at(-1) : slots.findLast((each) => each.index === index));
  if (same !== undefined || name === '') return slot;
  return id || isWhole(slot) ? undefined : slot;
}

function open(delta: CallDelta, calls: Slots): Slot {
  const { id, index } = delta;
  const callId = id || calls.newId();
  const isCustom = isOfCustomTool(delta);
  const slot = { index, callId, isCustom, name: '', text: '', hasStarted: false };
  calls.slots.push(slot);
  return slot;
}

/** Some servers write both members, and leave one of them empty. */
function isOfCustomTool({ function: called, custom }: CallDelta): boolean {
  return Boolean(custom?.name || custom?.input) || (Boolean(custom) && !called);
}

function written(delta: CallDelta): { readonly name: string; readonly text: string } {
  const { function: called, custom } = delta;
  if (custom && isOfCustomTool(delta)) return { name: custom.name ?? '', text: custom.input ?? '' };
  const text: unknown = called?.arguments;
  return {
    name: called?.name ?? '',
    text: typeof text === 'object' && text !== null ? JSON.stringify(text) : String(text ?? ''),
  };
}

function isWhole(slot: Slot | undefined): boolean {
  return (
    slot !== undefined && !slot.isCustom && slot.text !== '' && parseToolInput(slot.text).invalidInput === undefined
  );
}
