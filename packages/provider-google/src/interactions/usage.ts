import type { Interactions } from '@google/genai';
import type { Usage } from '@utensil/core';
import { audioTokens } from '../audio-tokens.ts';

/** Token counts of the Interactions API, the same as those of generateContent. */
export function toUsage(counted: Interactions.Usage): Usage {
  const reasoningTokens = counted.total_thought_tokens ?? 0;
  return {
    inputTokens: (counted.total_input_tokens ?? 0) + (counted.total_tool_use_tokens ?? 0),
    outputTokens: (counted.total_output_tokens ?? 0) + reasoningTokens,
    cacheReadTokens: counted.total_cached_tokens ?? 0,
    cacheWriteTokens: 0,
    ...audioTokens(counted.input_tokens_by_modality),
    reasoningTokens,
  };
}
