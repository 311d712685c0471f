import { type Json, type JsonObject, type Message, isObject } from '@utensil/core';
import type { Part } from '@google/genai';

/** The wire format of `google`. */
export const api = 'gemini';

/** Parts that the API wants back with an assistant message: unchanged, with signatures in their places. */
export interface State {
  readonly parts: readonly Part[];
  /** The ids of the calls among them, in order: the API gives some none. */
  readonly callIds: readonly string[];
}

/** The state that came with a message of this model. Signatures of another model would be refused. */
export function stateOf({ origin }: Message, modelId: string): State | undefined {
  const state: unknown = origin?.api === api && origin.model === modelId ? origin.state : undefined;
  return isState(state) ? state : undefined;
}

function isState(value: unknown): value is State {
  return isObject(value) && Array.isArray(value['parts']) && Array.isArray(value['callIds']);
}

/** The parts of a response, where the message does not already say everything that the API wants back. */
export function toState(parts: readonly Part[], callIds: readonly string[]): Json | undefined {
  return parts.every(isPlain) ? undefined : ({ parts, callIds } as object as JsonObject);
}

function isPlain(part: Part): boolean {
  return Object.keys(part).join() === 'text';
}

/** Adds a part of a stream to those before. Texts grow together, unless one is signed: a signature is of one part. */
export function addPart(parts: Part[], came: Part): void {
  const part = isBare(came) ? { text: '', ...came } : came;
  const last = parts.at(-1);
  if (last !== undefined && isText(last) && isText(part) && last.thought === part.thought) {
    parts[parts.length - 1] = { ...last, text: `${last.text}${part.text}` };
  } else if (!isText(part) || part.text !== '') parts.push(part);
}

/** A signature alone may come without the empty text that the API wants back with it. */
function isBare(part: Part): boolean {
  return Object.keys(part).every((key) => key === 'thought' || key === 'thoughtSignature');
}

function isText(part: Part): boolean {
  const { text, thoughtSignature, ...rest } = part;
  return text !== undefined && thoughtSignature === undefined && isBare(rest);
}
