import type { ErrorCode } from '@utensil/core';

/** What an error means: what happened, and what to do. `{model}` and `{key}` stand for the model's id, and for where its key is. */
export interface Verdict {
  readonly code: ErrorCode;
  readonly happened: string;
  readonly advice: string;
  readonly retryable?: boolean;
}

/** What the vendor says of an error, in a response or inside a stream. */
export interface VendorError {
  readonly status?: number | undefined;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly message?: unknown;
}

/** What a vendor's error means. Its code says most; its type only what a status does not. */
export function judge({ status, code, type }: VendorError, said: string): Verdict {
  const effective = status ?? (typeof code === 'number' ? code : undefined);
  const named = byCode.get(code) ?? byStatus.get(effective) ?? (effective === undefined ? byCode.get(type) : undefined);
  if (named !== undefined) return named;
  if (effective === undefined) return failed;
  if (effective >= 500) return serverFailed;
  return effective === 400 || effective === 413 ? judgeText(said) : invalid;
}

/** What only the text of a refused request tells. */
function judgeText(said: string): Verdict {
  if (/context (?:length|window)|maximum context|prompt is too long/i.test(said)) return tooLong;
  if (/function tools with reasoning_effort/i.test(said)) return needsResponses;
  if (/encrypted content is not supported/i.test(said)) return cannotEncrypt;
  return invalid;
}

/** What an error means that `openai` throws before it sends anything; undefined where it is none of those. */
export function judgeSetup(said: string): Verdict | undefined {
  if (/missing credentials|authentication method|'apiKey' function/i.test(said)) return missingKey;
  return /browser-like environment/i.test(said) ? inBrowser : undefined;
}

const missingKey: Verdict = {
  code: 'missing_api_key',
  happened: 'There is no API key for {model}',
  advice: 'Set the environment variable OPENAI_API_KEY, or pass the option `apiKey`.',
};
const inBrowser: Verdict = {
  code: 'model_request_invalid',
  happened: '{model} was not asked, for the page would show its key to everybody who opens it',
  advice:
    "Pass `dangerouslyAllowBrowser: true` where the key is the user's own, or the `baseURL` of a server of yours.",
};
const unauthorized: Verdict = {
  code: 'model_unauthorized',
  happened: 'The API key for {model} was refused',
  advice: 'Check {key}, and that it belongs to the server of `baseURL`.',
};
const forbidden: Verdict = {
  code: 'model_unauthorized',
  happened: 'This API key may not use {model}',
  advice: 'Check the rights of the key, its project and its organization.',
};
const notFound: Verdict = {
  code: 'model_not_found',
  happened: 'There is no model {model} for this key',
  advice: 'Check the model id, and the option `baseURL`.',
};
const invalid: Verdict = {
  code: 'model_request_invalid',
  happened: '{model} refused the request',
  advice: 'Change what it names; the same request will be refused again.',
};
const tooLong: Verdict = {
  code: 'prompt_too_long',
  happened: 'The conversation is too long for {model}',
  advice: 'Shorten it, or use a model with a larger context window.',
};
const needsResponses: Verdict = {
  code: 'model_request_invalid',
  happened: '{model} does not take tools over Chat Completions while it reasons',
  advice: "Use openai('{model}') instead of openaiChat('{model}'), or set reasoning to 'none'.",
};
const cannotEncrypt: Verdict = {
  code: 'model_request_invalid',
  happened: '{model} does not reason, so it has no reasoning to return',
  advice: "Pass providerOptions: { include: [] } with the request, or use openaiChat('{model}').",
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
  advice: 'Waiting does not help: check the plan and the billing of the account.',
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
  advice: 'Check the network and the option `baseURL`, then try again.',
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
  advice: 'Check the option `baseURL`, and what stands between here and the server; then try again.',
  retryable: true,
};

const byStatus: ReadonlyMap<unknown, Verdict> = new Map([
  [401, unauthorized],
  [402, noQuota],
  [403, forbidden],
  [404, notFound],
  [408, overloaded],
  [409, serverFailed],
  [429, rateLimited],
  [503, overloaded],
  [529, overloaded],
]);

const byCode: ReadonlyMap<unknown, Verdict> = new Map([
  ['context_length_exceeded', tooLong],
  ['insufficient_quota', noQuota],
  ['invalid_api_key', unauthorized],
  ['invalid_prompt', invalid],
  ['model_not_found', notFound],
  ['rate_limit_exceeded', rateLimited],
  ['server_error', serverFailed],
  ['server_is_overloaded', overloaded],
  ['slow_down', overloaded],
]);
