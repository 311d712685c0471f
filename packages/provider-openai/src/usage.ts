import type { Usage } from '@utensil/core';
import { noUsage } from '@utensil/core';
import type { CompletionUsage } from 'openai/resources/completions';
import type { ResponseUsage } from 'openai/resources/responses/responses';

interface InputDetails {
  readonly cached_tokens?: number | null;
  readonly cache_write_tokens?: number | null;
  readonly audio_tokens?: number | null;
}

interface OutputDetails {
  readonly reasoning_tokens?: number | null;
}

/** What the Responses API counts. */
export function responsesUsage(usage: Partial<ResponseUsage> | null | undefined): Usage {
  if (!usage) return noUsage;
  const counts = { input: usage.input_tokens, output: usage.output_tokens };
  return toUsage(counts, usage.input_tokens_details, usage.output_tokens_details);
}

/** What the Chat Completions API counts. */
export function chatUsage(usage: Partial<CompletionUsage> | null | undefined): Usage {
  if (!usage) return noUsage;
  const counts = { input: usage.prompt_tokens, output: usage.completion_tokens };
  return toUsage(counts, usage.prompt_tokens_details, usage.completion_tokens_details);
}

/** OpenAI's input includes what came from its cache, as ours does; compatible servers leave out what they do not count. */
function toUsage(
  counts: { readonly input: number | undefined; readonly output: number | undefined },
  input: InputDetails | null | undefined,
  output: OutputDetails | null | undefined,
): Usage {
  return {
    inputTokens: counts.input ?? 0,
    outputTokens: counts.output ?? 0,
    cacheReadTokens: input?.cached_tokens ?? 0,
    cacheWriteTokens: input?.cache_write_tokens ?? 0,
    ...(input?.audio_tokens && { audioInputTokens: input.audio_tokens }),
    reasoningTokens: output?.reasoning_tokens ?? 0,
  };
}
