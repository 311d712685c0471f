import type { ErrorCode } from '@utensil/core';

/** What an error means: what happened, and what to do. `{model}` stands for the model's id. */
export interface Verdict {
  readonly code: ErrorCode;
  readonly happened: string;
  readonly advice: string;
  readonly retryable?: boolean;
}

/** What the vendor says of an error, in a response or inside a stream. */
export interface VendorError {
  /** As HTTP has it. */
  readonly status?: number | undefined;
  /** For example `RESOURCE_EXHAUSTED`, or the same in small letters. */
  readonly code: string;
  readonly said: string;
  /** The same again, as JSON. */
  readonly details: string;
}

/** What a vendor's error means. */
export function judge({ status, code, said, details }: VendorError): Verdict {
  const number = status ?? byCode.get(code.toUpperCase());
  if (number === undefined) return failed;
  if (/API_KEY_INVALID|API key not valid|API key expired/i.test(said + details)) return unauthorized;
  // Its text speaks of billing even where a minute's quota is used up.
  if (number === 429 && /PerDay|depleted/i.test(said + details)) return noQuota;
  return byStatus.get(number) ?? (number >= 500 ? serverFailed : judgeText(said));
}

/** What only the text of a refused request tells. */
function judgeText(said: string): Verdict {
  if (/token count.*exceeds|payload size exceeds|context (?:length|window)|too long/i.test(said)) return tooLong;
  if (/tool use with function calling|function calling.*combined/i.test(said)) return cannotCombine;
  return invalid;
}

const byCode: ReadonlyMap<string, number> = new Map([
  ['INVALID_ARGUMENT', 400],
  ['INVALID_REQUEST', 400],
  ['FAILED_PRECONDITION', 400],
  ['UNAUTHENTICATED', 401],
  ['PERMISSION_DENIED', 403],
  ['NOT_FOUND', 404],
  ['RESOURCE_EXHAUSTED', 429],
  ['TOO_MANY_REQUESTS', 429],
  ['INTERNAL', 500],
  ['INTERNAL_ERROR', 500],
  ['UNKNOWN', 500],
  ['UNAVAILABLE', 503],
  ['DEADLINE_EXCEEDED', 504],
]);

export const missingKey: Verdict = {
  code: 'missing_api_key',
  happened: 'There is no API key for {model}',
  advice: 'Set the environment variable GEMINI_API_KEY, or pass the option `apiKey`.',
};
const unauthorized: Verdict = {
  code: 'model_unauthorized',
  happened: 'The API key for {model} was refused',
  advice: 'Check GEMINI_API_KEY or the option `apiKey`, and what the key may be used for.',
};
const notFound: Verdict = {
  code: 'model_not_found',
  happened: 'There is no model {model} for this key',
  advice: 'Check the model id, and the options `apiVersion` and `baseUrl`.',
};
const invalid: Verdict = {
  code: 'model_request_invalid',
  happened: '{model} refused the request',
  advice: 'Change what it names; the same request will be refused again.',
};
const cannotCombine: Verdict = {
  code: 'model_request_invalid',
  happened: "{model} takes either Google's own tools or functions",
  advice: 'Use a model from Gemini 3 on, or only one kind of tools.',
};
const tooLong: Verdict = {
  code: 'prompt_too_long',
  happened: 'The conversation is too long for {model}',
  advice: 'Shorten it, or use a model with a larger context window.',
};
const rateLimited: Verdict = {
  code: 'model_rate_limited',
  happened: '{model} has had too many requests',
  advice: 'Wait a little and try again.',
  retryable: true,
};
const noQuota: Verdict = {
  code: 'model_rate_limited',
  happened: 'The quota of this API key is used up',
  advice: 'Waiting a little does not help: check the plan and the billing of the project.',
};
const overloaded: Verdict = {
  code: 'model_overloaded',
  happened: '{model} is overloaded',
  advice: 'Try again in a while.',
  retryable: true,
};
const serverFailed: Verdict = {
  code: 'model_failed',
  happened: 'The server of {model} failed',
  advice: 'Try again.',
  retryable: true,
};
export const failed: Verdict = {
  code: 'model_failed',
  happened: '{model} failed',
  advice: 'Try again; if it stays, change the request.',
};
export const unreachable: Verdict = {
  code: 'model_unreachable',
  happened: 'The server of {model} could not be reached',
  advice: 'Check the network and the option `baseUrl`, then try again.',
  retryable: true,
};
export const brokenOff: Verdict = {
  code: 'stream_truncated',
  happened: 'The answer of {model} broke off',
  advice: 'What had come is kept; try again.',
  retryable: true,
};
export const noAnswer: Verdict = {
  code: 'stream_truncated',
  happened: 'The server sent no answer of {model}',
  advice: 'Check the option `baseUrl`, and what stands between here and the server; then try again.',
  retryable: true,
};

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
