/** Tokens of one turn. */
export interface Usage {
  /** Everything that was read, cached or not. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input: served from the provider's cache. */
  readonly cacheReadTokens: number;
  /** Of the input: written to the provider's cache. */
  readonly cacheWriteTokens: number;
  /** Of the input: recordings; absent if the vendor does not count them apart. */
  readonly audioInputTokens?: number;
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
