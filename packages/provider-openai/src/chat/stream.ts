import { type FinishReason, type Json, type ModelPart, type SourcePart, type Usage, isObject } from '@utensil/core';
import { type TurnReader, reportedError } from '@utensil/core/provider';
import { noUsage } from '@utensil/core';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Asked } from '../calls.ts';
import { toUsage } from '../usage.ts';
import type { VendorError } from '../failures/vendor-error.ts';
import { addContent, contentParts, said, shown, wordsIn } from './content.ts';
import { isEndMark } from './is-end-mark.ts';
import { imagesIn, sourcesIn } from './extras.ts';
import { type Slots, addCall, endCalls, tellWhole } from './slots.ts';

/** What compatible servers add to a chunk. */
type Chunk = ChatCompletionChunk & {
  readonly error?: VendorError | string | null;
  readonly message?: unknown;
  readonly x_groq?: { readonly usage?: ChatCompletionChunk['usage'] } | null;
};
type Delta = Omit<Partial<ChatCompletionChunk.Choice.Delta>, 'content' | 'refusal'> & {
  /** A text; of some servers, a list of parts. */
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly annotations?: unknown;
  readonly images?: unknown;
};

interface Turn {
  readonly calls: Slots;
  /** Pages that were named already. */
  readonly cited: Set<string>;
  refusal: string;
  text: string;
  /** The content as it came, if it was a list of parts: the model wants it back like that. */
  content: Json[] | undefined;
  /** The vendor's word for it, once the turn has ended. */
  ended: string | undefined;
  /** The server gave no reason, but said that nothing follows. */
  isClosed: boolean;
  usage: Usage;
  hasBegun: boolean;
}

/** Reads the chunks of the Chat Completions API. `newId` is for servers that name no calls. */
export function chunkReader(asked: Asked & { readonly newId: () => string }) {
  const turn: Turn = {
    calls: { ...asked, slots: [], told: 0 },
    cited: new Set(),
    refusal: '',
    text: '',
    content: undefined,
    ended: undefined,
    isClosed: false,
    usage: noUsage,
    hasBegun: false,
  };
  return {
    read: (chunk) => [...read(chunk, turn)],
    progress: () => (turn.ended !== undefined || turn.isClosed ? 'whole' : turn.hasBegun ? 'begun' : 'none'),
    end: () => [...end(turn)],
  } satisfies TurnReader<ChatCompletionChunk>;
}

/** The turn is over only here: what it took may come behind its reason. */
function* end(turn: Turn): Generator<ModelPart> {
  yield* endCalls(turn.calls, false); // of a server that says the reason first
  yield {
    type: 'finish',
    reason: reasonOf(turn),
    usage: turn.usage,
    ...(turn.refusal !== '' && { detail: turn.refusal }),
    ...(turn.content !== undefined && { state: { content: turn.content } }),
  };
}

function* read(chunk: Chunk, turn: Turn): Generator<ModelPart> {
  const { choices, usage = chunk.x_groq?.usage, error } = chunk;
  if (isEndMark(chunk)) {
    turn.isClosed = hasAnswer(turn);
    return;
  }
  turn.hasBegun = true;
  if (usage) turn.usage = toUsage(usage);
  if (error) readError(error, turn);
  else if (choices === undefined && typeof chunk.message === 'string') readError(chunk, turn);
  const choice = choices?.[0];
  // Without a reason, a count behind the answer ends it: it is of the whole. What follows nevertheless belongs to it.
  turn.isClosed = usage ? hasAnswer(turn) && isSilent(choice?.delta) : false;
  if (choice === undefined) return;
  if (choice.delta) yield* readDelta(choice.delta, turn);
  if (!choice.finish_reason) return;
  turn.ended = choice.finish_reason;
  yield* endCalls(turn.calls, turn.ended === 'length' || turn.ended === 'content_filter');
}

/** Behind the end, it says nothing about the answer. */
function readError(error: VendorError | string, { ended }: Turn): void {
  if (ended === undefined || ended === 'error')
    throw reportedError(typeof error === 'string' ? { message: error } : error);
}

/** Thoughts alone are no answer. */
function hasAnswer({ text, refusal, calls, content }: Turn): boolean {
  return text !== '' || refusal !== '' || calls.slots.length > 0 || content?.some(isAnswer) === true;
}

function isAnswer(part: Json): boolean {
  return isObject(part) && said(part).kind !== 'reasoning';
}

function isSilent(delta: Delta | null | undefined): boolean {
  if (delta === undefined || delta === null) return true;
  const { content, refusal, reasoning, reasoning_content: thoughts, tool_calls: calls } = delta;
  return ![content, refusal, reasoning, thoughts].some(Boolean) && !calls?.length;
}

function* readDelta(delta: Delta, turn: Turn): Generator<ModelPart> {
  const { content, refusal, annotations, images, tool_calls: calls } = delta;
  const reasoning = delta.reasoning_content || delta.reasoning;
  if (reasoning || content || refusal) yield* tellWhole(turn.calls);
  if (reasoning) yield* say('reasoning', wordsIn(reasoning), turn);
  if (content)
    yield* typeof content === 'string' && turn.content === undefined
      ? say('text', content, turn)
      : readContent(content, turn);
  if (refusal) yield* say('refusal', wordsIn(refusal), turn);
  if (annotations) yield* freshSources(sourcesIn(annotations), turn.cited);
  if (images) yield* imagesIn(images);
  if (calls) for (const call of calls) yield* addCall(call, turn.calls);
}

/** Text is text until a part comes that is more. */
function* readContent(content: unknown, turn: Turn): Generator<ModelPart> {
  for (const part of contentParts(content)) {
    const { kind, text } = said(part);
    const things = shown(part);
    if (turn.content === undefined && (kind === 'reasoning' || part['type'] !== 'text'))
      turn.content = turn.text === '' ? [] : [{ type: 'text', text: turn.text }];
    if (turn.content !== undefined) addContent(turn.content, part);
    yield* say(kind, text, turn);
    for (const thing of things) yield* thing.type === 'source' ? freshSources([thing], turn.cited) : [thing];
  }
}

function say(kind: 'text' | 'reasoning' | 'refusal', text: string, turn: Turn): readonly ModelPart[] {
  if (text === '') return [];
  if (kind === 'text') turn.text += text;
  if (kind === 'refusal') turn.refusal += text;
  return [{ type: kind === 'reasoning' ? 'reasoning-delta' : 'text-delta', text }];
}

function freshSources(sources: readonly SourcePart[], cited: Set<string>): readonly SourcePart[] {
  const fresh = sources.filter(({ url }, index, all) => {
    const isFirst = all.findIndex((each) => each.url === url) === index;
    return isFirst && !cited.has(url);
  });
  for (const { url } of fresh) cited.add(url);
  return fresh;
}

function reasonOf({ ended, calls, refusal }: Turn): FinishReason {
  if (ended === 'length') return 'length';
  if (ended === 'content_filter') return 'content-filter';
  if (calls.slots.length > 0) return 'tool-calls';
  if (ended === 'error') return 'error';
  return refusal === '' ? 'stop' : 'refusal';
}
