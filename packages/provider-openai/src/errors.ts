import { UtensilError, isObject, isUtensilError, messageOf } from '@utensil/core';
import { type VendorError, type Verdict, brokenOff, failed, judge, judgeSetup, unreachable } from './verdicts.ts';

/** What a model was doing when something was thrown. */
export interface Attempt {
  readonly modelId: string;
  readonly signal: AbortSignal;
  /** The answer had begun. */
  readonly isAnswering: boolean;
  /** Is in no message. */
  readonly apiKey?: string | null | undefined;
}

/** An error of ours from anything that the SDK throws. */
export function toModelError(thrown: unknown, attempt: Attempt): UtensilError {
  const { modelId, signal } = attempt;
  if (signal.aborted) return new UtensilError('aborted', `The request to ${modelId} was aborted.`, { cause: thrown });
  if (isUtensilError(thrown)) return thrown;
  const [verdict, said] = explain(thrown, attempt);
  return compose(verdict, {
    modelId,
    said: attempt.apiKey ? said.replaceAll(attempt.apiKey, '[key]') : said,
    cause: thrown,
  });
}

/** An error of ours from what the vendor reports inside a stream. */
export function reportedError(report: VendorError, modelId: string): UtensilError {
  const said = typeof report.message === 'string' ? report.message : '';
  return compose(judge(report, said), { modelId, said, cause: report });
}

/** The stream ended, but the answer had not. */
export function truncatedError(modelId: string): UtensilError {
  return compose(brokenOff, { modelId, said: '', cause: undefined });
}

function explain(thrown: unknown, { isAnswering }: Attempt): readonly [Verdict, string] {
  const said = messageOf(thrown);
  if (isApiError(thrown)) {
    const { error, status } = thrown;
    if (status === undefined && error === undefined) return [unreachable, withCause(thrown)];
    const text = isObject(error) && typeof error['message'] === 'string' ? error['message'] : said;
    return [judge(thrown, text), text];
  }
  const setup = judgeSetup(said);
  return setup ? [setup, ''] : [isAnswering ? brokenOff : failed, withCause(thrown)];
}

/** The SDK's own errors. Copies of the SDK have other classes, so they are known by their members. */
function isApiError(thrown: unknown): thrown is Error & VendorError & { readonly error: unknown } {
  return thrown instanceof Error && 'status' in thrown && 'requestID' in thrown && 'error' in thrown;
}

/** `fetch` says that it failed, and only the innermost cause says why. */
function withCause(thrown: unknown): string {
  const reasons: string[] = [];
  for (let error = thrown; error instanceof Error; error = error.cause) reasons.push(messageOf(error));
  const last = reasons.at(-1);
  return reasons.length > 1 && last !== reasons[0] ? `${reasons[0]} (${last})` : messageOf(thrown);
}

function compose(
  verdict: Verdict,
  about: { readonly modelId: string; readonly said: string; readonly cause: unknown },
) {
  const { code, happened, advice, retryable = false } = verdict;
  const said = about.said === '' ? '.' : `: ${withoutKeys(about.said).replace(/\.?\s*$/, '.')}`;
  const message = `${happened}${said} ${advice}`.replaceAll('{model}', about.modelId);
  return new UtensilError(code, message, { cause: about.cause, retryable });
}

/** Vendors quote the key that they refuse, whole or in parts; and some answer with a whole page. */
function withoutKeys(text: string): string {
  const short = text.length > 600 ? `${text.slice(0, 600)} …` : text;
  return short.replace(/\b(?:sk|sess|rk|pk)-[\w*.-]{3,}/g, '[key]').replace(/\bBearer\s+\S+/gi, 'Bearer [key]');
}
