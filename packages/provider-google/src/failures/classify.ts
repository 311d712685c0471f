import { isObject } from '@utensil/core';
import {
  type FailureException,
  type ModelFailure,
  type Phase,
  type ClassifiedError,
  failureOf,
  isFetchFailure,
  isReported,
  modelFailures,
  noTools,
  saidBy,
} from '@utensil/core/provider';

/** The vendor's description of an error, in a response or inside a stream. */
export interface VendorError {
  /** As HTTP has it. */
  readonly status: number | undefined;
  readonly said: string;
  /** Further details, as JSON. */
  readonly details: string;
}

/** Classifies the SDK's errors, and errors that the vendor reports inside a stream. */
export function classifyError(thrown: unknown, phase: Phase): ClassifiedError {
  const vendor = vendorError(thrown);
  if (vendor !== undefined)
    return { failure: classifyVendor(vendor), said: vendor.said, cause: vendor, retryAfterMs: askedWait(vendor) };
  return { failure: judgeOther(thrown, phase), said: wordsOf(thrown) };
}

/** Google says it in the body, as `retryDelay`. */
function askedWait({ details }: VendorError): number | undefined {
  const seconds = /"retryDelay":"([\d.]+)s"/.exec(details)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

/**
 * The SDK's errors of one API hold the vendor's body as the text of their message, those of the other as a member.
 * Copies of the SDK have other classes, so errors are known by their members.
 */
function vendorError(thrown: unknown): VendorError | undefined {
  if (isReported(thrown)) return fromBody(thrown.report);
  if (!(thrown instanceof Error)) return undefined;
  const { status, error, message }: Thrown = thrown;
  if (typeof status !== 'number') return undefined;
  const report = reportIn(isObject(error) ? error : jsonIn(message));
  return fromBody(report ?? { message }, status);
}

interface Thrown extends Error {
  readonly status?: unknown;
  readonly error?: unknown;
}

/** The error in a body; undefined if it has none. */
function reportIn(body: unknown): Readonly<Record<string, unknown>> | undefined {
  const error = isObject(body) ? body['error'] : undefined;
  return isObject(error) ? error : undefined;
}

function fromBody(report: unknown, status?: number): VendorError {
  const { message, details } = isObject(report) ? report : { message: report };
  return {
    status: status ?? statusOf(report),
    said: typeof message === 'string' ? message : '',
    details: JSON.stringify(details ?? []),
  };
}

/** The JSON in a text, from its first brace on. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{')));
  } catch {
    return undefined;
  }
}

/** The status that a report has by its number, or by its name, which is in small letters in one of the APIs. */
export function statusOf(report: unknown): number | undefined {
  const { code, status = code } = isObject(report) ? report : {};
  return typeof code === 'number' && code > 399 && code < 600 ? code : named[String(status).toUpperCase()];
}

const named: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 400,
  INVALID_REQUEST: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  TOO_MANY_REQUESTS: 429,
  INTERNAL: 500,
  INTERNAL_ERROR: 500,
  UNKNOWN: 500,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

function classifyVendor({ status, said, details }: VendorError): ModelFailure {
  return failureOf({ status, said: said + details }, exceptions);
}

/** Errors that mean something else than their status usually does. */
const exceptions: readonly FailureException[] = [
  { status: 200, means: modelFailures.noAnswer }, // a page that does not come from an API
  { says: /API_KEY_INVALID|API key (?:not valid|expired)/i, means: modelFailures.unauthorized },
  // Its text mentions billing even if only a minute's quota is used up.
  { status: 429, says: /PerDay|depleted/i, means: modelFailures.noQuota },
  { status: 400, says: /token count.*exceeds|payload size exceeds/i, means: modelFailures.tooLong },
  {
    status: 400,
    says: /function calling is not enabled/i,
    means: noTools,
  },
  {
    status: 400,
    says: /tool use with function calling|function calling.*combined/i,
    means: {
      code: 'model_request_invalid',
      happened: "{model} takes either Google's own tools or functions",
      advice: 'Use a model from Gemini 3 on, or only one kind of tools.',
    },
  },
];

const noClient: ModelFailure = {
  code: 'model_failed',
  happened: 'There is no client for {model}',
  advice: 'Is the package there? npm install @google/genai.',
};

/** The SDK reads a body only once its headers are there. */
function judgeOther(thrown: unknown, phase: Phase): ModelFailure {
  if (phase === 'connecting') return noClient;
  if (phase === 'answering') return modelFailures.brokenOff;
  if (isOfParser(thrown)) return modelFailures.noAnswer; // text that is not JSON in place of a stream
  const name = thrown instanceof Error ? thrown.name : '';
  const isUnreachable = isFetchFailure(thrown) || /Abort|Connection|Timeout/.test(name);
  return isUnreachable ? modelFailures.unreachable : modelFailures.failed;
}

/** A parser quotes what it could not read, and that says nothing to anybody. */
function wordsOf(thrown: unknown): string {
  return isOfParser(thrown) ? '' : saidBy(thrown);
}

function isOfParser(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'SyntaxError';
}
