import { failureOf, modelFailures, saidBy } from '../failure.ts';
import type { FailureException, ModelFailure } from '../failure.ts';
import { isFetchFailure } from './fetch-failure.ts';
import { isReportedFailure } from './response-error.ts';

/** The phase of a turn in which an error was thrown. */
export type Phase = 'connecting' | 'asking' | 'answering';

/** Kind of a failure, with the text and cause to report. */
export interface ClassifiedError {
  readonly failure: ModelFailure;
  /** Text from the vendor, or from whatever failed. Default: no quotation. */
  readonly said?: string;
  /** Default: the thrown value. */
  readonly cause?: unknown;
  /** Delay requested by the server, in milliseconds. Default: from the `retry-after` header, if the error has one. */
  readonly retryAfterMs?: number | undefined;
}

/** Classifies a thrown value that is not a `UtensilError` yet. */
export type ErrorClassifier<Answer = ClassifiedError> = (thrown: unknown, phase: Phase) => Answer;

/**
 * Creates a classifier for models over `fetch`: error responses, as reported by `responseError` and `reportedError`,
 * and failed connections. `exceptions` are responses with another meaning at this vendor.
 *
 * @example
 * ```ts
 * import { fetchErrorClassifier, modelFailures } from '@utensil/core/provider';
 *
 * const classifyError = fetchErrorClassifier([
 *   { status: 402, means: modelFailures.noQuota },
 *   { says: /too big/i, means: modelFailures.tooLong },
 * ]);
 * ```
 */
export function fetchErrorClassifier(exceptions?: readonly FailureException[]): ErrorClassifier {
  return function classifyError(thrown, phase) {
    const classified = classifyReport(thrown, exceptions);
    if (classified !== undefined) return classified;
    const failure = phase === 'asking' && isFetchFailure(thrown) ? 'unreachable' : 'failed';
    return { failure: modelFailures[phase === 'answering' ? 'brokenOff' : failure], said: saidBy(thrown) };
  };
}

/** Classifies an error response; undefined for any other thrown value. */
export function classifyReport(thrown: unknown, exceptions?: readonly FailureException[]): ClassifiedError | undefined {
  if (!isReportedFailure(thrown)) return undefined;
  const { status, said, wait } = thrown.report;
  const isSilent = said.trim() === '' && status !== undefined;
  return {
    failure: failureOf({ status, said }, exceptions),
    said: isSilent ? `status ${status}` : said,
    cause: thrown.report,
    retryAfterMs: wait,
  };
}
