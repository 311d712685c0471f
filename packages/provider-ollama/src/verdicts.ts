import type { ErrorCode } from '@utensil/core';

/** What an error means: what happened, and what to do. `{model}` and `{server}` stand for the ids of these. */
export interface Verdict {
  readonly code: ErrorCode;
  readonly happened: string;
  readonly advice: string;
  readonly retryable?: boolean;
}

/** What an error of the server means. Its words tell more than its status. */
export function judge(status: number, said: string): Verdict {
  const named = byWords.find(([pattern]) => pattern.test(said))?.[1];
  return named ?? byStatus.get(status) ?? (status >= 500 ? serverFailed : invalid);
}

const noTools: Verdict = {
  code: 'tools_unsupported',
  happened: '{model} takes no tools over Ollama',
  advice: 'Take a model that does, or let it call them in text: wrap it in withTextFallback of @utensil/text-dialects.',
};
const noThinking: Verdict = {
  code: 'model_request_invalid',
  happened: '{model} cannot think as it was asked to',
  advice: 'Leave `reasoning` out of the request.',
};
const noImages: Verdict = {
  code: 'model_request_invalid',
  happened: '{model} sees no images',
  advice: 'Take a model that does, or leave them out of the conversation.',
};
const tooLong: Verdict = {
  code: 'prompt_too_long',
  happened: 'The conversation is too long for {model}',
  advice: 'Shorten it, or give the model more room with the option `contextWindow`.',
};
const noMemory: Verdict = {
  code: 'model_failed',
  happened: 'The server cannot load {model}',
  advice: 'Take a smaller model, or a smaller `contextWindow`.',
};
const unauthorized: Verdict = {
  code: 'model_unauthorized',
  happened: 'The server of {model} let nobody in',
  advice: 'Check the option `apiKey`; for a page, check that its origin is one of OLLAMA_ORIGINS.',
};
const notFound: Verdict = {
  code: 'model_not_found',
  happened: 'There is no model {model} at {server}',
  advice: 'Fetch it with `ollama pull {model}`, or check the option `baseURL`.',
};
const rateLimited: Verdict = {
  code: 'model_rate_limited',
  happened: '{model} has had too many requests',
  advice: 'Wait a little and try again.',
  retryable: true,
};
const overloaded: Verdict = {
  code: 'model_overloaded',
  happened: 'The server of {model} has too much to do',
  advice: 'Try again in a while.',
  retryable: true,
};
const serverFailed: Verdict = {
  code: 'model_failed',
  happened: 'The server of {model} failed',
  advice: 'Try again; its log says more.',
  retryable: true,
};
const invalid: Verdict = {
  code: 'model_request_invalid',
  happened: '{model} refused the request',
  advice: 'Change what it names; the same request will be refused again.',
};
export const unreachable: Verdict = {
  code: 'model_unreachable',
  happened: 'Nobody answers at {server}',
  advice:
    'Is Ollama running? Start it with `ollama serve`, or check the option `baseURL`; for a page, set OLLAMA_ORIGINS too.',
  retryable: true,
};
export const failed: Verdict = {
  code: 'model_failed',
  happened: '{model} could not be asked',
  advice: 'Check the options of the model.',
};
export const brokenOff: Verdict = {
  code: 'stream_truncated',
  happened: 'The answer of {model} broke off',
  advice: 'What had come is kept; try again.',
  retryable: true,
};
export const noAnswer: Verdict = {
  code: 'stream_truncated',
  happened: 'What {server} sent is no answer of {model}',
  advice: 'Check the option `baseURL`, and what stands between here and the server; then try again.',
  retryable: true,
};

const byWords: readonly (readonly [pattern: RegExp, verdict: Verdict])[] = [
  [/does not support tools/i, noTools],
  [/does not support thinking|think value .* is not supported/i, noThinking],
  [/image input|does not support images/i, noImages],
  [/context (?:length|window)|prompt (?:is )?too long/i, tooLong],
  [/requires more system memory|out of memory/i, noMemory],
];

const byStatus: ReadonlyMap<number, Verdict> = new Map([
  [401, unauthorized],
  [403, unauthorized],
  [404, notFound],
  [408, overloaded],
  [413, tooLong],
  [429, rateLimited],
  [503, overloaded],
  [529, overloaded],
]);
