import { isUtensilError, messageOf } from '../base/errors.ts';
import type { UtensilError } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Message, Part, ToolCallPart, ToolResultPart } from '../model/message.ts';
import type { FunctionDefinition, Model, ModelPart, ModelRequest } from '../model/model.ts';
import { addPart, emptyTurn, toMessage } from '../run/turn.ts';
import { assert } from './assert.ts';
import type { AnswerBlock, ModelAnswer } from './model-answer.ts';
import { pause, within } from './storage-kit.ts';

/** How a model of a {@link ModelBackend} is set up. */
export interface ModelSetup {
  /** The model's key. No error may repeat it. */
  readonly apiKey: string;
}

/** A model over a server of its vendor's that is played. */
export interface OpenModel {
  readonly model: Model;
  /** How many connections to the server are open. */
  connections(): number;
  close(): Promise<void>;
}

/** A model that a test has opened, and what the server was asked. */
export interface Stage extends Omit<OpenModel, 'close'> {
  /** The bodies that the server took, parsed. */
  readonly requests: readonly unknown[];
  /** The names of the tools in the last of them. */
  toolNames(): readonly string[];
}

/** Opens a model whose server gives these answers. One that is a function is asked for when its request has come. */
export type OpenStage = (
  answers: readonly (ModelAnswer | ((request: unknown) => ModelAnswer))[],
  setup?: Partial<ModelSetup>,
) => Promise<Stage>;

/** One test: throws where a promise is broken. */
export type ModelCase = (open: OpenStage, toolNames: (request: unknown) => readonly string[]) => Promise<void>;

/** The key of every model that no other was given. */
export const apiKey = 'sk-utensil-0123456789abcdef';

/** Tools of every test that needs no others. */
const tools: readonly FunctionDefinition[] = [tool('now', {}), tool('read', { path: { type: 'string' } })];

export function tool(name: string, properties: JsonObject): FunctionDefinition {
  return { type: 'function', name, description: `Does ${name}.`, inputSchema: { type: 'object', properties } };
}

export const text = (...deltas: readonly string[]): AnswerBlock => ({ type: 'text', deltas });

export const reasoning = (...deltas: readonly string[]): AnswerBlock => ({ type: 'reasoning', deltas });

export const call = (name: string, ...deltas: readonly string[]): AnswerBlock => ({ type: 'call', name, deltas });

/** A request of a user, with these changes. */
export function requestOf(more: Partial<ModelRequest> = {}): ModelRequest {
  return { system: 'Be brief.', messages: [user('Hello.')], tools, toolChoice: 'auto', ...more };
}

export function user(said: string): Message {
  return { id: `user-${said}`, role: 'user', parts: [{ type: 'text', text: said }], createdAt: 0 };
}

/** What came of a request. */
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

/** Reads a turn that must go well. */
export async function readWell(model: Model, request?: ModelRequest): Promise<readonly ModelPart[]> {
  const { parts, error } = await read(model, request);
  assert(error === undefined, `the model failed: ${messageOf(error)}`);
  return parts;
}

/** The text of some parts, or of what the model thought. */
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

/** Waits for a condition that nothing tells of. */
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

/** The answer to a call, as a run makes it. */
export function resultOf({ callId, name }: ToolCallPart, result: Partial<ToolResultPart>): Message {
  const output: Json = result.output ?? '';
  const part: Part = { type: 'tool-result', callId, name, output, modelParts: [], isError: false, ...result };
  return { id: `result-${callId}`, role: 'tool', parts: [part], createdAt: 0 };
}
