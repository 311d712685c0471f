import { type ModelPart, parseToolInput } from '@utensil/core';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { type Asked, isWrapper, toCall, unwrap } from '../calls.ts';

/** A fragment of a call. Servers that imitate OpenAI leave out, repeat and change what they like. */
export type CallDelta = Partial<ChatCompletionChunk.Choice.Delta.ToolCall>;

/** A call that is being written. */
interface Slot {
  readonly index: number | undefined;
  readonly callId: string;
  /** The server gave it an id. */
  readonly isNamed: boolean;
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
  const slot = find(delta, calls.slots) ?? open(delta, calls);
  const { name, text } = written(delta);
  slot.name ||= name;
  slot.text += text;
  if (slot.name === '' || isWrapper(slot.name, calls.tools)) return;
  const { callId } = slot;
  if (!slot.hasStarted) yield { type: 'tool-input-start', callId, name: slot.name };
  const fresh = slot.hasStarted ? text : slot.text;
  slot.hasStarted = true;
  if (fresh !== '') yield { type: 'tool-input-delta', callId, delta: fresh };
  while (calls.told < calls.slots.length - 1 && isWhole(calls.slots[calls.told])) yield* tell(calls, false);
}

/** The calls that are still to be told. `isCut`: the turn ended at its limit of tokens. */
export function* endCalls(calls: Slots, isCut: boolean): Generator<ModelPart> {
  while (calls.told < calls.slots.length) yield* tell(calls, isCut && calls.told === calls.slots.length - 1);
}

function* tell(calls: Slots, isCut: boolean): Generator<ModelPart> {
  const slot = calls.slots[calls.told++] as Slot;
  const call = { callId: slot.callId, name: slot.name, text: slot.text, isCut };
  const inside = isWrapper(slot.name, calls.tools) ? unwrap(call) : undefined;
  yield* (inside ?? [call]).map(toCall);
}

function find({ id, index, function: part }: CallDelta, slots: readonly Slot[]): Slot | undefined {
  const named = id ? slots.find((slot) => slot.callId === id) : undefined;
  if (named !== undefined) return named;
  const slot = index === undefined ? slots.at(-1) : slots.findLast((each) => each.index === index);
  if (slot === undefined) return undefined;
  // Ollama and others number every call 0, and some leave out the id too: a new call is one with another id,
  // or a name where the one before is whole.
  if (id) return slot.isNamed || part?.name ? undefined : slot;
  return part?.name && isWhole(slot) ? undefined : slot;
}

function open({ id, index }: CallDelta, calls: Slots): Slot {
  const slot = { index, callId: id || calls.newId(), isNamed: Boolean(id), name: '', text: '', hasStarted: false };
  calls.slots.push(slot);
  return slot;
}

function written({ function: called, custom }: CallDelta): { readonly name: string; readonly text: string } {
  if (custom) return { name: custom.name ?? '', text: custom.input ?? '' };
  const text: unknown = called?.arguments;
  return {
    name: called?.name ?? '',
    text: typeof text === 'object' && text !== null ? JSON.stringify(text) : String(text ?? ''),
  };
}

function isWhole(slot: Slot | undefined): boolean {
  return slot !== undefined && slot.text !== '' && parseToolInput(slot.text).invalidInput === undefined;
}
