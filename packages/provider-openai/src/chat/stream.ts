import { type FinishReason, type Json, type ModelPart, type SourcePart, type Usage, isObject } from '@utensil/core';
import { type TurnReader, reportedError, wordsIn } from '@utensil/core/provider';
import { noUsage } from '@utensil/core';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { Asked } from '../calls.ts';
import { toUsage } from '../usage.ts';
import type { VendorError } from '../failures/vendor-error.ts';
import { addContent, contentParts, said, shown } from './content.ts';
import { imagesIn, sourcesIn } from './extras.ts';
import { type CallDelta, type Slots, addCall, endCalls, tellWhole } from './slots.ts';

/** Members that compatible servers add to a chunk. */
type Chunk = ChatCompletionChunk & {
  readonly error?: VendorError | string | null;
  /** Text of an error; also `detail` and `msg`. */
  readonly message?: unknown;
  readonly detail?: unknown;
  readonly msg?: unknown;
  readonly x_groq?: { readonly usage?: ChatCompletionChunk['usage'] } | null;
};
type Delta = Omit<Partial<ChatCompletionChunk.Choice.Delta>, 'content' | 'refusal'> & {
  /** A text; of some servers, a list of parts. */
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly function_call?: CallDelta['function'] | null;
  readonly annotations?: unknown;
  readonly images?: unknown;
};

/** A choice of an answer. Servers that do not stream write a whole message in place of a delta. */
type Choice = Omit<Partial<ChatCompletionChunk.Choice>, 'delta'> & {
  readonly delta?: Delta | null;
  readonly message?: Delta | null;
  readonly usage?: ChatCompletionChunk['usage'];
};

interface Turn {
  readonly calls: Slots;
  /** Pages that were named already. */
  readonly cited: Set<string>;
  /** The choice that is read: some servers send several, though one was asked for. */
  choice: number | undefined;
  /** The member in which thoughts come. */
  thoughts: Thoughts | undefined;
  refusal: string;
  text: string;
  /** The unchanged content, if it was a list of parts: the model wants it back in this form. */
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
    choice: undefined,
    thoughts: undefined,
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
  yield* endCalls(turn.calls, false); // also of a server that says the reason first
  yield {
    type: 'finish',
    reason: reasonOf(turn),
    usage: turn.usage,
    ...(turn.refusal !== '' && { detail: turn.refusal }),
    ...(turn.content !== undefined && { state: { content: turn.content } }),
  };
}

function* read(chunk: Chunk | '[DONE]' | null | undefined, turn: Turn): Generator<ModelPart> {
  if (chunk === '[DONE]') {
    turn.isClosed = hasAnswer(turn); // the only sign of a complete answer from some servers, which give no finish reason
    return;
  }
  if (!isObject(chunk)) return;
  turn.hasBegun = true;
  const choices = choicesOf(chunk, turn);
  const usage = chunk.usage ?? chunk.x_groq?.usage ?? choices[0]?.usage; // the last: Moonshot
  if (usage) turn.usage = toUsage(usage);
  if (chunk.error) readError(chunk.error, turn);
  else if (!chunk.choices) readBareError(chunk, turn);
  // Without a reason, a count behind the answer ends it: it is of the whole. What follows nevertheless belongs to it.
  turn.isClosed = usage ? hasAnswer(turn) && choices.every(({ delta }) => isSilent(delta)) : false;
  for (const choice of choices) yield* readChoice(choice, turn);
}

/** The choice that is read, in a chunk. Copilot writes the text and the calls of Claude into two of one number. */
function choicesOf({ choices }: Chunk, turn: Turn): readonly Choice[] {
  const all = (choices ?? []).filter(isObject) as readonly Choice[];
  turn.choice ??= all[0]?.index;
  return all.filter(({ index }) => index === turn.choice);
}

function* readChoice({ delta, message, finish_reason: reason }: Choice, turn: Turn): Generator<ModelPart> {
  const came = delta ?? message;
  if (came) yield* readDelta(came, turn);
  if (!reason) return;
  turn.ended = reason;
  yield* isCut(turn) ? endCalls(turn.calls, true) : tellWhole(turn.calls); // some servers continue a call behind it
}

