import {
  type FinishReason,
  type JsonObject,
  type ModelPart,
  type ToolDefinition,
  UtensilError,
  isObject,
} from '@utensil/core';
import { type TurnReader, wholeCall } from '@utensil/core/provider';
import type { Candidate, FunctionCall, GenerateContentResponse, Part } from '@google/genai';
import type { Stop } from '../failures/stop.ts';
import { hostedName, toolName } from '../hosted.ts';
import { toReason } from './reasons.ts';
import { sourcesOf } from './sources.ts';
import { addPart, toState } from './state.ts';
import { toUsage } from './usage.ts';

/** The request that a stream answers. */
export interface Asked {
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
  /** Reason for the end of the answer. */
  stop?: Stop;
  /** The search was seen as a call. */
  hasSearched?: boolean;
  hasBegun?: boolean;
  /** A count stands behind the answer. */
  isCounted?: boolean;
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
    progress: () => (turn.stop !== undefined || turn.isCounted === true ? 'whole' : turn.hasBegun ? 'begun' : 'none'),
    async end() {
      const { stop = { reason: 'STOP' } } = turn;
      const reason = stop.isBlocked === true ? 'content-filter' : toReason(stop.reason);
      const detail = /stop|length/.test(reason) ? undefined : await explained(stop);
      return [finish(reason, detail, turn)];
    },
  };
}

function readChunk({ candidates, promptFeedback, usageMetadata }: Chunk, turn: Turn): ModelPart[] {
  // Counts grow; some chunks have none, and some only the kind of traffic.
  if (usageMetadata) turn.usage = { ...turn.usage, ...withoutNull(usageMetadata) };
  const candidate = answerIn(candidates ?? []);
  turn.hasBegun ||= candidate !== undefined;
  if (promptFeedback?.blockReason) {
    const { blockReason: reason, blockReasonMessage: said, safetyRatings: ratings } = promptFeedback;
    turn.stop = { reason, said, ratings, isBlocked: true };
  }
  turn.isCounted = isBehindAnswer(candidate, turn) && typeof usageMetadata?.candidatesTokenCount === 'number';
  if (candidate === undefined) return [];
  const came: readonly (Part | null)[] = candidate.content?.parts ?? [];
  const parts = came.flatMap((part) => (part === null ? [] : readPart(withoutNull(part), turn)));
  parts.push(...search(candidate, turn), ...sourcesOf(candidate, turn.cited));
  const { finishReason: reason, finishMessage: said, safetyRatings: ratings } = candidate;
  if (reason) turn.stop = { reason: reason.toUpperCase(), said, ratings: ratings ?? [] };
  return parts;
}

/** The one candidate that was asked for. */
function answerIn(candidates: readonly (Candidate | null)[]): Candidate | undefined {
  return candidates.find((each) => each !== null && (each.index ?? 0) === 0) ?? undefined;
}

/** Removes the `null` members that gateways write for absent ones. */
function withoutNull<Value extends object>(value: Value): Value {
  const isFull = Object.values(value).every((member) => member !== null);
  return isFull ? value : (Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null)) as Value);
}

/**
 * Gateways lose the reason: then the last chunk has a count alone, after text or calls. Thoughts alone do not make an
 * answer.
 */
function isBehindAnswer(candidate: Candidate | undefined, { parts, callIds }: Turn): boolean {
  if ((candidate?.content?.parts ?? []).length > 0) return false;
  return callIds.length > 0 || parts.some(({ text, thought }) => text && thought !== true);
}

function readPart(part: Part, turn: Turn): ModelPart[] {
  const { text, functionCall, executableCode, toolCall, inlineData } = part;
  if (functionCall !== undefined) return readCall({ ...part, functionCall }, turn);
  addPart(turn.parts, part);
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

const inPieces = 'Calls in pieces cannot be read: leave `streamFunctionCallArguments` out.';

/** The API sends calls whole. Some come without an id, and those without input come without arguments. */
function readCall(part: Part & { readonly functionCall: FunctionCall }, turn: Turn): ModelPart[] {
  const { functionCall } = part;
  const { id, name: said = '', args, willContinue } = functionCall;
  // A consumer that wants fragments must not have a tool run without them.
  if (willContinue === true) throw new UtensilError('model_request_invalid', inPieces);
  const callId = id && !turn.callIds.includes(id) ? id : turn.newId();
  turn.callIds.push(callId);
  const name = toolName(said, turn.tools);
  const parts = wholeCall(callId, name, args ?? {}); // an object, by the documentation; some servers in between make a text of it
  const [, , { input, invalidInput }] = parts;
  const isRead = args === undefined || (isObject(args) && invalidInput === undefined);
  addPart(turn.parts, isRead ? part : { ...part, functionCall: { ...functionCall, args: input } });
  return [...parts];
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

/** A search that the API does not show as a call, but by its queries. */
function search({ groundingMetadata }: Candidate, turn: Turn): ModelPart[] {
  const queries = groundingMetadata?.webSearchQueries ?? [];
  if (queries.length === 0 || turn.hasSearched) return [];
  turn.hasSearched = true;
  return [hosted({ id: undefined, kind: 'google_search', input: { queries } }, turn)];
}

/** For people: why an answer was stopped. */
async function explained(stop: Stop): Promise<string> {
  try {
    const { explainStop } = await import('../failures.ts');
    return explainStop(stop);
  } catch {
    return stop.reason; // nothing can be loaded any more
  }
}

function finish(reason: FinishReason, detail: string | undefined, turn: Turn): ModelPart {
  const state = toState(turn.parts, turn.callIds);
  return {
    type: 'finish',
    reason: reason === 'stop' && turn.callIds.length > 0 ? 'tool-calls' : reason,
    usage: toUsage(turn.usage ?? {}),
    ...(detail !== undefined && { detail }),
    ...(state !== undefined && { state }),
  };
}
