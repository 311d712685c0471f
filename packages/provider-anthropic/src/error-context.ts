/** What an error happened to. */
export interface ErrorContext {
  readonly modelId: string;
  readonly signal: AbortSignal;
  /** True if the response had begun. */
  readonly isStreaming: boolean;
  /** Never shown. */
  readonly apiKey: unknown;
}

/** Where the key and the address come from. */
export const words = { key: 'ANTHROPIC_API_KEY or the option `apiKey`', address: 'the option `baseURL`' };