/** An error that is the whole chunk. */
function readBareError(chunk: Chunk, turn: Turn): void {
  const message = [chunk.message, chunk.msg, chunk.detail].find((words) => typeof words === 'string');
  if (message !== undefined) readError({ ...(chunk as VendorError), message }, turn);
}

/** Behind the end, it says nothing about the answer. */
function readError(error: VendorError | string, turn: Turn): void {
  if (turn.ended === undefined || endingOf(turn) === 'error')
    throw reportedError(typeof error === 'string' ? { message: error } : error);
}

/** Thoughts alone do not make an answer. */
function hasAnswer({ text, refusal, calls, content }: Turn): boolean {
  return text !== '' || refusal !== '' || calls.slots.length > 0 || content?.some(isAnswer) === true;
}

function isAnswer(part: Json): boolean {
  return isObject(part) && said(part).kind !== 'reasoning';
}

/** Members in which servers write thoughts. Those with signatures may repeat what is in another. */
const thoughtMembers = ['reasoning_content', 'reasoning', 'thinking', 'reasoning_text', 'reasoning_details'] as const;
type Thoughts = (typeof thoughtMembers)[number];

function isSilent(delta: Delta | null | undefined): boolean {
  if (delta === undefined || delta === null) return true;
  const { content, refusal, tool_calls: calls } = delta;
  return ![content, refusal, ...thoughtMembers.map((name) => valueOf(delta, name))].some(Boolean) && !calls?.length;
}

function valueOf(delta: object, name: Thoughts): unknown {
  return (delta as Readonly<Partial<Record<Thoughts, unknown>>>)[name];
}

function thoughtsIn(delta: Delta, turn: Turn): string {
  const name = thoughtMembers.find((each) => valueOf(delta, each));
  if (name === undefined || (name === 'reasoning_details' && (turn.thoughts ?? name) !== name)) return '';
  turn.thoughts = name;
  return wordsIn(valueOf(delta, name));
}

function* readDelta(delta: Delta, turn: Turn): Generator<ModelPart> {
  const { content, refusal, annotations, images } = delta;
  const thoughts = thoughtsIn(delta, turn);
  if (thoughts || content || refusal) yield* tellWhole(turn.calls);
  if (thoughts) yield* say('reasoning', thoughts, turn);
  if (content)
    yield* typeof content === 'string' && turn.content === undefined
      ? say('text', content, turn)
      : readContent(content, turn);
  if (refusal) yield* say('refusal', wordsIn(refusal), turn);
  if (annotations) yield* freshSources(sourcesIn(annotations), turn.cited);
  if (images) yield* imagesIn(images);
  for (const call of callsIn(delta)) yield* addCall(call, turn.calls);
}

/** Older servers have one call a turn, without an id. */
function callsIn({ tool_calls: calls, function_call: only }: Delta): readonly CallDelta[] {
  if (calls) return [calls].flat().filter(isObject);
  return only ? [{ index: 0, function: only }] : [];
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

/** Words of servers for the ends that have another one at OpenAI. */
const endings: readonly (readonly [words: RegExp, reason: FinishReason])[] = [
  [/^(?:max_?(?:output_?)?tokens|length|model_length|model_context_window_exceeded)$/i, 'length'],
  [/content_?filter|safety|recitation|blocklist|prohibited|sensitive|guardrail|spii/i, 'content-filter'],
  [/^(?:error|abort(?:ed)?|network_error|insufficient_system_resource|malformed_function_call)$/i, 'error'],
  [/^refusal$/i, 'refusal'],
];

function endingOf({ ended = '' }: Turn): FinishReason | undefined {
  return endings.find(([words]) => words.test(ended))?.[1];
}

function isCut(turn: Turn): boolean {
  const ending = endingOf(turn);
  return ending === 'length' || ending === 'content-filter';
}

function reasonOf(turn: Turn): FinishReason {
  const ending = endingOf(turn);
  if (ending === 'length' || ending === 'content-filter') return ending;
  if (turn.calls.slots.length > 0) return 'tool-calls';
  return ending ?? (turn.refusal === '' ? 'stop' : 'refusal');
}
