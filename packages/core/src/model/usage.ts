/** Tokens of one turn. */
export interface Usage {
  /** Everything that was read, cached or not. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input: served from the provider's cache. */
  readonly cacheReadTokens: number;
  /** Of the input: written to the provider's cache. */
  readonly cacheWriteTokens: number;
  /** Of the output: spent on reasoning. */
  readonly reasoningTokens: number;
  /** In US dollars, as the vendor billed it; absent where it does not say. */
  readonly cost?: number;
}

/** No tokens at all. */
export const noUsage: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

/** The sum of two turns. */
export function addUsage(a: Usage, b: Usage): Usage {
  const hasCost = a.cost !== undefined || b.cost !== undefined;
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    ...(hasCost && { cost: (a.cost ?? 0) + (b.cost ?? 0) }),
  };
}
