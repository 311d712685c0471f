import { failureOf, modelFailures, saidBy } from '../failure.ts';
import type { FailureException, ModelFailure } from '../failure.ts';
import { isFailedAnswer } from './refused.ts';
import { waitBefore } from './wait.ts';

/** How far a turn had come when something was thrown. */
export type Phase = 'connecting' | 'asking' | 'answering';

/** What something thrown means. */
export interface Verdict {
  readonly failure: ModelFailure;
  /** In the vendor's words, or those of whatever failed. Default: nothing is quoted. */
  readonly said?: string;
  /** Default: what was thrown. */
  readonly cause?: unknown;
}

/** Judges what a model threw that is no error of ours yet. */
export type Judge<Answer = Verdict> = (thrown: unknown, phase: Phase) => Answer;

/**
 * Judges what a model over `fetch` throws: answers with a status, as `refusedError` and `reportedError` bring them, and
 * connections that fail. `exceptions` are answers that mean something else at this vendor.
 *
 * @example
 * ```ts
 * import { judgeFetch, modelFailures } from '@utensil/core/provider';
 *
 * const judge = judgeFetch([{ status: 402, means: modelFailures.noQuota }, { says: /too big/i, means: modelFailures.tooLong }]);
 * ```
 */
export function judgeFetch(exceptions?: readonly FailureException[]): Judge {
  return function judge(thrown, phase) {
    const verdict = judgeReport(thrown, exceptions);
    if (verdict !== undefined) return verdict;
    const failure = phase === 'asking' && isOfFetch(thrown) ? 'unreachable' : 'failed';
    return { failure: modelFailures[phase === 'answering' ? 'brokenOff' : failure], said: saidBy(thrown) };
  };
}

/** Waits before a server is asked again, if the judge calls what was thrown retryable: the `wait` of {@link asking}. */
export function waitAsJudged(judge: Judge): (thrown: unknown, retry: number) => number | undefined {
  return function wait(thrown, retry) {
    if (judge(thrown, 'asking').failure.retryable !== true) return undefined;
    return waitBefore(retry, isFailedAnswer(thrown) ? thrown.report.wait : undefined);
  };
}

/** Judges an answer that failed; undefined for anything else that was thrown. */
export function judgeReport(thrown: unknown, exceptions?: readonly FailureException[]): Verdict | undefined {
  if (!isFailedAnswer(thrown)) return undefined;
  const { status, said } = thrown.report;
  const isSilent = said.trim() === '' && status !== undefined;
  return {
    failure: failureOf({ status, said }, exceptions),
    said: isSilent ? `status ${status}` : said,
    cause: thrown.report,
  };
}

/** `fetch` fails with a `TypeError`, and a signal of a time limit with a `TimeoutError`. */
function isOfFetch(thrown: unknown): boolean {
  return thrown instanceof Error && /^(?:Type|Timeout)Error$/.test(thrown.name);
}
