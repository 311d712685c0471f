import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { Client, RequestOptions } from '../transport.ts';

/** What `openaiChat` needs of a client; the official SDK's is one. */
export interface ChatClient extends Client {
  readonly chat: {
    readonly completions: {
      create(
        body: ChatCompletionCreateParamsStreaming,
        options: RequestOptions,
      ): PromiseLike<AsyncIterable<ChatCompletionChunk>>;
    };
  };
}

/** The SDK's own name: a chunk with an error is a chunk like any, and what follows it is read. */
const everyChunk = { __streamMode: 'events' } as const;

/** Asks for a turn. A server may report an error behind an answer that is whole, and count its tokens behind that. */
export function openChat(
  { chat }: ChatClient,
  body: ChatCompletionCreateParamsStreaming,
  options: RequestOptions,
): PromiseLike<AsyncIterable<ChatCompletionChunk>> {
  return chat.completions.create(body, { ...options, ...everyChunk });
}
