import type { RequestViewOptions } from './request-options.ts';

/** Share of the context window that a request may use, unless its answer needs more than the rest. */
const high = 0.9;

/** In tokens: a longer request is compacted. At most half of the window is reserved for the answer. */
export function highMark(contextWindow: number, { maxOutputTokens = 0 }: RequestViewOptions): number {
  return Math.min(contextWindow * high, Math.max(contextWindow - maxOutputTokens, contextWindow / 2));
}
