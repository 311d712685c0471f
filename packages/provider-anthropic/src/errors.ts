import { causeWithoutKeys, isObject, isUtensilError, type ErrorCode, UtensilError, withoutKeys } from '@utensil/core';

/** What an error happened to. */
export interface ErrorContext {
  readonly modelId: string;
  readonly signal: AbortSignal;
  /** Whether the response had begun. */
  readonly isStreaming: boolean;
  /** Never shown. */
  readonly apiKey: unknown;
}

/** Anything that the SDK throws, as an error of ours: what happened, in the vendor's words too, and what to do. */
export function toError(error: unknown, context: ErrorContext): UtensilError {
  if (context.signal.aborted) return aborted(context.signal);
  if (isUtensilError(error)) return error;
  const { code, text, retryable } = explain(error, context);
  const cause = causeWithoutKeys(error, context.apiKey);
  return new UtensilError(code, withoutKeys(text, context.apiKey), { cause, retryable });
}

/** The error for a client without a key. */
export function missingKey(modelId: string): UtensilError {
  return new UtensilError('missing_api_key', noKey(modelId));
}

function aborted({ reason }: AbortSignal): UtensilError {
  return new UtensilError('aborted', 'The request was aborted.', { cause: reason });
}

interface Explanation {
  readonly code: ErrorCode;
  readonly text: string;
  readonly retryable: boolean;
}

/** By name and shape, not by class: the SDK is loaded late, and may be another copy. */
function explain(error: unknown, context: ErrorContext): Explanation {
  const name = error instanceof Error ? error.name : '';
  const said = saidBy(error);
  if (name.startsWith('APIConnection')) return unreachable(error);
  if (name === 'APIError' || (isObject(error) && typeof error['status'] === 'number')) return fromApi(error, context);
  if (said.startsWith('Could not resolve authentication')) {
    return { code: 'missing_api_key', text: noKey(context.modelId), retryable: false };
  }
  if (error instanceof SyntaxError) {
    const text = `The server sent an event that is no JSON (${said}). If there is a proxy at baseURL, check it; then try again.`;
    return { code: 'model_failed', text, retryable: true };
  }
  if (context.isStreaming) {
    const text = `The connection to the model broke before its answer was complete (${rootOf(error)}). Try again.`;
    return { code: 'stream_truncated', text, retryable: true };
  }
  return { code: 'model_failed', text: `The request to Anthropic could not be made: ${said}`, retryable: false };
}

function noKey(modelId: string): string {
  return `There is no API key for Anthropic. Set the environment variable ANTHROPIC_API_KEY, or pass it: anthropic('${modelId}', { apiKey }).`;
}

function unreachable(error: unknown): Explanation {
  const text = `Anthropic could not be reached (${rootOf(error)}). Check the network, and the option baseURL if it is set; then try again.`;
  return { code: 'model_unreachable', text, retryable: true };
}

function saidBy(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The innermost cause: where a connection fails, it alone says why. */
function rootOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? saidBy(error) : rootOf(cause);
}

/** For errors that have a type only, as those inside a stream. */
export const statusOfType: ReadonlyMap<unknown, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);

function fromApi(error: unknown, { modelId }: ErrorContext): Explanation {
  const { status, type, apiMessage, errorCode } = isObject(error) ? error : {};
  const number = typeof status === 'number' ? status : (statusOfType.get(type) ?? 500);
  const said = shorten(typeof apiMessage === 'string' ? apiMessage : saidBy(error));
  const quoted = typeof status === 'number' ? `${status}: ${said.replace(/^\d{3} /, '')}` : said;
  const { code, what, advice } = meaningOf(number, said, modelId);
  const isSpent = /spend|credit/i.test(`${String(errorCode)} ${said}`); // waiting does not help
  return { code, text: `${what} (${quoted}). ${advice}`, retryable: isRetryable(number) && !isSpent };
}

/** An error page of a proxy can be long. */
function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}

function isRetryable(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

interface Meaning {
  readonly code: ErrorCode;
  readonly what: string;
  readonly advice: string;
}

function meaningOf(status: number, said: string, modelId: string): Meaning {
  if (status === 413 || (status === 400 && isTooLong(said))) return tooLong;
  if (status === 400 && /credit balance/i.test(said)) return unpaid;
  if (status === 404) return { ...notFound, what: `Anthropic does not offer the model "${modelId}"` };
  const meaning = meanings.get(status);
  if (meaning !== undefined) return meaning;
  return status >= 500 ? failed : invalid;
}

function isTooLong(said: string): boolean {
  return /prompt is too long|context (?:window|limit|length)|too many (?:input )?tokens/i.test(said);
}

const tooLong: Meaning = {
  code: 'prompt_too_long',
  what: 'The conversation is too long for the model',
  advice:
    'Begin a new thread, take large results, images or files out of this one, or choose a model with a larger context window.',
};

const notFound: Omit<Meaning, 'what'> = {
  code: 'model_not_found',
  advice: 'Check the name of the model, whether the key may use it, and the option baseURL if it is set.',
};

const invalid: Meaning = {
  code: 'model_request_invalid',
  what: 'Anthropic refused the request as invalid',
  advice: 'Sent again, it will fail again: change what the text in parentheses names.',
};

const failed: Meaning = { code: 'model_failed', what: 'Anthropic failed', advice: 'Try again in a moment.' };

const unauthorized: Meaning = {
  code: 'model_unauthorized',
  what: 'Anthropic refused the API key',
  advice: 'Check the environment variable ANTHROPIC_API_KEY or the option apiKey, and what the key is allowed to do.',
};

const unpaid: Meaning = {
  code: 'model_unauthorized',
  what: 'Anthropic asks for payment',
  advice: "Check the credit and limits of the key's account.",
};

const overloaded: Meaning = {
  code: 'model_overloaded',
  what: 'Anthropic is overloaded',
  advice: 'Try again in a moment, or choose another model.',
};

const meanings: ReadonlyMap<number, Meaning> = new Map([
  [401, unauthorized],
  [402, unpaid],
  [403, unauthorized],
  [
    429,
    {
      code: 'model_rate_limited',
      what: 'Too many requests or tokens for the limits of this API key',
      advice: "Wait a moment and try again, or raise the limits of the key's account.",
    },
  ],
  [503, overloaded],
  [529, overloaded],
]);
