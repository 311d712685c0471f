import { type ErrorCode, UtensilError, messageOf } from '../base/errors.ts';
import { causeWithoutKeys, withoutKeys } from './scrub.ts';

/**
 * What an error of a model means: what happened, and what to do. In both texts `{model}` stands for its id, and any
 * other name in braces for a word of the vendor's: `{key}` for the place of its key, `{address}` for that of its address.
 */
export interface ModelFailure {
  readonly code: ErrorCode;
  readonly happened: string;
  readonly advice: string;
  readonly retryable?: boolean;
}

/** A server's answer in place of a turn: its status, if it has one, and its words. */
export interface ReportedFailure {
  readonly status: number | undefined;
  readonly said: string;
}

/** An answer that means something else at one vendor than at others. */
export interface FailureException {
  /** Default: every status. */
  readonly status?: number;
  /** Default: whatever it says. */
  readonly says?: RegExp;
  readonly means: ModelFailure;
}

/** The failures that vendors have in common. */
export const modelFailures = {
  missingKey: {
    code: 'missing_api_key',
    happened: 'There is no API key for {model}',
    advice: 'Set {key}.',
  },
  unauthorized: {
    code: 'model_unauthorized',
    happened: 'The API key for {model} was refused',
    advice: 'Check {key}, and what the key may be used for.',
  },
  forbidden: {
    code: 'model_unauthorized',
    happened: 'This API key may not use {model}',
    advice: 'Check the rights of the key, and those of its account.',
  },
  notFound: {
    code: 'model_not_found',
    happened: 'There is no model {model} for this key',
    advice: 'Check the model id, and {address}.',
  },
  invalid: {
    code: 'model_request_invalid',
    happened: '{model} refused the request',
    advice: 'Change what it names; the same request will be refused again.',
  },
  tooLong: {
    code: 'prompt_too_long',
    happened: 'The conversation is too long for {model}',
    advice: 'Shorten it, or use a model with a larger context window.',
  },
  rateLimited: {
    code: 'model_rate_limited',
    happened: '{model} has had too many requests',
    advice: 'Wait a little and try again.',
    retryable: true,
  },
  noQuota: {
    code: 'model_rate_limited',
    happened: 'The quota of this API key is used up',
    advice: 'Waiting does not help: check the plan and the billing of the account.',
  },
  overloaded: {
    code: 'model_overloaded',
    happened: '{model} is overloaded',
    advice: 'Try again in a while.',
    retryable: true,
  },
  serverFailed: {
    code: 'model_failed',
    happened: 'The server of {model} failed',
    advice: 'Try again.',
    retryable: true,
  },
  failed: {
    code: 'model_failed',
    happened: '{model} failed',
    advice: 'Try again; if it stays, change the request.',
  },
  unreachable: {
    code: 'model_unreachable',
    happened: 'The server of {model} could not be reached',
    advice: 'Check the network and {address}, then try again.',
    retryable: true,
  },
  brokenOff: {
    code: 'stream_truncated',
    happened: 'The answer of {model} broke off',
    advice: 'What had come is kept; try again.',
    retryable: true,
  },
  noAnswer: {
    code: 'stream_truncated',
    happened: 'The server sent no answer of {model}',
    advice: 'Check {address}, and what stands between here and the server; then try again.',
    retryable: true,
  },
} as const satisfies Readonly<Record<string, ModelFailure>>;

/** The failure of a model that takes no tools. */
export const noTools: ModelFailure = {
  code: 'tools_unsupported',
  happened: '{model} takes no tools',
  advice: 'Take a model that does, or let it call them in text: wrap it in withTextFallback of @utensil/text-dialects.',
};

/** The failure that an answer reports: the first exception that fits, else the usual meaning of its status. */
export function failureOf(answer: ReportedFailure, exceptions: readonly FailureException[] = []): ModelFailure {
  const { status, said } = answer;
  const exception = exceptions.find((each) => fits(each, answer));
  if (exception !== undefined) return exception.means;
  if (status === undefined) return modelFailures.failed;
  if (status === 400 && saysTooLong.test(said)) return modelFailures.tooLong;
  return ofStatus(status) ?? (status >= 500 ? modelFailures.serverFailed : modelFailures.invalid);
}

function fits({ status, says }: FailureException, answer: ReportedFailure): boolean {
  return (status === undefined || status === answer.status) && (says === undefined || says.test(answer.said));
}

const saysTooLong =
  /context (?:window|limit|length)|maximum context|prompt (?:is )?too long|too many (?:input )?tokens/i;

function ofStatus(status: number): ModelFailure | undefined {
  switch (status) {
    case 401:
      return modelFailures.unauthorized;
    case 402:
      return modelFailures.noQuota;
    case 403:
      return modelFailures.forbidden;
    case 404:
      return modelFailures.notFound;
    case 409:
      return modelFailures.serverFailed;
    case 413:
      return modelFailures.tooLong;
    case 429:
      return modelFailures.rateLimited;
    case 408:
    case 503:
    case 529:
      return modelFailures.overloaded;
    default:
      return undefined;
  }
}

/** The subject of a failure. */
export interface FailureSubject {
  readonly modelId: string;
  /** In the vendor's words, or those of whatever failed. Default: nothing is quoted. */
  readonly said?: string;
  readonly cause?: unknown;
  /** The delay that the server asked for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** Is in no message and in no cause. */
  readonly apiKey?: unknown;
  /** Further words for the braces. */
  readonly words?: Readonly<Record<string, string>>;
}

/** The error that tells of a failure: what happened, the vendor's own words, and what to do. */
export function modelError(failure: ModelFailure, subject: FailureSubject): UtensilError {
  const { modelId, said = '', cause, retryAfterMs, apiKey, words = {} } = subject;
  const named: Readonly<Record<string, string>> = { ...words, model: modelId };
  const fill = (text: string): string =>
    withoutKeys(
      text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => named[name] ?? whole),
      apiKey,
    );
  const quoted = said.trim() === '' ? '.' : `: ${asSentence(withoutKeys(said, apiKey))}`;
  const { code, happened, advice, retryable = false } = failure;
  const message = `${fill(happened)}${quoted} ${fill(advice)}`;
  const asked = retryable && retryAfterMs !== undefined && { retryAfterMs };
  return new UtensilError(code, message, { cause: causeWithoutKeys(cause, apiKey), retryable, ...asked });
}

/** The message of a thrown value and of its innermost cause, which alone explains a failed connection. */
export function saidBy(thrown: unknown): string {
  let last = thrown;
  for (let depth = 0; depth < 16 && last instanceof Error && last.cause !== undefined; depth++) last = last.cause;
  const [outer, inner] = [messageOf(thrown), messageOf(last)];
  return inner === outer ? outer : `${outer} (${inner})`;
}

/** Some servers answer with a whole page. */
function asSentence(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length > 600) return `${line.slice(0, 600)} …`;
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}
