import type { Usage } from '@utensil/core';
import type { GenerateContentResponseUsageMetadata } from '@google/genai';
import { audioTokens } from '../audio-tokens.ts';

/**
 * Token counts of generateContent. Its output does not include the thoughts, nor its input the tokens that Google's
 * tools read.
 */
export function toUsage(counted: GenerateContentResponseUsageMetadata): Usage {
  const reasoningTokens = counted.thoughtsTokenCount ?? 0;
  return {
    inputTokens: (counted.promptTokenCount ?? 0) + (counted.toolUsePromptTokenCount ?? 0),
    outputTokens: (counted.candidatesTokenCount ?? 0) + reasoningTokens,
    cacheReadTokens: counted.cachedContentTokenCount ?? 0,
    cacheWriteTokens: 0,
    ...audioTokens(counted.promptTokensDetails),
    reasoningTokens,
  };
}
