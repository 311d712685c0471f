import { type FinishReason, type ModelPart, type Usage, isObject, noUsage } from '@utensil/core';
import { type TurnReader, wholeCall, wordsIn } from '@utensil/core/provider';

/** A line of the answer. Every member may be absent: servers differ by their age. */
export interface Chunk {
  readonly message?: ChunkMessage | null;
  readonly done?: boolean;
  readonly done_reason?: string | null;
  readonly prompt_eval_count?: number | null;
  readonly eval_count?: number | null;
}

interface ChunkMessage {
  /** A text; of some servers, parts of one. */
  readonly content?: unknown;
  readonly thinking?: unknown;
  readonly tool_calls?: readonly ChunkCall[] | ChunkCall | null;
}

interface ChunkCall {
  readonly id?: string | number | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown } | null;
}

interface Turn {
  /** For calls to which a server gave no id. */
  readonly newId: () => string;
  readonly callIds: Set<string>;
  progress: ReturnType<TurnReader['progress']>;
  hasAnswer?: boolean;
  /** The line that ends the answer, or that would if it said so. */
  last?: Chunk;
}

/** Reads the lines of one turn, of which the last is `done`. Some servers leave that out: then counts behind an answer end it. */
export function chunkReader(newId: () => string): TurnReader<Chunk> {
  const turn: Turn = { newId, callIds: new Set(), progress: 'none' };
  return { read: (chunk) => read(chunk, turn), progress: () => turn.progress, end: () => [finish(turn)] };
}

function read(chunk: Chunk, turn: Turn): readonly ModelPart[] {
  const parts = chunk.message ? [...messageParts(chunk.message, turn)] : [];
  turn.hasAnswer ||= parts.some(({ type }) => type !== 'reasoning-delta');
  const isEnd = chunk.done === true || (turn.hasAnswer && isCounted(chunk, parts));
  turn.progress = isEnd ? 'whole' : 'begun';
  if (isEnd) turn.last = chunk;
  return parts;
}

/**
 * True if a line ends the answer: it has a reason, or a token count without content. Some servers count in every line.
 */
function isCounted({ done_reason: reason, eval_count: written }: Chunk, parts: readonly ModelPart[]): boolean {
  return Boolean(reason) || (parts.length === 0 && (written ?? 0) > 0);
}

function finish(turn: Turn): ModelPart {
  const { last = {} } = turn;
  return { type: 'finish', reason: reasonOf(last, turn), usage: usageOf(last) };
}

function* messageParts({ thinking, content, tool_calls: calls }: ChunkMessage, turn: Turn): Generator<ModelPart> {
  const [thoughts, text] = [wordsIn(thinking), wordsIn(content)];
  if (thoughts !== '') yield { type: 'reasoning-delta', text: thoughts };
  if (text !== '') yield { type: 'text-delta', text };
  if (calls) for (const call of [calls].flat().filter(isObject)) yield* callParts(call, turn);
}

/** The API sends whole calls only. */
function* callParts({ id: given, function: called }: ChunkCall, { newId, callIds }: Turn): Generator<ModelPart> {
  const id = String(given ?? '');
  const callId = id !== '' && !callIds.has(id) ? id : newId();
  callIds.add(callId);
  // An object; some servers write it as text, as OpenAI does, or leave it out.
  yield* wholeCall(callId, called?.name ?? '', called?.arguments ?? {});
}

/** There is no word for calls: the reason is `stop` for them too. */
function reasonOf({ done_reason: reason }: Chunk, { callIds }: Turn): FinishReason {
  if (reason === 'length') return 'length';
  return callIds.size > 0 ? 'tool-calls' : 'stop';
}

function usageOf({ prompt_eval_count: read, eval_count: written }: Chunk): Usage {
  return { ...noUsage, inputTokens: read ?? 0, outputTokens: written ?? 0 };
}
