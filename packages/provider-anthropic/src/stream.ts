import {
  type FinishReason,
  type Json,
  type JsonObject,
  type ModelPart,
  type ToolDefinition,
  type Usage,
  isObject,
} from '@utensil/core';
import { type TurnReader, reportedError } from '@utensil/core/provider';
import { type Blocks, applyDelta, settle, startBlock, stopBlock } from './block.ts';
import { toState } from './state.ts';

/** State of a response so far. */
interface Turn {
  readonly blocks: Blocks;
  readonly usage: Map<string, number>;
  /** Requests that the API made by itself, each with counts of its own. */
  beside: readonly JsonObject[];
  hasStarted: boolean;
  hasStopped: boolean;
  stopReason: string | undefined;
  /** The server gave no reason, but counted the answer behind its blocks. */
  isCounted: boolean;
  detail: string | undefined;
  container: string | undefined;
}

/** An event of the API. Servers may send others, and less than the SDK's types promise. */
interface StreamEvent {
  readonly type?: string;
  readonly index?: unknown;
  readonly message?: Json;
  readonly content_block?: Json;
  readonly delta?: Json;
  readonly usage?: Json;
  readonly error?: Json;
}

/** Reads the events of one response; calls have the names of our tools. */
export function eventReader(tools: readonly ToolDefinition[]): TurnReader {
  const turn: Turn = {
    blocks: { list: [], citedUrls: new Set(), tools },
    usage: new Map(),
    beside: [],
    hasStarted: false,
    hasStopped: false,
    stopReason: undefined,
    isCounted: false,
    detail: undefined,
    container: undefined,
  };
  return {
    read: (event) => (isObject(event) ? read(turn, event) : []),
    progress: () => (isOver(turn) ? 'whole' : turn.hasStarted ? 'begun' : 'none'),
    end: () => [...finish(turn)],
  };
}

function isOver({ hasStopped, stopReason, isCounted }: Turn): boolean {
  return hasStopped || stopReason !== undefined || isCounted;
}

/** Every block has its end, and there is more than thoughts. */
function isWhole({ blocks: { list } }: Turn): boolean {
  return list.every(({ phase }) => phase !== 'open') && list.some(({ block }) => !block.type.endsWith('thinking'));
}

function read(turn: Turn, event: StreamEvent): ModelPart[] {
  switch (event.type) {
    case 'message_start':
      return startMessage(turn, toObject(event.message));
    case 'content_block_start':
      turn.isCounted = false;
      return [...settle(turn.blocks, 'stopped'), ...startBlock(turn.blocks, event.content_block, event.index)];
    case 'content_block_delta':
      return applyDelta(turn.blocks, event.index, toObject(event.delta));
    case 'content_block_stop':
      return stopBlock(turn.blocks, event.index);
    case 'message_delta':
      readEnd(turn, toObject(event.delta));
      readUsage(turn, event.usage);
      turn.isCounted = isObject(event.usage) && isWhole(turn);
      return [];
    case 'message_stop':
      turn.hasStopped = true;
      return [];
    case 'error': // the SDK passes it on if its event has another name
      throw reportedError(event.error ?? {});
    default: // ping, and whatever the API will send one day
      return [];
  }
}

/** A response may begin with content, and even with its end. One that begins twice came through a proxy. */
function startMessage(turn: Turn, message: JsonObject): ModelPart[] {
  readUsage(turn, message['usage']);
  if (turn.hasStarted) return [];
  turn.hasStarted = true;
  readEnd(turn, message);
  const content = Array.isArray(message['content']) ? message['content'] : [];
  const parts = content.flatMap((block) => startBlock(turn.blocks, block));
  return [...parts, ...settle(turn.blocks, 'open')];
}

function readEnd(turn: Turn, end: JsonObject): void {
  if (typeof end['stop_reason'] === 'string') turn.stopReason = end['stop_reason'];
  if (isObject(end['container'])) turn.container = String(end['container']['id']);
  const details = end['stop_details'];
  if (!isObject(details)) return;
  const said = [details['category'], details['explanation']].filter((text) => typeof text === 'string');
  if (said.length > 0) turn.detail = said.join(': ');
}

/** Counts are cumulative, and each may be missing. */
function readUsage(turn: Turn, usage: Json | undefined): void {
  if (!isObject(usage)) return;
  const details = isObject(usage['output_tokens_details']) ? usage['output_tokens_details'] : {};
  for (const [name, count] of [...Object.entries(usage), ...Object.entries(details)]) {
    if (typeof count === 'number' && (count > 0 || !turn.usage.has(name))) turn.usage.set(name, count); // some end with 0
  }
  if (Array.isArray(usage['iterations'])) turn.beside = usage['iterations'].filter(isBeside);
}

/** The API's own total leaves out additional work: compaction of the history, and questions to an advisor. */
function isBeside(iteration: Json): iteration is JsonObject {
  return isObject(iteration) && !/^(?:fallback_)?message$/.test(String(iteration['type']));
}

function toObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function* finish(turn: Turn): Generator<ModelPart, void, undefined> {
  const known = reasons.get(turn.stopReason ?? '');
  const isCut = known === 'length';
  // A call that a refusal left unfinished is dropped.
  if (known !== 'refusal') yield* [...settle(turn.blocks, 'stopped', isCut), ...settle(turn.blocks, 'open', isCut)];
  const hasCalls = turn.blocks.list.some(({ block }) => block.type === 'tool_use');
  const state = toState(turn.blocks.list, turn.container);
  const detail = turn.detail ?? details.get(turn.stopReason ?? '');
  yield {
    type: 'finish',
    reason: known ?? (hasCalls ? 'tool-calls' : 'stop'),
    usage: toUsage(turn),
    ...(detail !== undefined && { detail }),
    ...(state !== undefined && { state }),
  };
}

const reasons: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['pause_turn', 'pause'],
  ['compaction', 'pause'],
  ['refusal', 'refusal'],
  // Words of servers that imitate the API.
  ['length', 'length'],
  ['content_filter', 'content-filter'],
  ['sensitive', 'content-filter'],
]);

const details: ReadonlyMap<string, string> = new Map([
  ['model_context_window_exceeded', 'The context window of the model is full.'],
]);

function toUsage({ usage, beside }: Turn): Usage {
  const count = (name: string) =>
    beside.reduce((sum, { [name]: more }) => sum + (typeof more === 'number' ? more : 0), usage.get(name) ?? 0);
  const cacheReadTokens = count('cache_read_input_tokens');
  const cacheWriteTokens = count('cache_creation_input_tokens');
  return {
    inputTokens: count('input_tokens') + cacheWriteTokens + cacheReadTokens,
    outputTokens: count('output_tokens'),
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens: count('thinking_tokens'),
  };
}
