import type { ModelFacts } from '@utensil/core';

/** Facts missing from the catalog, by vendor and id, with their sources. The catalog takes precedence. */
export const supplement: ReadonlyMap<string, ModelFacts> = new Map<string, ModelFacts>([
  // https://platform.claude.com/docs/en/models/sonnet-5-5/overview
  [
    'anthropic/claude-sonnet-5-5',
    { contextWindow: 1_000_000, price: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 } },
  ],
  // https://ai.google.dev/gemini-api/docs/models
  ['google/gemini-2.5-pro', { contextWindow: 1_048_576 }],
  ['google/gemini-3-pro-preview', { contextWindow: 1_048_576 }],
  ['google/gemini-3.1-pro-preview', { contextWindow: 1_048_576 }],
]);
