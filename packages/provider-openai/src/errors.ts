import { causeWithoutKeys, isObject, isUtensilError, messageOf, UtensilError, withoutKeys } from '@utensil/core';
import {
  type VendorError,
  type Verdict,
  brokenOff,
  failed,
  judge,
  judgeSetup,
  noAnswer,
  unreachable,
} from './verdicts.ts';

/** What a model was doing when something was thrown. */
export interface Attempt {
  readonly modelId: string;
  readonly signal: AbortSignal;
  /** The answer had begun. */
  readonly isAnswering: boolean;
  /** Is in no message. */
  readonly apiKey?: string | null | undefined;
  /** Where the key is. Default: where `openai` looks for it. */
  readonly keyPlace?: string | undefined;
}

/** An error of ours from anything that the SDK throws. */
export function toModelError(thrown: unknown, attempt: Attempt): UtensilError {
  const { modelId, signal, apiKey, keyPlace } = attempt;
  if (signal.aborted)
    return new UtensilError('aborted', `The request to ${modelId} was aborted.`, { cause: signal.reason });
  if (isUtensilError(thrown)) return thrown;
  const [verdict, said] = explain(thrown, attempt);
  return compose(verdict, { modelId, said, cause: thrown, apiKey, keyPlace });
}

/** An error of ours from what the vendor reports inside a stream. */
export function reportedError(report: VendorError, modelId: string): UtensilError {
  const said = typeof report.message === 'string' ? report.message : '';
  return compose(judge(report, said), { modelId, said, cause: report });
}

/** The stream ended, but the answer had not. */
export function truncatedError(modelId: string, hasBegun: boolean): UtensilError {
  return compose(hasBegun ? brokenOff : noAnswer, { modelId, said: '', cause: undefined });
}

function explain(thrown: unknown, { isAnswering }: Attempt): readonly [Verdict, string] {
  const said = messageOf(thrown);
  if (isApiError(thrown)) {
    const { error, status } = thrown;
    if (status === undefined && error === undefined) return [unreachable, withCause(thrown)];
    const text = isObject(error) ? wordsOf(error, said) : said;
    return [judge(thrown, text), text];
  }
  const setup = judgeSetup(said);
  return setup ? [setup, ''] : [isAnswering ? brokenOff : failed, withCause(thrown)];
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

/** `fetch` says that it failed, and only the innermost cause says why. */
function withCause(thrown: unknown): string {
  const reasons: string[] = [];
  for (let error = thrown; error instanceof Error; error = error.cause) reasons.push(messageOf(error));
  const last = reasons.at(-1);
  return reasons.length > 1 && last !== reasons[0] ? `${reasons[0]} (${last})` : messageOf(thrown);
}

interface Subject {
  readonly modelId: string;
  /** In the vendor's words. */
  readonly said: string;
  readonly cause: unknown;
  readonly apiKey?: Attempt['apiKey'];
  readonly keyPlace?: Attempt['keyPlace'];
}

function compose(verdict: Verdict, { modelId, said, cause, apiKey, keyPlace }: Subject): UtensilError {
  const place = keyPlace ?? 'OPENAI_API_KEY or the option `apiKey`';
  const fill = (text: string): string => text.replaceAll('{model}', modelId).replaceAll('{key}', place);
  const { code, happened, advice, retryable = false } = verdict;
  const quoted = said === '' ? '.' : `: ${asSentence(withoutKeys(said, apiKey))}`;
  const message = `${fill(happened)}${quoted} ${fill(advice)}`;
  return new UtensilError(code, message, { cause: causeWithoutKeys(cause, apiKey), retryable });
}

/** Some servers answer with a whole page. */
function asSentence(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length > 600) return `${line.slice(0, 600)} …`;
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}
