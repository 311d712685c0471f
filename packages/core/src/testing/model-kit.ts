import { isUtensilError, messageOf } from '../base/errors.ts';
import type { UtensilError } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Message, Part, ToolCallPart, ToolResultPart } from '../model/message.ts';
import type { FunctionDefinition, Model, ModelPart, ModelRequest } from '../model/model.ts';
import { addPart, emptyTurn, toMessage } from '../run/turn/turn.ts';
import { assert } from './assert.ts';
import type { AnswerBlock, ModelAnswer } from './model-answer.ts';
import { pause, within } from './storage-kit.ts';

/** Setup of a {@link ModelBackend}'s model. */
export interface ModelSetup {
  /** API key of the model. Must not appear in any error. */
  readonly apiKey: string;
}

/** A model over a simulated server of its vendor. */
export interface OpenModel {
  readonly model: Model;
  /** Number of open connections to the server. */
  connections(): number;
  close(): Promise<void>;
}

/** A model opened by a test, and the requests that its server received. */
export interface Stage extends Omit<OpenModel, 'close'> {
  /** Parsed bodies of the accepted requests. */
  readonly requests: readonly unknown[];
  /** Names of the tools in the last one. */
  toolNames(): readonly string[];
}

/** Opens a model whose server gives these answers. A function is called when its request arrives. */
export type OpenStage = (
  answers: readonly (ModelAnswer | ((request: unknown) => ModelAnswer))[],
  setup?: Partial<ModelSetup>,
) => Promise<Stage>;

/** A test: throws if a guarantee is broken. */
export type ModelCase = (open: OpenStage, toolNames: (request: unknown) => readonly string[]) => Promise<void>;

/** Default API key of models. */
export const apiKey = 'sk-utensil-0123456789abcdef';

/** Tools of tests that need no specific ones. */
const tools: readonly FunctionDefinition[] = [tool('now', {}), tool('read', { path: { type: 'string' } })];

export function tool(name: string, properties: JsonObject): FunctionDefinition {
  return { type: 'function', name, description: `Does ${name}.`, inputSchema: { type: 'object', properties } };
}

export const text = (...deltas: readonly string[]): AnswerBlock => ({ type: 'text', deltas });

export const reasoning = (...deltas: readonly string[]): AnswerBlock => ({ type: 'reasoning', deltas });

export const call = (name: string, ...deltas: readonly string[]): AnswerBlock => ({ type: 'call', name, deltas });

/** A user's request with these changes. */
export function requestOf(more: Partial<ModelRequest> = {}): ModelRequest {
  return { system: 'Be brief.', messages: [user('Hello.')], tools, toolChoice: 'auto', ...more };
}

export function user(said: string): Message {
  return { id: `user-${said}`, role: 'user', parts: [{ type: 'text', text: said }], createdAt: 0 };
}

/** Outcome of a request. */
export interface Reading {
  readonly parts: readonly ModelPart[];
  readonly error?: unknown;
}

/** Reads a turn to its end, whatever that is. */
export async function read(
  model: Model,
  request = requestOf(),
  signal = new AbortController().signal,
): Promise<Reading> {
  const parts: ModelPart[] = [];
  const reading = async (): Promise<Reading> => {
    try {
      for await (const part of model.stream(request, { signal })) parts.push(part);
      return { parts };
    } catch (error) {
      return { parts, error };
    }
  };
  return within('the end of the stream', reading());
}

/** Reads a turn that must succeed. */
export async function readWell(model: Model, request?: ModelRequest): Promise<readonly ModelPart[]> {
  const { parts, error } = await read(model, request);
  assert(error === undefined, `the model failed: ${messageOf(error)}`);
  return parts;
}

/** Text, or reasoning, of some parts. */
export function textIn(parts: readonly ModelPart[], type: 'text-delta' | 'reasoning-delta' = 'text-delta'): string {
  return parts.map((part) => (part.type === type ? part.text : '')).join('');
}

/** Asserts that a turn failed with one of these codes. */
export function assertFailed({ error }: Reading, ...codes: readonly (string | RegExp)[]): UtensilError {
  assert(error !== undefined, 'the model took it for an answer');
  assert(isUtensilError(error), `the model threw an error that is not ours: ${messageOf(error)}`);
  const isExpected = codes.some((code) => (typeof code === 'string' ? code === error.code : code.test(error.code)));
  assert(isExpected, `expected ${codes.map(String).join(' or ')}, got ${error.code}: ${error.message}`);
  return error;
}

/** Polls until a condition holds. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  for (let turn = 0; !condition(); turn++) {
    assert(turn < 400, `${what} did not happen`);
    await pause(10);
  }
}

/** The message that a run makes of a turn. */
export function messageFrom({ info }: Model, parts: readonly ModelPart[]): Message {
  const turn = emptyTurn(info, { id: 'answer', createdAt: 0 });
  for (const part of parts) addPart(turn, part);
  return toMessage(turn);
}

/** The result message that a run makes for a call. */
export function resultOf({ callId, name }: ToolCallPart, result: Partial<ToolResultPart>): Message {
  const output: Json = result.output ?? '';
  const part: Part = { type: 'tool-result', callId, name, output, modelParts: [], isError: false, ...result };
  return { id: `result-${callId}`, role: 'tool', parts: [part], createdAt: 0 };
}
