import {
  type ModelFailure,
  type UtensilError,
  abortedError,
  isObject,
  isUtensilError,
  messageOf,
  modelError,
  modelFailures,
  saidBy,
} from '@utensil/core';
import { type VendorError, judge, judgeSetup } from './verdicts.ts';

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
  if (signal.aborted) return abortedError(modelId, signal);
  if (isUtensilError(thrown)) return thrown;
  const [failure, said] = explain(thrown, attempt);
  return modelError(failure, { modelId, said, cause: thrown, apiKey, words: wordsWith(keyPlace) });
}

/** An error of ours from what the vendor reports inside a stream. */
export function reportedError(report: VendorError, modelId: string): UtensilError {
  const said = typeof report.message === 'string' ? report.message : '';
  return modelError(judge(report, said), { modelId, said, cause: report, words: wordsWith() });
}

/** The stream ended, but the answer had not. */
export function truncatedError(modelId: string, hasBegun: boolean): UtensilError {
  return modelError(hasBegun ? modelFailures.brokenOff : modelFailures.noAnswer, { modelId, words: wordsWith() });
}

/** There is no key, where the SDK is not asked for one. */
export function missingKeyError(modelId: string, keyPlace: string): UtensilError {
  return modelError(modelFailures.missingKey, { modelId, words: wordsWith(keyPlace) });
}

function wordsWith(key = 'OPENAI_API_KEY or the option `apiKey`'): Readonly<Record<string, string>> {
  return { key, address: 'the option `baseURL`' };
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
