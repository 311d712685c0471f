import type { ModelRequest } from '@utensil/core';

type Effort = ModelRequest['reasoning'];

/** True if a model has no reasoning: it refuses requests that speak of it, even for its encrypted content. */
export function neverReasons(modelId: string): boolean {
  return /^(?:ft:)?(?:gpt-3|gpt-4|chatgpt-4o)/.test(modelId);
}

/** How much a model is to think, where it can choose. Up to gpt-5, models that reason always do. */
export function effortFor(modelId: string, asked: Effort): Effort {
  if (neverReasons(modelId)) return undefined;
  return asked === 'none' && /^(?:ft:)?(?:o\d|gpt-5(?!\.))/.test(modelId) ? 'low' : asked;
}
