import type { Model, ModelPart, ModelRequest } from '@utensil/core';
import { anthropic } from '@utensil/provider-anthropic';
import { google, googleInteractions } from '@utensil/provider-google';
import { ollama } from '@utensil/provider-ollama';
import { openai, openaiChat } from '@utensil/provider-openai';
import type { ApiName } from './catalog.ts';

type Fetch = typeof fetch;

const apiKey = 'none';

/** Our model over the vendor's SDK. */
export const models: Readonly<Record<ApiName, (fetch: Fetch) => Model>> = {
  'anthropic-messages': (fetch) => anthropic('claude-sonnet-5-5', { apiKey, fetch }),
  'openai-responses': (fetch) => openai('gpt-5.6', { apiKey, fetch }),
  'openai-chat': (fetch) => openaiChat('gpt-4.1', { apiKey, fetch }),
  gemini: (fetch) => google('gemini-3.8-flash', { apiKey, fetch }),
  'gemini-interactions': (fetch) => googleInteractions('gemini-3.8-flash', { apiKey, fetch }),
  'ollama-chat': (fetch) => ollama('qwen3:8b', { fetch }),
};

/** Reads an answer to its end, and counts the characters of its text, reasoning and calls. */
export async function readParts(model: Model, request: ModelRequest): Promise<number> {
  const { signal } = new AbortController();
  let characters = 0;
  let isOver = false;
  for await (const part of model.stream(request, { signal })) {
    characters += lengthOf(part);
    isOver = part.type === 'finish';
  }
  return isOver ? characters : NaN;
}

function lengthOf(part: ModelPart): number {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.text.length;
  if (part.type !== 'tool-call') return 0;
  const { text } = part.input;
  return typeof text === 'string' ? text.length : NaN;
}
