/** Token usage of one turn. */
export interface Usage {
  /** All input, cached or not. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Part of the input: read from the provider's cache. */
  readonly cacheReadTokens: number;
  /** Part of the input: written to the provider's cache. */
  readonly cacheWriteTokens: number;
  /** Part of the input: audio; absent if the vendor does not report it. */
  readonly audioInputTokens?: number;
  /** Part of the output: reasoning. */
  readonly reasoningTokens: number;
  /** US dollars, as billed by the vendor; absent if not reported. */
  readonly cost?: number;
}

/** Zero usage. */
export const noUsage: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};
