/** What a model was doing when something was thrown. */
export interface Attempt {
  readonly modelId: string;
  readonly signal: AbortSignal;
  /** The answer had begun. */
  readonly isAnswering: boolean;
  /** Is in no message. */
  readonly apiKey?: string | null | undefined;
  /** Words for the braces in the texts of failures. */
  readonly words: Words;
}

export type Words = Readonly<Record<'key' | 'address', string>>;
