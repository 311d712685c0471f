import { isObject } from '../../base/json.ts';
import type { ReportedFailure } from '../failure.ts';
import { retryAfter } from './retry-after.ts';
import { errorIn } from './error-in.ts';
import { type ReportedError, isReported, reportedError } from './report.ts';

/** A failure reported by an error response. */
export interface ErrorResponse extends ReportedFailure {
  /** The delay that the server asks for, in milliseconds. */
  readonly wait: number | undefined;
}

/** True for a failure that the server reported with a status and text. */
export function isReportedFailure(thrown: unknown): thrown is ReportedError<ReportedFailure & Partial<ErrorResponse>> {
  return isReported(thrown) && isObject(thrown.report) && typeof thrown.report['said'] === 'string';
}

/** An error to throw for an error response. */
export async function responseError(response: {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}): Promise<ReportedError<ErrorResponse>> {
  const { status, headers } = response;
  return reportedError({ status, said: saidIn(await response.text()), wait: retryAfter(headers) });
}

/**
 * Error text of a body: from `{"error": "…"}` or `{"error": {"message": "…"}}`, else the whole body, because a proxy
 * may send anything.
 */
function saidIn(body: string): string {
  const error = errorIn(body);
  if (typeof error === 'string') return error;
  return isObject(error) && 'message' in error ? String(error['message']) : body;
}
