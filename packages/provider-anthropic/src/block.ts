import {
  type Json,
  type JsonObject,
  type ModelPart,
  type SourcePart,
  type ToolDefinition,
  isObject,
} from '@utensil/core';
import { joinArguments, newCallId, parseToolInput } from '@utensil/core/provider';
import { ownName } from './tools.ts';

/** A content block, as far as it has come. */
export interface Block {
  readonly type: string;
  [key: string]: Json;
}

export interface StreamedBlock {
  readonly index: number | undefined;
  readonly block: Block;
  /** For a call: our name of the tool. */
  readonly name: string;
  /** Characters of a call's arguments so far. */
  readonly fragments: string[];
  /** `stopped`: a call without arguments, which may still turn out to be truncated before the first one. */
  phase: 'open' | 'stopped' | 'done';
  isInvalid: boolean;
}

/** The blocks of one response, in the order in which they began. */
export interface Blocks {
  readonly list: StreamedBlock[];
  readonly citedUrls: Set<string>;
  /** Tools that the response may call. */
  readonly tools: readonly ToolDefinition[];
}

export function startBlock(blocks: Blocks, started: Json | undefined, index?: unknown): ModelPart[] {
  if (!isObject(started) || typeof started['type'] !== 'string') return [];
  const block: Block = { ...started, type: started['type'] };
  const name = ownName(String(block['name'] ?? ''), blocks.tools);
  if (isCall(block)) block['id'] = freeId(block, blocks);
  blocks.list.push({ index: toIndex(index), block, name, fragments: [], phase: 'open', isInvalid: false });
  if (isCall(block)) return startCall(block, name);
  if (block.type === 'text') return [...textDelta(block['text']), ...citations(blocks, block)];
  return block.type === 'thinking' ? reasoningDelta(block['thinking']) : [];
}

/** Servers that imitate the API leave ids out, or use one twice. */
function freeId({ id }: Block, { list }: Blocks): Json {
  return typeof id === 'string' && id !== '' && list.every(({ block }) => block['id'] !== id) ? id : newCallId();
}

/** Number of a block; some servers write it as text. */
function toIndex(index: unknown): number | undefined {
  return index === undefined || index === null ? undefined : Number(index);
}

function startCall(block: Block, name: string): ModelPart[] {
  const callId = String(block['id']);
  const start: ModelPart = { type: 'tool-input-start', callId, name };
  if (!hasInput(block)) return [start];
  const { input, invalidInput = JSON.stringify(input) } = parseToolInput(block['input']);
  return [start, { type: 'tool-input-delta', callId, delta: invalidInput }];
}

export function applyDelta(blocks: Blocks, index: unknown, delta: JsonObject): ModelPart[] {
  const streamed = blockAt(blocks, index) ?? unannounced(blocks, index, delta);
  if (streamed === undefined) return [];
  const { block } = streamed;
  if (delta['type'] === 'input_json_delta') return growInput(streamed, delta['partial_json'] ?? '');
  if (delta['type'] === 'citations_delta') {
    const known = Array.isArray(block['citations']) ? block['citations'] : [];
    block['citations'] = [...known, delta['citation'] ?? null];
    return citations(blocks, block);
  }
  merge(block, delta);
  if (delta['type'] === 'text_delta') return textDelta(delta['text']);
  return delta['type'] === 'thinking_delta' ? reasoningDelta(delta['thinking']) : [];
}

function blockAt({ list }: Blocks, index: unknown): StreamedBlock | undefined {
  const place = toIndex(index);
  return list.findLast((each) => each.index === place);
}

/** Starts a block of text if a proxy has lost its start. */
function unannounced(blocks: Blocks, index: unknown, { type }: JsonObject): StreamedBlock | undefined {
  const kind = type === 'text_delta' ? 'text' : type === 'thinking_delta' ? 'thinking' : undefined;
  if (kind !== undefined) startBlock(blocks, { type: kind, [kind]: '' }, index);
  return blockAt(blocks, index);
}

function growInput({ block, fragments }: StreamedBlock, came: Json): ModelPart[] {
  const fragment = typeof came === 'string' ? came : JSON.stringify(came);
  if (fragment === '') return [];
  fragments.push(fragment);
  return [{ type: 'tool-input-delta', callId: String(block['id']), delta: fragment }];
}

/** Text grows, anything else is replaced: true of all known deltas, and the best guess for others. */
function merge(block: Block, { type: _, ...members }: JsonObject): void {
  for (const [key, value] of Object.entries(members)) {
    const known = block[key];
    block[key] = typeof known === 'string' && typeof value === 'string' ? known + value : value;
  }
}

export function stopBlock(blocks: Blocks, index: unknown): ModelPart[] {
  const streamed = blockAt(blocks, index);
  if (streamed?.phase !== 'open') return [];
  if (!isCall(streamed.block) || streamed.fragments.length > 0 || hasInput(streamed.block))
    return complete(streamed, false);
  streamed.phase = 'stopped';
  return [];
}

/** Completes the blocks that are in `phase` yet. */
export function settle(blocks: Blocks, phase: 'open' | 'stopped', isCut = false): ModelPart[] {
  return blocks.list.flatMap((streamed) => (streamed.phase === phase ? complete(streamed, isCut) : []));
}

function complete(streamed: StreamedBlock, isCut: boolean): ModelPart[] {
  const { block, name, fragments } = streamed;
  streamed.phase = 'done';
  if (!isCall(block)) return [];
  const { input, invalidInput } = readInput(block, joinArguments(fragments), isCut);
  block['input'] = input;
  streamed.isInvalid = invalidInput !== undefined;
  const call = { type: 'tool-call', callId: String(block['id']), name, input } as const;
  const executedBy = block.type === 'tool_use' ? 'us' : 'provider';
  return [{ ...call, ...(invalidInput !== undefined && { invalidInput }), executedBy }];
}

function readInput(block: Block, json: string, isCut: boolean): ReturnType<typeof parseToolInput> {
  if (json !== '') return parseToolInput(json);
  if (hasInput(block)) return parseToolInput(block['input']);
  return isCut ? { input: {}, invalidInput: '' } : { input: {} };
}

function isCall(block: Block): boolean {
  return block.type.endsWith('tool_use');
}

/** True if a call has input at its start: an object, or its JSON text from some gateways. */
function hasInput({ input }: Block): boolean {
  return typeof input === 'string' ? input.trim() !== '' : isObject(input) && Object.keys(input).length > 0;
}

function textDelta(text: Json | undefined): ModelPart[] {
  return typeof text === 'string' && text !== '' ? [{ type: 'text-delta', text }] : [];
}

function reasoningDelta(text: Json | undefined): ModelPart[] {
  return typeof text === 'string' && text !== '' ? [{ type: 'reasoning-delta', text }] : [];
}

/** The pages that a text cites and that were not named before. Places in the user's own documents have no address. */
function citations(blocks: Blocks, block: Block): SourcePart[] {
  const cited = Array.isArray(block['citations']) ? block['citations'].filter(isObject) : [];
  return cited.flatMap(({ url, source, title }) => {
    const address = url ?? source;
    if (typeof address !== 'string' || blocks.citedUrls.has(address)) return [];
    blocks.citedUrls.add(address);
    return [{ type: 'source', url: address, ...(typeof title === 'string' && { title }) }];
  });
}
