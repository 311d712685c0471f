import type { ModelPart } from '@utensil/core';
import { joinArguments, parseToolInput } from '@utensil/core/provider';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import { type Asked, customInput, isWrapper, ownName, toCall, unwrap } from '../calls.ts';

/** A fragment of a call. Servers that imitate OpenAI leave out, repeat and change what they like. */
export type CallDelta = Partial<ChatCompletionChunk.Choice.Delta.ToolCall>;

/** A call that is being written. */
interface Slot {
  readonly index: number | undefined;
  /** As the server names it; two calls may have the same. */
  readonly id: string;
  readonly callId: string;
  /** A tool that takes one text, and no JSON. */
  readonly isCustom: boolean;
  /** The fragments of its text. */
  readonly pieces: string[];
  name: string;
  text: string;
  hasStarted: boolean;
}

/** The calls of a turn, in call order. */
export interface Slots extends Asked {
  readonly newId: () => string;
  readonly slots: Slot[];
  /** Number of calls that were emitted as complete. */
  told: number;
}

/** The parts of a fragment. A call is told as soon as the next begins and it is whole JSON, which nothing can follow. */
export function* addCall(given: CallDelta, calls: Slots): Generator<ModelPart> {
  const delta = written(given);
  const { name, text } = delta;
  const known = find(delta, calls.slots);
  if (known === undefined) yield* tellWhole(calls);
  const slot = known ?? open(delta, calls);
  if (calls.slots.indexOf(slot) < calls.told) return; // some servers repeat all calls at the end
  slot.name ||= name;
  slot.text += text;
  if (text !== '') slot.pieces.push(text);
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
  const text = slot.isCustom && !isCut ? JSON.stringify(customInput(slot.text)) : joinArguments(slot.pieces);
  const call = { callId, name, text, isCut };
  const inside = isWrapper(name, calls.tools) ? unwrap(call) : undefined;
  yield* (inside ?? [call]).map((each) => toCall(each, calls.tools));
}

/** Ollama and others number every call 0, and some give no ids: a new call is known by a new id that brings a name. */
function find({ id, index, name, text }: Fragment, slots: readonly Slot[]): Slot | undefined {
  const isNumbered = (slot: Slot): boolean => index === undefined || slot.index === undefined || slot.index === index;
  const same = id === '' ? undefined : slots.findLast((slot) => slot.id === id && isNumbered(slot));
  const slot = same ?? (index === undefined ? slots.at(-1) : slots.findLast((each) => each.index === index));
  if (name === '') return slot;
  if (same !== undefined) return isAnother(same, text) ? undefined : same;
  if (id !== '') return slot !== undefined && goesOn(slot, text) ? slot : undefined;
  return isWhole(slot) ? undefined : slot;
}

/** Two calls with the same id are told apart by their arguments. */
function isAnother(slot: Slot, text: string): boolean {
  return slot.text !== '{}' && slot.text !== text && isObjectText(text) && isWhole(slot);
}

/** Some servers make a new id for each fragment: no call begins in the middle of an object. */
function goesOn(slot: Slot, text: string): boolean {
  return slot.text !== '' && !isWhole(slot) && /^\s*[^\s{]/.test(text);
}

function open({ id, index, isCustom }: Fragment, calls: Slots): Slot {
  const isFree = id !== '' && calls.slots.every((slot) => slot.callId !== id);
  const callId = isFree ? id : calls.newId();
  const slot = { index, id, callId, isCustom, pieces: [], name: '', text: '', hasStarted: false };
  calls.slots.push(slot);
  return slot;
}

/** A fragment in the types of the documentation. */
interface Fragment {
  readonly id: string;
  readonly index: number | undefined;
  readonly name: string;
  readonly text: string;
  readonly isCustom: boolean;
}

function written(delta: CallDelta): Fragment {
  const { id: given, index, function: called, custom } = delta;
  const id: unknown = given ?? '';
  const isCustom = isOfCustomTool(delta);
  const text: unknown = isCustom ? custom?.input : called?.arguments;
  const number: unknown = index ?? undefined;
  return {
    id: String(id),
    index: number === undefined ? undefined : Number(number),
    name: (isCustom ? custom?.name : called?.name) ?? '',
    text: typeof text === 'object' && text !== null ? JSON.stringify(text) : String(text ?? ''),
    isCustom,
  };
}

/** Some servers write both members, and leave one of them empty. */
function isOfCustomTool({ function: called, custom }: CallDelta): boolean {
  return Boolean(custom?.name || custom?.input) || (Boolean(custom) && !called);
}

function isWhole(slot: Slot | undefined): boolean {
  return slot !== undefined && !slot.isCustom && isObjectText(slot.text);
}

function isObjectText(text: string): boolean {
  return text !== '' && parseToolInput(text).invalidInput === undefined;
}
