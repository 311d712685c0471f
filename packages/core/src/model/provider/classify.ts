import { failureOf, modelFailures, saidBy } from '../failure.ts';
import type { FailureException, ModelFailure } from '../failure.ts';
import { isReportedFailure } from './response-error.ts';

/** The phase of a turn in which an error was thrown. */
export type Phase = 'connecting' | 'asking' | 'answering';

/** A kind of failure, with the words and the cause to report. */
export interface ClassifiedError {
  readonly failure: ModelFailure;
  /** In the vendor's words, or those of whatever failed. Default: nothing is quoted. */
  readonly said?: string;
  /** Default: what was thrown. */
  readonly cause?: unknown;
  /** The delay that the server asks for, in milliseconds. Default: as its `retry-after` header says, if the error has it. */
  readonly retryAfterMs?: number | undefined;
}

/** Classifies a thrown value that is not a `UtensilError` yet. */
export type ErrorClassifier<Answer = ClassifiedError> = (thrown: unknown, phase: Phase) => Answer;

/**
 * A classifier for models over `fetch`: answers with a status, as `responseError` and `reportedError` bring them, and
 * connections that fail. `exceptions` are answers that mean something else at this vendor.
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
    const failure = phase === 'asking' && isOfFetch(thrown) ? 'unreachable' : 'failed';
    return { failure: modelFailures[phase === 'answering' ? 'brokenOff' : failure], said: saidBy(thrown) };
  };
}

/** Classifies a failed answer; undefined for anything else that was thrown. */
export function classifyReport(thrown: unknown, exceptions?: readonly FailureException[]): ClassifiedError | undefined {
  if (!isReportedFailure(thrown)) return undefined;
  const { status, said } = thrown.report;
  const isSilent = said.trim() === '' && status !== undefined;
  return {
    failure: failureOf({ status, said }, exceptions),
    said: isSilent ? `status ${status}` : said,
    cause: thrown.report,
    retryAfterMs: thrown.report.wait,
  };
}

/** `fetch` fails with a `TypeError`, and a signal of a time limit with a `TimeoutError`. */
function isOfFetch(thrown: unknown): boolean {
  return thrown instanceof Error && /^(?:Type|Timeout)Error$/.test(thrown.name);
}
