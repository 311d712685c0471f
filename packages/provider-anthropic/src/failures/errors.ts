import { type UtensilError, isObject, messageOf } from '@utensil/core';
import {
  type FailureException,
  type ModelFailure,
  failureOf,
  modelError,
  modelFailures,
  saidBy,
} from '@utensil/core/provider';
import { type ErrorContext, words } from '../error-context.ts';

/** What is neither an error of ours yet nor an abort: what happened, in the vendor's words too, and what to do. */
export function toModelError(thrown: unknown, context: ErrorContext): UtensilError {
  const { modelId, apiKey } = context;
  const [failure, said] = explain(thrown, context);
  return modelError(failure, { modelId, said, cause: thrown, apiKey, words });
}

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
