import {
  type ClassifiedError,
  type FailureException,
  type ModelFailure,
  failureOf,
  modelFailures,
} from '@utensil/core/provider';

/** The vendor's description of an error, in a response or inside a stream. */
export interface VendorError {
  readonly status?: number | undefined;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly message?: unknown;
}

/** Meaning of a vendor's error. Its code is most precise; its type only adds to the status. */
export function classifyVendor(error: VendorError, said: string): ClassifiedError {
  const { status, code, type } = error;
  const effective = status ?? (typeof code === 'number' ? code : undefined);
  const named = byCode.get(code) ?? (effective === undefined ? byCode.get(type) : undefined);
  return { failure: named ?? failureOf({ status: effective, said }, exceptions), said, cause: error };
}

/** Meaning of an error that `openai` throws before it sends anything; undefined for any other error. */
export function classifySetup(said: string): ModelFailure | undefined {
  if (/missing credentials|authentication method|'apiKey' function/i.test(said)) return modelFailures.missingKey;
  return /browser-like environment/i.test(said) ? inBrowser : undefined;
}

const inBrowser: ModelFailure = {
  code: 'model_request_invalid',
  happened: '{model} was not asked, for the page would show its key to everybody who opens it',
  advice: 'Pass `dangerouslyAllowBrowser: true` if the key belongs to the user, or the `baseURL` of your server.',
};
/** The model slipped, and may do better the next time. */
const unreadableCall: ModelFailure = {
  code: 'model_failed',
  happened: '{model} wrote a call that its server could not read',
  advice: 'Try again; if it happens often, make the schema of the tool simpler, or take another model.',
  retryable: true,
};
const needsResponses: ModelFailure = {
  code: 'model_request_invalid',
  happened: '{model} does not take tools over Chat Completions while it reasons',
  advice: "Use openai('{model}') instead of openaiChat('{model}'), or set reasoning to 'none'.",
};
const cannotEncrypt: ModelFailure = {
  code: 'model_request_invalid',
  happened: '{model} does not reason, so it has no reasoning to return',
  advice: "Pass providerOptions: { include: [] } with the request, or use openaiChat('{model}').",
};

/** Failures that only the text of a refused request shows. */
const exceptions: readonly FailureException[] = [
  { status: 400, says: /function tools with reasoning_effort/i, means: needsResponses },
  { status: 400, says: /encrypted content is not supported/i, means: cannotEncrypt },
];

const byCode: ReadonlyMap<unknown, ModelFailure> = new Map<unknown, ModelFailure>([
  ['context_length_exceeded', modelFailures.tooLong],
  ['insufficient_quota', modelFailures.noQuota],
  ['invalid_api_key', modelFailures.unauthorized],
  ['invalid_prompt', modelFailures.invalid],
  ['model_not_found', modelFailures.notFound],
  ['rate_limit_exceeded', modelFailures.rateLimited],
  ['server_error', modelFailures.serverFailed],
  ['server_is_overloaded', modelFailures.overloaded],
  ['slow_down', modelFailures.overloaded],
  ['tool_use_failed', unreadableCall], // Groq
  ['output_parse_failed', unreadableCall], // Groq
]);
