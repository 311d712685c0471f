import { type UtensilError, isObject, messageOf } from '@utensil/core';
import { type ModelFailure, modelError, modelFailures, saidBy } from '@utensil/core/provider';
import type { Attempt } from '../attempt.ts';
import { type VendorError, judge, judgeSetup } from './verdicts.ts';

/** An error of ours from what is neither one yet nor an abort. */
export function toModelError(thrown: unknown, attempt: Attempt): UtensilError {
  if (isReport(thrown)) return fromReport(thrown.report, attempt);
  const [failure, said] = explain(thrown, attempt);
  return modelError(failure, { ...attempt, said, cause: thrown });
}

function fromReport(report: VendorError, attempt: Attempt): UtensilError {
  const said = typeof report.message === 'string' ? report.message : '';
  return modelError(judge(report, said), { ...attempt, said, cause: report });
}

/** What the vendor has said inside a stream. */
function isReport(thrown: unknown): thrown is Error & { readonly report: VendorError } {
  return thrown instanceof Error && 'report' in thrown;
}

function explain(thrown: unknown, { isAnswering }: Attempt): readonly [ModelFailure, string] {
  const said = messageOf(thrown);
  if (isApiError(thrown)) {
    const { error, status } = thrown;
    if (status === undefined && error === undefined) return [modelFailures.unreachable, saidBy(thrown)];
    const text = isObject(error) ? wordsOf(error, said) : said;
    return [judge(thrown, text), text];
  }
  const setup = judgeSetup(said);
  if (setup !== undefined) return [setup, ''];
  return [isAnswering ? modelFailures.brokenOff : modelFailures.failed, saidBy(thrown)];
}

/** A gateway has the words of the server behind it in a place of their own. */
function wordsOf(
  { message, metadata }: { readonly message?: unknown; readonly metadata?: unknown },
  said: string,
): string {
  const words = typeof message === 'string' ? message : said;
  const raw = isObject(metadata) ? metadata['raw'] : undefined;
  return typeof raw === 'string' && raw !== '' ? `${words}: ${raw}` : words;
}

/** The SDK's own errors. Copies of the SDK have other classes, so they are known by their members. */
function isApiError(thrown: unknown): thrown is Error & VendorError & { readonly error: unknown } {
  return thrown instanceof Error && 'status' in thrown && 'requestID' in thrown && 'error' in thrown;
}
