// The vendors' SDKs alone: each sends a given body, and its reader only checks whether an event has content.

import { Anthropic } from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { Ollama } from 'ollama/browser';
import { OpenAI } from 'openai';
import type { ApiName } from './catalog.ts';

type Fetch = typeof fetch;

/** Sends a body, and counts the received pieces with content. */
export type Ask = (body: unknown) => Promise<number>;

const apiKey = 'none';

export const sdks: Readonly<Record<ApiName, (fetch: Fetch) => Ask>> = {
  'anthropic-messages': (fetch) => {
    const client = new Anthropic({ apiKey, fetch });
    return async (body) => {
      let pieces = 0;
      for await (const event of await client.messages.create(body as AnthropicBody)) {
        if (event.type !== 'content_block_delta') continue;
        const { delta } = event;
        if (delta.type === 'text_delta' || delta.type === 'thinking_delta') pieces++;
        else if (delta.type === 'input_json_delta' && delta.partial_json !== '') pieces++;
      }
      return pieces;
    };
  },
  'openai-responses': (fetch) => {
    const client = new OpenAI({ apiKey, fetch });
    return async (body) => {
      let pieces = 0;
      for await (const { type } of await client.responses.create(body as ResponsesBody)) {
        if (type.endsWith('.delta')) pieces++;
      }
      return pieces;
    };
  },
  'openai-chat': (fetch) => {
    const client = new OpenAI({ apiKey, fetch });
    return async (body) => {
      let pieces = 0;
      for await (const { choices } of await client.chat.completions.create(body as ChatBody)) {
        const delta: ChatDelta | undefined = choices[0]?.delta;
        if (delta?.content || delta?.reasoning_content || delta?.tool_calls?.[0]?.function?.arguments) pieces++;
      }
      return pieces;
    };
  },
  gemini: (fetch) => {
    const client = new GoogleGenAI({ apiKey, httpOptions: { fetch } });
    return async (body) => {
      let pieces = 0;
      const httpOptions = { extraBody: body as Record<string, unknown> };
      const question = { model: 'gemini-3.8-flash', contents: [{ role: 'user', parts: [] }], config: { httpOptions } };
      for await (const { candidates } of await client.models.generateContentStream(question)) {
        const part = candidates?.[0]?.content?.parts?.[0];
        if (part?.text || part?.functionCall) pieces++;
      }
      return pieces;
    };
  },
  'gemini-interactions': (fetch) => {
    const client = new GoogleGenAI({ apiKey, httpOptions: { fetch } });
    return async (body) => {
      let pieces = 0;
      for await (const event of await client.interactions.create(body as InteractionsBody)) {
        if (event.event_type === 'step.delta' && event.delta.type !== 'thought_signature') pieces++;
      }
      return pieces;
    };
  },
  'ollama-chat': (fetch) => {
    const client = new Ollama({ fetch });
    return async (body) => {
      let pieces = 0;
      for await (const { message } of await client.chat(body as OllamaBody)) {
        if (message.content || message.thinking || message.tool_calls) pieces++;
      }
      return pieces;
    };
  },
};

type Streamed = { readonly stream: true };
type AnthropicBody = Parameters<Anthropic['messages']['create']>[0] & Streamed;
type ResponsesBody = Parameters<OpenAI['responses']['create']>[0] & Streamed;
type ChatBody = Parameters<OpenAI['chat']['completions']['create']>[0] & Streamed;
type InteractionsBody = Parameters<GoogleGenAI['interactions']['create']>[0] & Streamed;
type OllamaBody = Parameters<Ollama['chat']>[0] & Streamed;
type ChatDelta = OpenAI.Chat.ChatCompletionChunk.Choice.Delta & { readonly reasoning_content?: string };
