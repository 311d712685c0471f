import { ownReasoning } from '@utensil/core/provider';
import { type Message, callsOf } from '@utensil/core';
import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import { shortId } from './short-id.ts';

export type Body = ChatCompletionCreateParamsStreaming;

/**
 * A difference between a server and OpenAI: a change of the body, of an assistant message, or of the name of `seed`.
 */
export interface Difference {
  readonly body?: (body: Body) => Body;
  readonly message?: (message: Message, modelId: string) => object;
  readonly seed?: string;
}

/** Differences in requests. Differences in answers are always tolerated, and need no name. */
export const differences = {
  /** Knows `max_tokens`, not `max_completion_tokens`. */
  'max-tokens': {
    body: ({ max_completion_tokens: limit, ...body }) => (limit == null ? body : { ...body, max_tokens: limit }),
  },
  /** Refuses `stream_options`, or counts without being asked. */
  'no-stream-options': { body: ({ stream_options: _, ...body }) => body },
  /** Refuses `parallel_tool_calls`. */
  'no-parallel-switch': { body: ({ parallel_tool_calls: _, ...body }) => body },
  /** Refuses or ignores `tool_choice`: if no tool may be called, the request has no tools. */
  'no-tool-choice': { body: withoutChoice },
  /** Refuses `reasoning_effort`. */
  'no-reasoning-effort': { body: ({ reasoning_effort: _, ...body }) => body },
  /** Takes contents as text only. */
  'text-only': { body: (body) => ({ ...body, messages: body.messages.map(toText) }) },
  /** Refuses `null` for a message that only calls. */
  'no-null': { body: (body) => ({ ...body, messages: body.messages.map(withoutNull) }) },
  /** Takes ids of nine letters and digits only. */
  'short-ids': { body: (body) => ({ ...body, messages: body.messages.map(withShortIds) }) },
  /** Knows `random_seed`, not `seed`. */
  'random-seed': { seed: 'random_seed' },
  /** Wants `reasoning_content` back in every message that calls, and refuses a conversation without it. */
  'echo-reasoning': { message: echo },
} as const satisfies Readonly<Record<string, Difference>>;

/** The name of something in which a server differs from OpenAI. */
export type Quirk = keyof typeof differences;

const presets: readonly (readonly [place: RegExp, quirks: readonly Quirk[]])[] = [
  [/(?:^|\.)deepseek\.com$/, ['max-tokens', 'text-only', 'echo-reasoning']],
  [/(?:^|\.)mistral\.ai$/, ['max-tokens', 'no-stream-options', 'short-ids', 'random-seed']],
  [/(?:^|\.)moonshot\.(?:ai|cn)$/, ['echo-reasoning']],
  [/:11434$/, ['no-tool-choice']], // Ollama
];

/** Known quirks of the server at this address. */
export function quirksOf(baseURL: string): readonly Quirk[] {
  if (!URL.canParse(baseURL)) return [];
  const { host } = new URL(baseURL);
  return presets.find(([place]) => place.test(host))?.[1] ?? [];
}

function withoutChoice({ tool_choice: choice, ...body }: Body): Body {
  if (choice !== 'none') return body;
  const { tools: _1, parallel_tool_calls: _2, ...rest } = body;
  return rest;
}

function toText(message: ChatCompletionMessageParam): ChatCompletionMessageParam {
  const { content } = message;
  if (message.role !== 'user' || !Array.isArray(content)) return message;
  return { ...message, content: (content as ChatCompletionContentPart[]).map(partText).join('\n\n') };
}

const kinds = { image_url: 'Image', input_audio: 'Audio', file: 'File' } as const;

function partText(part: ChatCompletionContentPart): string {
  return part.type === 'text' ? part.text : `[${kinds[part.type]}, not shown to this model]`;
}

function withoutNull(message: ChatCompletionMessageParam): ChatCompletionMessageParam {
  return message.role === 'assistant' && message.content === null ? { ...message, content: '' } : message;
}

function withShortIds(message: ChatCompletionMessageParam): ChatCompletionMessageParam {
  if (message.role === 'tool') return { ...message, tool_call_id: shortId(message.tool_call_id) };
  if (message.role !== 'assistant' || message.tool_calls === undefined) return message;
  return { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, id: shortId(call.id) })) };
}

/** It does not get another model's thoughts, but the member must be present. */
function echo(message: Message, modelId: string): object {
  if (callsOf(message).length === 0) return {};
  return { reasoning_content: ownReasoning(message, { api: 'openai-chat', id: modelId }) };
}
