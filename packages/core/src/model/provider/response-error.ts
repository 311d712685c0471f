import { isObject } from '../../base/json.ts';
import type { ReportedFailure } from '../failure.ts';
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

/** The error in a response body; undefined if there is none, or if the body is not JSON. */
export function errorIn(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return (isObject(value) ? value['error'] : undefined) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The delay in a `retry-after` header, in milliseconds; undefined if there is none, or it cannot be parsed. */
export function retryAfter(headers: { get(name: string): string | null }): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') ?? Number.NaN);
  if (!Number.isNaN(milliseconds)) return milliseconds;
  const asked = headers.get('retry-after');
  if (asked === null) return undefined;
  const seconds = Number(asked);
  const wait = Number.isNaN(seconds) ? Date.parse(asked) - Date.now() : seconds * 1_000;
  return Number.isNaN(wait) ? undefined : wait;
}
