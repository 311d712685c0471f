// Every vendor as a local server that rejects the same requests, with the official SDK as its client. Streams are hand-made.
import type { JsonObject, Model } from '@utensil/core';
import { anthropic } from '@utensil/provider-anthropic';
import { google, googleInteractions } from '@utensil/provider-google';
import { ollama } from '@utensil/provider-ollama';
import { openai, openaiChat } from '@utensil/provider-openai';
import { openaiCompatible } from '@utensil/provider-openai/compatible';
import { openrouter } from '@utensil/provider-openai/openrouter';
import { withTextTools } from '@utensil/text-dialects';
import { type Loopback, type RecordedRequest, type Reply, loopback } from '@utensil/tooling-loopback';
import { type Answer, type AnswerBlock, type Failure, type WireFormat, play } from '@utensil/tooling-loopback/answer';
import { anthropicWire } from '@utensil/tooling-loopback/anthropic-answer';
import { type GoogleObject, geminiStream, googleFailure, interactionStream } from '@utensil/tooling-loopback/google';
import { openaiChatWire, openaiResponsesWire } from '@utensil/tooling-loopback/openai-answer';
import {
  type Validator,
  refuseAnthropicMessages,
  refuseGemini,
  refuseGeminiInteractions,
  refuseOllamaChat,
  refuseOpenAIChat,
  refuseOpenAIResponses,
  refuseOpenRouter,
} from '@utensil/tooling-loopback/validators';
import {
  type ReadSent,
  readAnthropic,
  readChat,
  readGemini,
  readInteractions,
  readResponses,
  readText,
} from './sent.ts';
import { textWire } from './text-wire.ts';

export interface Vendor {
  /** As its factory is called. */
  readonly name: string;
  /** True if its messages carry state that later requests must send back. */
  readonly hasState: boolean;
  /** A built-in tool of the vendor, or the reason why there is none. */
  readonly native: JsonObject | string;
  /** Name of a missing tool, as the vendor's models can write it. */
  readonly gone: 'files_list' | 'files.list';
  readonly refuse: Validator;
  readonly read: ReadSent;
  reply(answer: Answer): Reply;
  /** A failed answer, in its format. */
  fail(failure: Failure): Reply;
  make(baseURL: string): Model;
}

const apiKey = 'k';
const wired = (wire: WireFormat): Pick<Vendor, 'reply' | 'fail'> => ({
  reply: (answer) => play(answer, wire),
  fail: (failure) => play(failure, wire),
});

export const vendors: readonly Vendor[] = [
  {
    name: 'anthropic',
    hasState: true,
    gone: 'files_list',
    native: { type: 'memory_20250818', name: 'memory' },
    refuse: refuseAnthropicMessages,
    read: readAnthropic,
    ...wired(anthropicWire),
    make: (baseURL) => anthropic('claude-sonnet-5-5', { apiKey, baseURL }),
  },
  {
    name: 'openai',
    hasState: true,
    gone: 'files_list',
    native: { type: 'web_search' },
    refuse: refuseOpenAIResponses,
    read: readResponses,
    ...wired(openaiResponsesWire),
    make: (baseURL) => openai('gpt-5.6', { apiKey, baseURL }),
  },
  {
    name: 'openaiChat',
    hasState: false,
    gone: 'files.list',
    native: { type: 'custom', custom: { name: 'memory' } },
    refuse: refuseOpenAIChat,
    read: readChat,
    ...wired(openaiChatWire),
    make: (baseURL) => openaiChat('gpt-4.1', { apiKey, baseURL }),
  },
  {
    name: 'openaiCompatible',
    hasState: false,
    gone: 'files.list',
    native: { type: 'custom', custom: { name: 'memory' } },
    refuse: refuseOpenAIChat,
    read: readChat,
    ...wired(openaiChatWire),
    make: (baseURL) => openaiCompatible({ baseURL, model: 'local', quirks: ['short-ids', 'no-null', 'max-tokens'] }),
  },
  {
    name: 'openrouter',
    hasState: true,
    gone: 'files.list',
    native: { type: 'openrouter:web_search' },
    refuse: refuseOpenRouter,
    read: readChat,
    ...wired({ ...openaiChatWire, encode: encodeWithDetails }),
    make: (baseURL) => openrouter('google/gemini-3-pro', { apiKey, baseURL }),
  },
  {
    name: 'google',
    hasState: true,
    gone: 'files.list',
    native: { googleSearch: {} },
    refuse: refuseGemini,
    read: readGemini,
    reply: (answer) => ({ body: geminiStream(geminiParts(answer)) }),
    fail: googleFailure,
    make: (baseUrl) => google('gemini-3.8-flash', { apiKey, baseUrl }),
  },
  {
    name: 'googleInteractions',
    hasState: true,
    gone: 'files.list',
    native: { type: 'google_search' },
    refuse: refuseGeminiInteractions,
    read: readInteractions,
    reply: (answer) => ({ body: interactionBody(answer) }),
    fail: googleFailure,
    make: (baseUrl) => googleInteractions('gemini-3.8-flash', { apiKey, baseUrl }),
  },
  {
    name: 'ollama',
    hasState: true,
    gone: 'files.list',
    native: { type: 'function', function: { name: 'memory', parameters: { type: 'object', properties: {} } } },
    refuse: refuseOllamaChat,
    read: readChat,
    reply: (answer) => ({ body: ollamaLines(answer) }),
    fail: ollamaFailure,
    make: (baseURL) => ollama('qwen3', { baseURL }),
  },
  {
    name: 'withTextTools',
    hasState: false,
    gone: 'files.list',
    native: 'A tool that a vendor has built in cannot be called through text.',
    refuse: refuseOpenAIChat,
    read: readText,
    ...wired(textWire),
    make: (baseURL) => withTextTools(openaiChat('gpt-4.1', { apiKey, baseURL }), 'hermes'),
  },
];

