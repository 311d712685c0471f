import { isObject } from '../../base/json.ts';
import type { FailedAnswer } from '../failure.ts';
import { askedWait } from './asked-wait.ts';
import { errorIn } from './error-in.ts';
import { type ReportedError, isReported, reportedError } from './report.ts';

/** A refusal, read from its response. */
export interface Refusal extends FailedAnswer {
  /** For how long the server asks to wait, in milliseconds. */
  readonly wait: number | undefined;
}

/** Whether something thrown is an answer that failed, with its status and its words. */
export function isFailedAnswer(thrown: unknown): thrown is ReportedError<FailedAnswer & Partial<Refusal>> {
  return isReported(thrown) && isObject(thrown.report) && typeof thrown.report['said'] === 'string';
}

/** The error of a response that refuses a request, to be thrown. */
export async function refusedError(response: {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}): Promise<ReportedError<Refusal>> {
  const { status, headers } = response;
  return reportedError({ status, said: saidIn(await response.text()), wait: askedWait(headers) });
}

/** The words of a body: `{"error": "…"}` and `{"error": {"message": "…"}}`, else all of it, for a proxy may send anything. */
function saidIn(body: string): string {
  const error = errorIn(body);
  if (typeof error === 'string') return error;
  return isObject(error) && 'message' in error ? String(error['message']) : body;
}
