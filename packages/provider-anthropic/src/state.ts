import { type Json, type JsonObject, type Message, isObject } from '@utensil/core';
import { wireName } from '@utensil/core/provider';
import type { Block, StreamedBlock } from './block.ts';

/** The wire format of this package. */
export const api = 'anthropic-messages';

/** Blocks that this API wants back with an assistant message; without them, the message is built from its parts. */
export interface State {
  /** The blocks of the response. The input of a `tool_use` is not among them: the call's part has it. */
  readonly content: readonly unknown[];
  /** The container in which code of this turn runs. */
  readonly container?: string;
}

/** The state that came with a message, where it came from this API and is whole. */
export function stateOf(message: Message | undefined): State | undefined {
  const state: unknown = message?.origin?.api === api ? message.origin.state : undefined;
  return isState(state) ? state : undefined;
}

function isState(value: unknown): value is State {
  return isObject(value) && Array.isArray(value['content']);
}

/** The blocks of the response, where its parts do not already say everything that the API wants back. */
export function toState(blocks: readonly StreamedBlock[], container: string | undefined): JsonObject | undefined {
  const kept = blocks.filter(({ block, isInvalid }) => block.type === 'tool_use' || !isInvalid);
  if (container === undefined && kept.every(isPlain)) return undefined;
  const content = kept.map(({ block }): JsonObject => (block.type === 'tool_use' ? withoutInput(block) : block));
  return { content, ...(container !== undefined && { container }) };
}

function withoutInput({ input: _, ...block }: Block): JsonObject {
  return block;
}

const plainKeys: ReadonlyMap<string, readonly string[]> = new Map([
  ['text', ['type', 'text']],
  ['tool_use', ['type', 'id', 'name', 'input']],
]);

/** A call of a tool whose name is the vendor's own is not: its part has our name. */
function isPlain({ block, name }: StreamedBlock): boolean {
  if (block.type === 'tool_use' && block['name'] !== wireName(name)) return false;
  const keys = plainKeys.get(block.type);
  return keys !== undefined && Object.entries(block).every(([key, value]) => keys.includes(key) || saysNothing(value));
}

function saysNothing(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || (isObject(value) && value['type'] === 'direct'); // the caller of a usual call
}
