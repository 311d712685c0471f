import { isObject, messageOf } from '@utensil/core';
import {
  type FailureException,
  type ModelFailure,
  type Phase,
  type ClassifiedError,
  failureOf,
  isReported,
  modelFailures,
  saidBy,
} from '@utensil/core/provider';

/** Judges what the SDK throws. By name and shape, not by class: it is loaded late, and may be another copy. */
export function classifyError(thrown: unknown, phase: Phase): ClassifiedError {
  if (isReported(thrown)) return classifyReported(thrown.report);
  const name = thrown instanceof Error ? thrown.name : '';
  const said = messageOf(thrown);
  if (name.startsWith('APIConnection')) return { failure: modelFailures.unreachable, said: saidBy(thrown) };
  if (name === 'APIError' || (isObject(thrown) && typeof thrown['status'] === 'number')) return classifyApi(thrown);
  if (said.startsWith('Could not resolve authentication')) return { failure: modelFailures.missingKey };
  if (thrown instanceof SyntaxError) return { failure: noJson, said };
  return { failure: modelFailures[phase === 'answering' ? 'brokenOff' : 'failed'], said: saidBy(thrown) };
}

const noJson: ModelFailure = {
  code: 'model_failed',
  happened: 'The server of {model} sent an event that is not JSON',
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

function classifyReported(report: unknown): ClassifiedError {
  const { type, message = '' } = isObject(report) ? report : { message: report };
  return classifyApi({ type, apiMessage: String(message) });
}

function classifyApi(error: unknown): ClassifiedError {
  const { status: given, type, apiMessage, errorCode } = isObject(error) ? error : {};
  const status = typeof given === 'number' ? given : (statusOfType.get(type) ?? 500);
  const said = typeof apiMessage === 'string' ? apiMessage : messageOf(error);
  const isSpent = status === 429 && /spend|credit/i.test(String(errorCode));
  const failure = isSpent ? modelFailures.noQuota : failureOf({ status, said }, exceptions);
  return { failure, said: said.replace(/^\d{3} /, '') };
}

/** Waiting does not help if the credit is exhausted. */
const exceptions: readonly FailureException[] = [
  { status: 400, says: /credit balance/i, means: modelFailures.noQuota },
  { status: 429, says: /spend|credit/i, means: modelFailures.noQuota },
];
