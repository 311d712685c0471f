import type { ChatCompletionChunk, ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions';
import type { Client, RequestOptions } from '../transport.ts';

/** Members of a client that `openaiChat` uses; the official SDK's client has them. */
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

/** For an app's own client, whose stream the SDK reads: passes on chunks with errors, and reads on. */
const everyChunk = { __streamMode: 'events' } as const;

/** Asks for a turn. A server may report an error behind an answer that is whole, and count its tokens behind that. */
export function openChat(
  { chat }: ChatClient,
  body: ChatCompletionCreateParamsStreaming,
  options: RequestOptions,
): PromiseLike<AsyncIterable<ChatCompletionChunk>> {
  return chat.completions.create(body, { ...options, ...everyChunk });
}
