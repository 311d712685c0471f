import {
  type FailureException,
  type ModelFailure,
  type UtensilError,
  abortedError,
  failureOf,
  isObject,
  isUtensilError,
  messageOf,
  modelError,
  modelFailures,
  saidBy,
} from '@utensil/core';

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
  const { modelId, signal, apiKey } = context;
  if (signal.aborted) return abortedError(modelId, signal);
  if (isUtensilError(error)) return error;
  const [failure, said] = explain(error, context);
  return modelError(failure, { modelId, said, cause: error, apiKey, words });
}

/** The error for a client without a key. */
export function missingKey(modelId: string): UtensilError {
  return modelError(modelFailures.missingKey, { modelId, words });
}

/** The response stopped before its end, or never began. */
export function truncated(modelId: string, hasBegun: boolean): UtensilError {
  return modelError(hasBegun ? modelFailures.brokenOff : modelFailures.noAnswer, { modelId, words });
}

const words = { key: 'ANTHROPIC_API_KEY or the option `apiKey`', address: 'the option `baseURL`' };

/** By name and shape, not by class: the SDK is loaded late, and may be another copy. */
function explain(error: unknown, context: ErrorContext): readonly [ModelFailure, string] {
  const name = error instanceof Error ? error.name : '';
  const said = messageOf(error);
  if (name.startsWith('APIConnection')) return [modelFailures.unreachable, saidBy(error)];
  if (name === 'APIError' || (isObject(error) && typeof error['status'] === 'number')) return fromApi(error);
  if (said.startsWith('Could not resolve authentication')) return [modelFailures.missingKey, ''];
  if (error instanceof SyntaxError) return [noJson, said];
  return [context.isStreaming ? modelFailures.brokenOff : modelFailures.failed, saidBy(error)];
}

const noJson: ModelFailure = {
  code: 'model_failed',
  happened: 'The server of {model} sent an event that is no JSON',
  advice: 'If there is a proxy at {address}, check it; then try again.',
  retryable: true,
};

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

function fromApi(error: unknown): readonly [ModelFailure, string] {
  const { status: given, type, apiMessage, errorCode } = isObject(error) ? error : {};
  const status = typeof given === 'number' ? given : (statusOfType.get(type) ?? 500);
  const said = typeof apiMessage === 'string' ? apiMessage : messageOf(error);
  const isSpent = status === 429 && /spend|credit/i.test(String(errorCode));
  return [isSpent ? modelFailures.noQuota : failureOf({ status, said }, exceptions), said.replace(/^\d{3} /, '')];
}

/** Where money is used up, waiting does not help. */
const exceptions: readonly FailureException[] = [
  { status: 400, says: /credit balance/i, means: modelFailures.noQuota },
  { status: 429, says: /spend|credit/i, means: modelFailures.noQuota },
];
