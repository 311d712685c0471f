// Bytes of an answer in each API, event by event.

import type { Answer, AnswerBlock, WireFormat } from '@utensil/tooling-loopback/answer';
import { anthropicWire } from '@utensil/tooling-loopback/anthropic-answer';
import { type GoogleObject, geminiBody, geminiChunks, interactionEvents } from '@utensil/tooling-loopback/google';
import { openaiChatWire, openaiResponsesWire } from '@utensil/tooling-loopback/openai-answer';
import { play } from '@utensil/tooling-loopback/answer';
import { type ApiName, wholeCalls } from './catalog.ts';

/** Events of an answer, as the text sent. */
export function eventsOf(api: ApiName, answer: Answer): readonly string[] {
  return encoders[api](answer);
}

/** Content type of the answer. */
export function contentTypeOf(api: ApiName): string {
  return api === 'ollama-chat' ? 'application/x-ndjson' : 'text/event-stream';
}

/** Number of pieces with content: deltas, and calls if these are sent whole. */
export function piecesOf(api: ApiName, { blocks }: Answer): number {
  return blocks.reduce(
    (sum, { type, deltas }) => sum + (type === 'call' && wholeCalls.has(api) ? 1 : deltas.length),
    0,
  );
}

const encoders: Readonly<Record<ApiName, (answer: Answer) => readonly string[]>> = {
  'anthropic-messages': (answer) => playedBy(anthropicWire, answer),
  'openai-responses': (answer) => playedBy(openaiResponsesWire, answer),
  'openai-chat': (answer) => playedBy(openaiChatWire, answer),
  gemini: ({ blocks }) =>
    geminiChunks([...blocks.flatMap(geminiParts), { text: '' }]).map((chunk) => geminiBody([chunk])),
  'gemini-interactions': ({ blocks }) =>
    interactionEvents(blocks.map(interactionStep)).map((event) => geminiBody([event])),
  'ollama-chat': ({ blocks }) => [...blocks.flatMap(ollamaLines), ollamaLine({}, { done: true, done_reason: 'stop' })],
};

function playedBy(wire: WireFormat, answer: Answer): readonly string[] {
  const { body = [] } = play(answer, wire);
  return typeof body === 'string' ? [body] : body.map(String);
}

function geminiParts({ type, deltas, name }: AnswerBlock): readonly GoogleObject[] {
  if (type === 'call') return [{ functionCall: { name, args: JSON.parse(deltas.join('')) as unknown } }];
  return deltas.map((text) => ({ text, ...(type === 'reasoning' && { thought: true }) }));
}

function interactionStep({ type, deltas, name }: AnswerBlock, index: number): GoogleObject {
  const said = deltas.join('');
  if (type === 'text') return { type: 'model_output', content: [{ type: 'text', text: said }] };
  if (type === 'call') return { type: 'function_call', id: `c${index}`, name, arguments: said };
  return { type: 'thought', summary: deltas.map((text) => ({ type: 'text', text })), signature: 'c2VhbGVk' };
}

function ollamaLines({ type, deltas, name }: AnswerBlock, index: number): readonly string[] {
  if (type !== 'call') return deltas.map((text) => ollamaLine({ [type === 'text' ? 'content' : 'thinking']: text }));
  const called = { index, name, arguments: JSON.parse(deltas.join('')) as unknown };
  return [ollamaLine({ tool_calls: [{ id: `call_${index}`, function: called }] })];
}

function ollamaLine(message: object, end: object = {}): string {
  const head = {
    model: 'm',
    created_at: '2026-08-21T10:00:00Z',
    message: { role: 'assistant', content: '', ...message },
  };
  return `${JSON.stringify({ ...head, done: false, ...end })}\n`;
}
