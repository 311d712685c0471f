import type { FunctionDefinition, JsonObject, Message, ModelRequest } from '@utensil/core';
import type { Answer, AnswerBlock } from '@utensil/tooling-loopback/answer';
import { indices } from '../run-loop/work.ts';
import type { WorkName } from './catalog.ts';

/**
 * Length of a delta, in characters: about one and a half tokens. The encoders of Google's APIs split at the same
 * length.
 */
const deltaLength = 12;

/** Number of parallel calls. */
const callCount = 20;

/** An answer of about this many deltas. */
export function answerOf(work: WorkName, deltas: number): Answer {
  if (work === 'text') return { blocks: [proseBlock('text', deltas)] };
  if (work === 'reasoning')
    return { blocks: [proseBlock('reasoning', Math.floor(deltas / 2)), proseBlock('text', Math.ceil(deltas / 2))] };
  return { blocks: indices(callCount).map(() => callBlock(Math.ceil(deltas / callCount))) };
}

/** Minimum content that our reader must have seen: characters of text, of reasoning, and of calls. */
export function charactersOf({ blocks }: Answer): number {
  return blocks.reduce((sum, block) => sum + (block.type === 'call' ? textOf(block) : block.deltas.join('')).length, 0);
}

function textOf({ deltas }: AnswerBlock): string {
  return (JSON.parse(deltas.join('')) as { readonly text: string }).text;
}

function proseBlock(type: 'text' | 'reasoning', deltas: number): AnswerBlock {
  return { type, deltas: fragments(prose(deltas * deltaLength)) };
}

function callBlock(deltas: number): AnswerBlock {
  const empty = JSON.stringify({ text: '' }).length;
  const input = JSON.stringify({ text: prose(deltas * deltaLength - empty) });
  return { type: 'call', name: 'write_note', deltas: fragments(input) };
}

function prose(length: number): string {
  return 'The weather of the coming days is fine, and here and there some rain may fall. '
    .repeat(Math.ceil(length / 70))
    .slice(0, length);
}

function fragments(text: string): readonly string[] {
  return text.match(new RegExp(`.{1,${deltaLength}}`, 'gsu')) ?? [];
}

/** Question for the long answers. */
export function shortRequest(): ModelRequest {
  const question: Message = { id: 'm0', role: 'user', parts: [{ type: 'text', text: 'Go on.' }], createdAt: 0 };
  const note = toolAt('write_note', { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] });
  return { system: '', messages: [question], tools: [note], toolChoice: 'auto' };
}

/** A thread with this many messages and tools, none of which was mapped before. */
export function longRequest(messages: number, tools: number): ModelRequest {
  return {
    system: 'You tell the weather.',
    messages: indices(messages).map(messageAt),
    tools: indices(tools).map((index) => toolAt(`forecast_${String(index).padStart(4, '0')}`, forecastSchema())),
    toolChoice: 'auto',
  };
}

/** The next step's request: the same messages and tools, plus a call and its result. */
export function nextRequest(request: ModelRequest): ModelRequest {
  const { messages } = request;
  const added = indices(4).map((index) => messageAt(messages.length + index));
  return { ...request, messages: [...messages, ...added] };
}

function toolAt(name: string, inputSchema: JsonObject): FunctionDefinition {
  return {
    type: 'function',
    name,
    description: `Tells the weather of the coming days in a city: ${name}.`,
    inputSchema,
  };
}

function forecastSchema(): JsonObject {
  return {
    type: 'object',
    properties: {
      city: { type: 'string', description: 'The name of the city' },
      days: { type: 'integer', description: 'How many days', minimum: 1, maximum: 14 },
      unit: { type: 'string', enum: ['metric', 'imperial'] },
    },
    required: ['city', 'days'],
    additionalProperties: false,
  };
}

/** A repeated cycle of question, call, result and answer. */
function messageAt(index: number): Message {
  const round = Math.floor(index / 4);
  const call = { callId: `call_${round}`, name: 'forecast_0001' };
  const input = { city: `City ${round}`, days: 3 };
  const text = { type: 'text', text: prose(200) } as const;
  const turns: readonly Pick<Message, 'role' | 'parts'>[] = [
    { role: 'user', parts: [text] },
    { role: 'assistant', parts: [text, { type: 'tool-call', ...call, input, executedBy: 'us' }] },
    {
      role: 'tool',
      parts: [{ type: 'tool-result', ...call, output: text.text, modelParts: [text], isError: false }],
    },
    { role: 'assistant', parts: [text] },
  ];
  return { id: `m${index}`, createdAt: index, ...turns[index % 4]! };
}
