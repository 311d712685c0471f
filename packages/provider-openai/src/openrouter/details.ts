import { type Json, type JsonObject, type Message, callsOf, isObject } from '@utensil/core';
import { shorten } from '../calls.ts';
import { idLimit } from '../chat/history.ts';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';

/** The wire format: OpenAI's, with the thoughts that a model wants back. */
export const api = 'openrouter-chat';

/** Members that come in pieces. Of any other the last counts: a signature comes behind its text. */
const pieces = ['text', 'summary', 'data'] as const;

/** Thoughts that a model wants back, collected from fragments of blocks. */
export interface Details {
  add(chunk: ChatCompletionChunk): void;
  /** Whole blocks, in order; undefined if there are none. */
  state(): Json | undefined;
}

export function collectDetails(): Details {
  const blocks: JsonObject[] = [];
  return {
    add(chunk) {
      for (const fragment of fragmentsIn(chunk)) {
        const place = blocks.findIndex((block) => isSameBlock(block, fragment));
        const block = blocks[place];
        if (block === undefined) blocks.push(fragment);
        else blocks[place] = join(block, fragment);
      }
    },
    state: () => (blocks.length > 0 ? blocks : undefined),
  };
}

/** Thoughts that go back with a message, unchanged, and only to the model that wrote it. */
export function detailsOf(message: Message, modelId: string): object {
  const { origin, incomplete } = message;
  const isOwn = origin?.api === api && origin.model === modelId && incomplete !== true;
  if (isOwn && Array.isArray(origin.state)) return { reasoning_details: withShortIds(origin.state, message) };
  const [call] = callsOf(message);
  return call !== undefined && /^~?google\/gemini/.test(modelId) ? unsigned(call.callId) : {};
}

/** A signature names the call that it is of, which goes back with a shorter id if it was too long. */
function withShortIds(details: readonly Json[], message: Message): readonly Json[] {
  const long = new Set(callsOf(message).flatMap(({ callId }) => (callId.length > idLimit ? [callId] : [])));
  if (long.size === 0) return details;
  return details.map((detail) => {
    const id = isObject(detail) ? detail['id'] : undefined;
    return isObject(detail) && typeof id === 'string' && long.has(id)
      ? { ...detail, id: shorten(id, idLimit) }
      : detail;
  });
}

/** Gemini refuses unsigned calls, unless they are marked as those of another model. */
function unsigned(callId: string): object {
  const id = shorten(callId, idLimit);
  const data = 'skip_thought_signature_validator';
  return { reasoning_details: [{ type: 'reasoning.encrypted', data, id, format: 'google-gemini-v1', index: 0 }] };
}

function fragmentsIn(chunk: ChatCompletionChunk): readonly JsonObject[] {
  const delta: object = chunk?.choices?.[0]?.delta ?? {}; // gateways send `null` between chunks
  const listed = 'reasoning_details' in delta ? delta.reasoning_details : undefined;
  return Array.isArray(listed) ? (listed.filter(isObject) as JsonObject[]) : [];
}

/** A fragment without an index is a block of its own. */
function isSameBlock(block: JsonObject, fragment: JsonObject): boolean {
  return block['index'] !== undefined && block['index'] === fragment['index'] && block['type'] === fragment['type'];
}

function join(block: JsonObject, fragment: JsonObject): JsonObject {
  const told = Object.entries(fragment).filter(([, value]) => value !== null);
  const joined = pieces.flatMap((name) => {
    const [a, b] = [block[name], fragment[name]];
    return typeof a === 'string' && typeof b === 'string' ? [[name, a + b]] : [];
  });
  return { ...block, ...Object.fromEntries(told), ...Object.fromEntries(joined) };
}
