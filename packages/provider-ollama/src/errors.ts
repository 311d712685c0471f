import { causeWithoutKeys, messageOf, UtensilError, withoutKeys } from '@utensil/core';
import { type Verdict, brokenOff, failed, judge, noAnswer, unreachable } from './verdicts.ts';

/** What an error is about. */
export interface Subject {
  readonly modelId: string;
  readonly baseURL: string;
  /** Is in no message. */
  readonly apiKey?: string | undefined;
}

/** The request was not made, or its answer does not matter any more. */
export function abortedError({ modelId }: Subject, { reason }: AbortSignal): UtensilError {
  return new UtensilError('aborted', `The request to ${modelId} was aborted.`, { cause: reason });
}

/** No answer came at all. */
export function unreachableError(subject: Subject, cause: unknown): UtensilError {
  return compose(unreachable, { ...subject, said: withCause(cause), cause });
}

/** The server refused the request, or failed over it. */
export function refusedError(subject: Subject, status: number, body: string): UtensilError {
  const said = saidIn(body);
  return compose(judge(status, said), { ...subject, said: said === '' ? `status ${status}` : said, cause: undefined });
}

/** The server reports inside of an answer that it failed. */
export function reportedError(subject: Subject, said: string): UtensilError {
  return compose(judge(500, said), { ...subject, said, cause: undefined });
}

/** The answer did not end, or did not even begin. */
export function truncatedError(subject: Subject, hasBegun: boolean, cause?: unknown): UtensilError {
  const said = cause === undefined ? '' : withCause(cause);
  return compose(hasBegun ? brokenOff : noAnswer, { ...subject, said, cause });
}

/** Something else than the server failed. */
export function failedError(subject: Subject, cause: unknown): UtensilError {
  return compose(failed, { ...subject, said: withCause(cause), cause });
}

/** The body of an error is `{"error": "…"}`; a proxy may send anything. */
function saidIn(body: string): string {
  try {
    const { error } = JSON.parse(body) as { readonly error?: unknown };
    if (typeof error === 'string') return error;
    if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  } catch {
    // It is no JSON.
  }
  return body;
}

/** `fetch` says that it failed, and only the innermost cause says why. */
function withCause(thrown: unknown): string {
  let last = thrown;
  while (last instanceof Error && last.cause !== undefined) last = last.cause;
  return last === thrown ? messageOf(thrown) : `${messageOf(thrown)} (${messageOf(last)})`;
}

interface Report extends Subject {
  /** In the words of the server, or of whatever failed. */
  readonly said: string;
  readonly cause: unknown;
}

function compose(verdict: Verdict, { modelId, baseURL, apiKey, said, cause }: Report): UtensilError {
  const fill = (text: string): string => text.replaceAll('{model}', modelId).replaceAll('{server}', baseURL);
  const quoted = said === '' ? '.' : `: ${asSentence(withoutKeys(said, apiKey))}`;
  const message = `${withoutKeys(fill(verdict.happened), apiKey)}${quoted} ${fill(verdict.advice)}`;
  const { code, retryable = false } = verdict;
  return new UtensilError(code, message, { cause: causeWithoutKeys(cause, apiKey), retryable });
}

/** Some servers answer with a whole page. */
function asSentence(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length > 600) return `${line.slice(0, 600)} …`;
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}
