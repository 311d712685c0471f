import type { FinishReason, ModelPart, Usage } from '@utensil/core';
import { noUsage, parseToolInput } from '@utensil/core/provider';

/** A line of the answer. Every member may be absent: servers differ by their age. */
export interface Chunk {
  readonly message?: ChunkMessage | null;
  readonly done?: boolean;
  readonly done_reason?: string | null;
  readonly prompt_eval_count?: number | null;
  readonly eval_count?: number | null;
}

interface ChunkMessage {
  readonly content?: string | null;
  readonly thinking?: string | null;
  readonly tool_calls?: readonly ChunkCall[] | null;
}

interface ChunkCall {
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown } | null;
}

interface Turn {
  readonly newId: () => string;
  readonly callIds: Set<string>;
}

/** What else is known of a turn. */
export interface ChunkOptions {
  /** For calls to which a server gave no id. */
  readonly newId: () => string;
  /** Called with the number of lines at the end: throws where there were more. */
  readonly checkCount: (lines: number) => void;
}

/** The parts of a turn, of lines of which the last is `done`. */
export async function* fromChunks(
  chunks: AsyncIterable<Chunk>,
  { newId, checkCount }: ChunkOptions,
): AsyncGenerator<ModelPart> {
  const turn: Turn = { newId, callIds: new Set() };
  let lines = 0;
  for await (const chunk of chunks) {
    lines++;
    if (chunk.message) yield* messageParts(chunk.message, turn);
    if (chunk.done !== true) continue;
    checkCount(lines);
    yield { type: 'finish', reason: reasonOf(chunk, turn), usage: usageOf(chunk) };
    return;
  }
}

function* messageParts({ thinking, content, tool_calls: calls }: ChunkMessage, turn: Turn): Generator<ModelPart> {
  if (thinking) yield { type: 'reasoning-delta', text: thinking };
  if (content) yield { type: 'text-delta', text: content };
  if (calls) for (const call of calls) yield* callParts(call, turn);
}

/** The API sends whole calls only. */
function* callParts({ id, function: called }: ChunkCall, { newId, callIds }: Turn): Generator<ModelPart> {
  const callId = id && !callIds.has(id) ? id : newId();
  callIds.add(callId);
  const name = called?.name ?? '';
  const input = parseToolInput(called?.arguments ?? {}); // an object; some servers write it as text, as OpenAI does, or leave it out
  yield { type: 'tool-input-start', callId, name };
  yield { type: 'tool-input-delta', callId, delta: input.invalidInput ?? JSON.stringify(input.input) };
  yield { type: 'tool-call', callId, name, ...input, executedBy: 'us' };
}

/** There is no word for calls: the reason is `stop` for them too. */
function reasonOf({ done_reason: reason }: Chunk, { callIds }: Turn): FinishReason {
  if (reason === 'length') return 'length';
  return callIds.size > 0 ? 'tool-calls' : 'stop';
}

function usageOf({ prompt_eval_count: read, eval_count: written }: Chunk): Usage {
  return { ...noUsage, inputTokens: read ?? 0, outputTokens: written ?? 0 };
}
