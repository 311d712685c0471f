import { UtensilError, causeWithoutKeys, isObject, isUtensilError, messageOf, withoutKeys } from '@utensil/core';
import { type VendorError, type Verdict, brokenOff, failed, judge, noAnswer, unreachable } from './verdicts.ts';

/** What a model was doing when something was thrown. */
export interface Attempt {
  readonly modelId: string;
  readonly signal: AbortSignal;
  /** The answer had begun. */
  readonly isAnswering: boolean;
  /** Is in no message. */
  readonly apiKey: unknown;
}

/** An error of ours from anything that the SDK throws. */
export function toModelError(thrown: unknown, attempt: Attempt): UtensilError {
  const { modelId, signal, apiKey } = attempt;
  if (signal.aborted)
    return new UtensilError('aborted', `The request to ${modelId} was aborted.`, { cause: signal.reason });
  if (isUtensilError(thrown)) return thrown;
  const vendor = vendorError(thrown);
  if (vendor?.status === 200) return compose(noAnswer, { modelId, said: '', apiKey });
  if (vendor !== undefined) return compose(judge(vendor), { modelId, said: vendor.said, cause: vendor, apiKey });
  return compose(judgeOther(thrown, attempt), { modelId, said: rootOf(thrown), cause: thrown, apiKey });
}

/** What the vendor reports inside a stream, to be thrown. */
export function reportedError(report: unknown): Error {
  return Object.assign(new Error('The answer has an error in it.'), { vendor: fromBody(report, undefined) });
}

/** The stream ended, but the answer had not. */
export function truncatedError(modelId: string, hasBegun: boolean): UtensilError {
  return errorOf(hasBegun ? brokenOff : noAnswer, modelId);
}

/** What a verdict is in an error, with nothing to quote. */
export function errorOf(verdict: Verdict, modelId: string): UtensilError {
  return compose(verdict, { modelId, said: '' });
}

/**
 * The SDK's errors of one API hold the vendor's body as the text of their message, those of the other as a member.
 * Copies of the SDK have other classes, so errors are known by their members.
 */
export function vendorError(thrown: unknown): VendorError | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { vendor, status, error }: Thrown = thrown;
  if (vendor !== undefined) return vendor;
  if (typeof status !== 'number') return undefined;
  const body = isObject(error) ? error : jsonIn(thrown.message);
  return fromBody(isObject(body) && isObject(body['error']) ? body['error'] : { message: thrown.message }, status);
}

interface Thrown extends Error {
  readonly status?: unknown;
  readonly error?: unknown;
  /** Of our own: see {@link reportedError}. */
  readonly vendor?: VendorError;
}

function fromBody(body: unknown, status: number | undefined): VendorError {
  const { code, status: named, message, details } = isObject(body) ? body : {};
  return {
    status: status ?? (typeof code === 'number' ? code : undefined),
    code: String(named ?? code ?? ''),
    said: typeof message === 'string' ? message : '',
    details: JSON.stringify(details ?? []),
  };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{')));
  } catch {
    return undefined;
  }
}

/** The SDK reads a body only once its headers are there, and `fetch` fails with a `TypeError`. */
function judgeOther(thrown: unknown, { isAnswering }: Attempt): Verdict {
  if (isAnswering) return brokenOff;
  const name = thrown instanceof Error ? thrown.name : '';
  return /TypeError|Abort|Connection|Timeout/.test(name) ? unreachable : failed;
}

/** `fetch` says that it failed, and only the innermost cause says why. */
function rootOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? thrown.cause : undefined;
  return cause instanceof Error ? rootOf(cause) : messageOf(thrown);
}

interface Subject {
  readonly modelId: string;
  /** In the vendor's words. */
  readonly said: string;
  readonly cause?: unknown;
  readonly apiKey?: unknown;
}

function compose(verdict: Verdict, { modelId, said, cause, apiKey }: Subject): UtensilError {
  const { code, happened, advice, retryable = false } = verdict;
  const quoted = said === '' ? '.' : `: ${asSentence(withoutKeys(said, apiKey))}`;
  const message = `${happened.replaceAll('{model}', modelId)}${quoted} ${advice}`;
  return new UtensilError(code, message, { cause: causeWithoutKeys(cause, apiKey), retryable });
}

/** Some servers answer with a whole page. */
function asSentence(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length > 600) return `${line.slice(0, 600)} …`;
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}
