import { isObject } from '@utensil/core';
import type { JsonObject, ToolContext } from '@utensil/core';
import { shown } from './questions.ts';

/** Lets a server ask the model of the run: see `samplingTool`. */
export interface McpSampling {
  /** Name of the `samplingTool` in the registry. */
  readonly tool: string;
  /** Maximum number of requests in one call of the server's tools. Default: 5. */
  readonly requests?: number;
}

/** A call of a server's tool, during which the server may ask the model and the person. */
export interface SamplingCall extends Pick<ToolContext, 'call' | 'signal'> {
  /** Number of its requests to the model so far. */
  sampled: number;
  /** Number of its questions to the person so far. */
  asked: number;
}

/**
 * Answers a request of a server.
 *
 * @throws if it is not made of texts, is one too many, or was not allowed. The server is told no more.
 */
export async function sample(
  params: unknown,
  { tool, requests = 5 }: McpSampling,
  { server, call }: { readonly server: string; readonly call: SamplingCall },
): Promise<JsonObject> {
  const input = inputOf(params, server);
  if (call.sampled >= requests) throw new Error(`No more than ${requests} requests are answered in one call.`);
  call.sampled++;
  const { output, isError } = await call.call(tool, input, { signal: call.signal });
  if (isError || typeof output !== 'string') throw new Error('The request was not answered.');
  return { role: 'assistant', content: { type: 'text', text: output }, model: 'unknown', stopReason: 'endTurn' };
}

function inputOf(params: unknown, server: string): JsonObject {
  const { messages, systemPrompt, maxTokens } = isObject(params) ? params : {};
  if (!Array.isArray(messages) || messages.length === 0) throw new Error('The request has no messages.');
  return {
    server,
    ...(typeof systemPrompt === 'string' && { system: shown(systemPrompt) }),
    messages: messages.map(messageOf),
    ...(Number.isInteger(maxTokens) && (maxTokens as number) > 0 && { maxTokens: maxTokens as number }),
  };
}

function messageOf(given: unknown): JsonObject {
  const { role, content } = isObject(given) ? given : {};
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const texts = blocks.map((block) => {
    if (!isObject(block) || block['type'] !== 'text' || typeof block['text'] !== 'string')
      throw new Error('Only texts are answered.');
    return shown(block['text']);
  });
  return { role: role === 'assistant' ? role : 'user', text: shown(texts.join('\n')) };
}
