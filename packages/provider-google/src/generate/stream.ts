import { type JsonObject, type ModelPart, type ToolDefinition, isObject } from '@utensil/core';
import type { Candidate, GenerateContentResponse, Part, SafetyRating } from '@google/genai';
import { truncatedError } from '../errors.ts';
import { hostedName, toolName } from '../hosted.ts';
import type { TurnReader } from '../transport.ts';
import { explanations, toReason } from './reasons.ts';
import { sourcesOf } from './sources.ts';
import { addPart, toState } from './state.ts';
import { toUsage } from './usage.ts';

/** What a stream is the answer to. */
export interface Asked {
  readonly modelId: string;
  readonly tools: readonly ToolDefinition[];
  /** Ids for calls that came without. */
  readonly newId: () => string;
}

type Chunk = Pick<GenerateContentResponse, 'candidates' | 'promptFeedback' | 'usageMetadata'>;

interface Turn extends Asked {
  /** As they go back. */
  readonly parts: Part[];
  readonly callIds: string[];
  readonly cited: Set<string>;
  usage?: NonNullable<Chunk['usageMetadata']>;
  finishReason?: string;
  detail?: string;
  /** The search was seen as a call. */
  hasSearched?: boolean;
  hasBegun?: boolean;
}

/** Reads the chunks of generateContent. */
export function chunkReader(asked: Asked): TurnReader {
  const turn: Turn = {
    ...asked,
    parts: [],
    callIds: [],
    cited: new Set(),
  };
  return {
    read: (chunk) => (isObject(chunk) ? readChunk(chunk, turn) : []),
    isWhole: () => turn.finishReason !== undefined,
    end() {
      if (turn.finishReason === undefined) throw truncatedError(turn.modelId, turn.hasBegun);
      return [finish(turn.finishReason, turn)];
    },
  };
}

function readChunk({ candidates, promptFeedback, usageMetadata }: Chunk, turn: Turn): ModelPart[] {
  // Counts grow; some chunks have none, and some only the kind of traffic.
  if (usageMetadata !== undefined) turn.usage = { ...turn.usage, ...usageMetadata };
  const candidate = candidates?.[0];
  turn.hasBegun ||= candidate !== undefined;
  if (promptFeedback?.blockReason !== undefined) {
    turn.finishReason = 'SAFETY';
    turn.detail = `The question was blocked: ${named(promptFeedback.blockReason, promptFeedback.safetyRatings)}.`;
  }
  if (candidate === undefined) return [];
  const parts = (candidate.content?.parts ?? []).flatMap((part) => readPart(part, turn));
  parts.push(...search(candidate, turn), ...sourcesOf(candidate, turn.cited));
  if (candidate.finishReason !== undefined) readEnd(candidate, candidate.finishReason, turn);
  return parts;
}

function readPart(part: Part, turn: Turn): ModelPart[] {
  addPart(turn.parts, part);
  const { text, functionCall, executableCode, toolCall, inlineData } = part;
  if (functionCall !== undefined) return readCall(functionCall, turn);
  if (text) return [{ type: part.thought === true ? 'reasoning-delta' : 'text-delta', text }];
  if (inlineData?.data) {
    return [{ type: 'file', mediaType: inlineData.mimeType ?? 'application/octet-stream', data: inlineData.data }];
  }
  if (executableCode !== undefined) {
    const { id, code = '', language = 'PYTHON' } = executableCode;
    return [hosted({ id, kind: 'code_execution', input: { language, code } }, turn)];
  }
  if (toolCall === undefined) return [];
  turn.hasSearched ||= toolCall.toolType?.startsWith('GOOGLE_SEARCH') === true;
  return [
    hosted({ id: toolCall.id, kind: toolCall.toolType ?? 'tool', input: (toolCall.args ?? {}) as JsonObject }, turn),
  ];
}

/** The API sends calls whole. Some come without an id, and without arguments where there are none. */
function readCall({ id, name: said = '', args }: NonNullable<Part['functionCall']>, turn: Turn): ModelPart[] {
  const callId = id && !turn.callIds.includes(id) ? id : turn.newId();
  turn.callIds.push(callId);
  const name = toolName(said, turn.tools);
  const input = isObject(args) ? (args as JsonObject) : {};
  return [
    { type: 'tool-input-start', callId, name },
    { type: 'tool-input-delta', callId, delta: JSON.stringify(input) },
    { type: 'tool-call', callId, name, input, executedBy: 'us' },
  ];
}

interface HostedCall {
  readonly id: string | undefined;
  readonly kind: string;
  readonly input: JsonObject;
}

/** A call of a tool that Google runs itself. Its result is for the model, in a part of its own. */
function hosted({ id, kind, input }: HostedCall, turn: Turn): ModelPart {
  const name = hostedName(kind, turn.tools);
  return { type: 'tool-call', callId: id ?? turn.newId(), name, input, executedBy: 'provider' };
}

/** A search that the API does not show as a call, but by what it looked for. */
function search({ groundingMetadata }: Candidate, turn: Turn): ModelPart[] {
  const queries = groundingMetadata?.webSearchQueries ?? [];
  if (queries.length === 0 || turn.hasSearched) return [];
  turn.hasSearched = true;
  return [hosted({ id: undefined, kind: 'google_search', input: { queries } }, turn)];
}

function readEnd({ finishMessage, safetyRatings }: Candidate, reason: string, turn: Turn): void {
  turn.finishReason = reason;
  if (/stop|length/.test(toReason(reason))) return;
  turn.detail = finishMessage ?? explanations[reason] ?? `The answer was stopped: ${named(reason, safetyRatings)}.`;
}

/** A reason with what it was for: `SAFETY (HARM_CATEGORY_HARASSMENT)`. */
function named(reason: string, ratings: readonly SafetyRating[] = []): string {
  const blocked = ratings.filter((rating) => rating.blocked === true || String(rating.probability) === 'HIGH');
  const categories = blocked.map(({ category }) => category).join(', ');
  return categories === '' ? reason : `${reason} (${categories})`;
}

function finish(finishReason: string, turn: Turn): ModelPart {
  const state = toState(turn.parts, turn.callIds);
  const reason = toReason(finishReason);
  return {
    type: 'finish',
    reason: reason === 'stop' && turn.callIds.length > 0 ? 'tool-calls' : reason,
    usage: toUsage(turn.usage ?? {}),
    ...(turn.detail !== undefined && { detail: turn.detail }),
    ...(state !== undefined && { state }),
  };
}