function encodeWithDetails(answer: Answer): ReturnType<WireFormat['encode']> {
  const { content, end } = openaiChatWire.encode(answer);
  if (answer.state === undefined) return { content, end };
  const details = { reasoning_details: [{ type: 'reasoning.encrypted', index: 0, data: answer.state }] };
  const chunk = { data: { choices: [{ index: 0, delta: details, finish_reason: null }] } };
  return { content: [chunk, ...content], end };
}

function geminiParts({ blocks, state }: Answer): GoogleObject[] {
  return blocks.map(({ type, deltas, name }, index) => {
    const text = deltas.join('');
    if (type !== 'call') return { text, ...(type === 'reasoning' && { thought: true }) };
    const isFirst = blocks.findIndex((block) => block.type === 'call') === index;
    return { functionCall: { name, args: parsed(text) }, ...(isFirst && { thoughtSignature: state }) };
  });
}

function interactionBody(answer: Answer): string {
  const steps = answer.blocks.map((block, index) => toStep(block, index, answer));
  return interactionStream(steps, answer.reason === 'stop' ? { status: 'completed' } : {});
}

function toStep({ type, deltas, name }: Answer['blocks'][number], index: number, { state }: Answer): GoogleObject {
  const text = deltas.join('');
  if (type === 'text') return { type: 'model_output', content: [{ type: 'text', text }] };
  if (type === 'call') return { type: 'function_call', id: `call_${index}`, name, arguments: text };
  return { type: 'thought', summary: [{ type: 'text', text }], signature: state };
}

/** Arguments on a wire that sends them as JSON. Invalid JSON becomes a string there. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** One line for its reasoning, one for each block, and a last one with the counts. */
function ollamaLines({ blocks, state }: Answer): string {
  const told = [...(state === undefined ? [] : [{ content: '', thinking: state }]), ...blocks.flatMap(ollamaMessages)];
  const end = { message: { content: '' }, done: true, done_reason: 'stop', prompt_eval_count: 10, eval_count: 20 };
  const lines = [...told.map((message) => ({ message, done: false })), end];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function ollamaMessages({ type, deltas, name }: AnswerBlock): object[] {
  const text = deltas.join('');
  if (type === 'reasoning') return [];
  return [
    type === 'text'
      ? { content: text }
      : { content: '', tool_calls: [{ function: { name, arguments: parsed(text === '' ? '{}' : text) } }] },
  ];
}

function ollamaFailure({ status, message = '', retryAfter }: Failure): Reply {
  const wait = retryAfter !== undefined && { 'retry-after': String(retryAfter) };
  return { status, headers: { 'content-type': 'application/json', ...wait }, body: JSON.stringify({ error: message }) };
}

/** Sealed state of a vendor, to be sent back. */
export function stateOf({ name }: Vendor): string {
  return Buffer.from(`sealed by ${name}`).toString('base64');
}

/** A vendor's server. It gives these answers in rotation, and rejects the requests that the vendor rejects. */
export function serve(vendor: Vendor, ...answers: readonly Answer[]): Promise<Loopback> {
  let answered = 0;
  return serveEach(vendor, () => {
    const turn = answered++;
    return replyAt(vendor, answers[turn % answers.length] ?? { blocks: [] }, turn);
  });
}

/** A vendor's server that answers the requests that the vendor accepts. */
export function serveEach(vendor: Vendor, reply: (request: RecordedRequest) => Reply): Promise<Loopback> {
  return loopback((request) => {
    if (request.path === '/api/show') return { status: 404 };
    return vendor.refuse(request.json()) ?? reply(request);
  });
}

/** The answer of a turn. No vendor uses an id twice in a thread. */
export function replyAt(vendor: Vendor, answer: Answer, turn: number): Reply {
  const reply = vendor.reply(answer);
  const ids = /"((?:rs|fc|msg|call|toolu)_\d\w*)"/g;
  const body = [reply.body ?? []].flat().map(String);
  return { ...reply, body: body.map((text) => text.replaceAll(ids, `"$1_${vendor.name}_${turn}"`)) };
}
