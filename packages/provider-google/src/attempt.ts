/** What a model was doing when something was thrown. */
export interface Attempt {
  readonly modelId: string;
  readonly signal: AbortSignal;
  readonly phase: 'connecting' | 'asking' | 'answering';
  /** Is in no message. */
  readonly apiKey: unknown;
  /** Words for the braces in the texts of failures. */
  readonly words: typeof words;
}

/** Where the key and the address come from. */
export const words = {
  key: 'GEMINI_API_KEY or the option `apiKey`',
  address: 'the options `apiVersion` and `baseUrl`',
};
