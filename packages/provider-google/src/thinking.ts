import type { ModelRequest } from '@utensil/core';

type Effort = NonNullable<ModelRequest['reasoning']>;

/** True if a model is of the families 1 and 2: its calls are not signed, and its results hold no files. */
export function isEarly(modelId: string): boolean {
  return /gemini-[12]\b/.test(modelId);
}

/**
 * In place of a signature, for calls that Gemini has not written itself:
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export const unsigned = 'skip_thought_signature_validator';

/** Thinking level of a model. No model can be told not to think; the larger ones do not know the lowest level. */
export function levelFor(modelId: string, effort: Effort): string {
  if (effort !== 'none') return effort;
  return /pro/.test(modelId) ? 'low' : 'minimal';
}

const budgets = { none: 0, low: 2_048, medium: 8_192, high: 24_576 };

/** Models of the family 2.5 take a number of tokens. The largest never stops thinking. */
export function budgetFor(modelId: string, effort: Effort): number {
  return effort === 'none' && /pro/.test(modelId) ? 128 : budgets[effort];
}
