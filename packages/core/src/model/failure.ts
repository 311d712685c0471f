import { type ErrorCode, UtensilError, messageOf } from '../base/errors.ts';
import { causeWithoutKeys, withoutKeys } from './scrub.ts';

/**
 * Description of a model's error: what happened, and what to do. In both texts, `{model}` stands for the model's id;
 * other names in braces stand for terms of the vendor: `{key}` for where its API key is set, `{address}` for where its
 * address is.
 */
export interface ModelFailure {
  readonly code: ErrorCode;
  readonly happened: string;
  readonly advice: string;
  readonly retryable?: boolean;
}

/** A server's error response: status, if any, and text. */
export interface ReportedFailure {
  readonly status: number | undefined;
  readonly said: string;
}

/** A response that has another meaning at one vendor. */
export interface FailureException {
  /** Default: any status. */
  readonly status?: number;
  /** Default: any text. */
  readonly says?: RegExp;
  readonly means: ModelFailure;
}

/** Failures common to all vendors. */
export const modelFailures = {
  missingKey: {
    code: 'missing_api_key',
    happened: 'There is no API key for {model}',
    advice: 'Set {key}.',
  },
  unauthorized: {
    code: 'model_unauthorized',
    happened: 'The API key for {model} was refused',
    advice: 'Check {key}, and its permissions.',
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
    happened: 'The answer of {model} ended early',
    advice: 'What had come is kept; try again.',
    retryable: true,
  },
  noAnswer: {
    code: 'stream_truncated',
    happened: 'The server sent no answer of {model}',
    advice: 'Check {address}, and any proxy or firewall between here and the server; then try again.',
    retryable: true,
  },
} as const satisfies Readonly<Record<string, ModelFailure>>;

/** Failure of a model that does not support tools. */
export const noTools: ModelFailure = {
  code: 'tools_unsupported',
  happened: '{model} takes no tools',
  advice: 'Take a model that does, or let it call them in text: wrap it in withTextFallback of @utensil/text-dialects.',
};

/** Classifies an error response: the first matching exception, else the usual meaning of its status. */
export function failureOf(answer: ReportedFailure, exceptions: readonly FailureException[] = []): ModelFailure {
  const { status, said } = answer;
  const exception = exceptions.find((each) => fits(each, answer));
  if (exception !== undefined) return exception.means;
  if (status === undefined) return modelFailures.failed;
  if (status === 400 && saysTooLong.test(said)) return modelFailures.tooLong;
  return modelFailures[byStatus[status] ?? (status >= 500 ? 'serverFailed' : 'invalid')];
}

function fits({ status, says }: FailureException, answer: ReportedFailure): boolean {
  return (status === undefined || status === answer.status) && (says === undefined || says.test(answer.said));
}

const saysTooLong =
  /context (?:window|limit|length)|maximum context|prompt (?:is )?too long|too many (?:input )?tokens/i;

const byStatus: { readonly [status: number]: keyof typeof modelFailures } = {
  401: 'unauthorized',
  402: 'noQuota',
  403: 'forbidden',
  404: 'notFound',
  408: 'overloaded',
  409: 'serverFailed',
  413: 'tooLong',
  429: 'rateLimited',
  503: 'overloaded',
  529: 'overloaded',
};

/** Subject and details of a failure. */
export interface FailureSubject {
  readonly modelId: string;
  /** Text from the vendor, or from whatever failed. Default: no quotation. */
  readonly said?: string;
  readonly cause?: unknown;
  /** Delay requested by the server, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** Redacted from every message and cause. */
  readonly apiKey?: unknown;
  /** More terms for the braces. */
  readonly words?: Readonly<Record<string, string>>;
}

/** Creates the error for a failure: what happened, the vendor's own text, and what to do. */
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

/** Some servers respond with a whole HTML page. */
function asSentence(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  if (line.length > 600) return `${line.slice(0, 600)} …`;
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}
