// Data of the benchmark: APIs, streamed answers, and readers.

/** A vendor's wire format that we have a provider for. */
export type ApiName =
  | 'anthropic-messages'
  | 'openai-responses'
  | 'openai-chat'
  | 'gemini'
  | 'gemini-interactions'
  | 'ollama-chat';

/** Order of the tables. */
export const apis: readonly ApiName[] = [
  'anthropic-messages',
  'openai-responses',
  'openai-chat',
  'gemini',
  'gemini-interactions',
  'ollama-chat',
];

/** APIs that send the arguments of a call in one piece. */
export const wholeCalls: ReadonlySet<ApiName> = new Set<ApiName>(['gemini', 'ollama-chat']);

export type WorkName = 'text' | 'calls' | 'reasoning';

export const workTitles: Readonly<Record<WorkName, string>> = {
  text: 'a long text',
  calls: '20 calls at once',
  reasoning: 'long thoughts, and a text',
};

/** Reader of an answer: the vendor's SDK alone, or our provider over that SDK. */
export type Reader = 'sdk' | 'utensil';

export const readers: readonly Reader[] = ['sdk', 'utensil'];
