import type { ModelRequest } from '@utensil/core';

type Effort = ModelRequest['reasoning'];

/** True if a model has no reasoning: it refuses requests that mention it, even for its encrypted content. */
export function neverReasons(modelId: string): boolean {
  return /^(?:ft:)?(?:gpt-3|gpt-4|chatgpt-4o)/.test(modelId);
}

/** Reasoning effort of a model, if it has a choice. Up to gpt-5, reasoning models always reason. */
export function effortFor(modelId: string, asked: Effort): Effort {
  if (neverReasons(modelId)) return undefined;
  return asked === 'none' && /^(?:ft:)?(?:o\d|gpt-5(?!\.))/.test(modelId) ? 'low' : asked;
}
