import { type UtensilError, isObject } from '@utensil/core';
import {
  type FailureException,
  type ModelFailure,
  failureOf,
  modelError,
  modelFailures,
  saidBy,
} from '@utensil/core/provider';

/** What an error is about. */
export interface Subject {
  readonly modelId: string;
  readonly baseURL: string;
  /** Is in no message. */
  readonly apiKey?: string | undefined;
}

/** No answer came at all. */
export function unreachableError(subject: Subject, cause: unknown): UtensilError {
  return tell(unreachable, subject, { said: saidBy(cause), cause });
}

/** The server refused the request, or failed over it. */
export function refusedError(subject: Subject, status: number, body: string): UtensilError {
  const said = saidIn(body);
  return tell(failureOf({ status, said }, exceptions), subject, { said: said === '' ? `status ${status}` : said });
}

/** The server reports inside of an answer that it failed. */
export function reportedError(subject: Subject, said: string): UtensilError {
  return tell(failureOf({ status: 500, said }, exceptions), subject, { said });
}

/** The answer did not end, or did not even begin. */
export function truncatedError(subject: Subject, hasBegun: boolean, cause?: unknown): UtensilError {
  const failure = hasBegun ? modelFailures.brokenOff : noAnswer;
  return tell(failure, subject, cause === undefined ? {} : { said: saidBy(cause), cause });
}

/** Something else than the server failed. */
export function failedError(subject: Subject, cause: unknown): UtensilError {
  return tell(failed, subject, { said: saidBy(cause), cause });
}

/** The body of an error is `{"error": "…"}`; a proxy may send anything. */
function saidIn(body: string): string {
  try {
    const { error } = JSON.parse(body) as { readonly error?: unknown };
    if (typeof error === 'string') return error;
    if (isObject(error) && 'message' in error) return String(error['message']);
  } catch {
    // It is no JSON.
  }
  return body;
}

interface Report {
  /** In the words of the server, or of whatever failed. */
  readonly said?: string;
  readonly cause?: unknown;
}

function tell(failure: ModelFailure, { modelId, baseURL, apiKey }: Subject, report: Report): UtensilError {
  const words = { server: baseURL, key: 'the option `apiKey`', address: 'the option `baseURL`' };
  return modelError(failure, { modelId, apiKey, words, ...report });
}

const unreachable: ModelFailure = {
  ...modelFailures.unreachable,
  happened: 'Nobody answers at {server}',
  advice: 'Is Ollama running? Start it with `ollama serve`, or check {address}; for a page, set OLLAMA_ORIGINS too.',
};
const noAnswer: ModelFailure = {
  ...modelFailures.noAnswer,
  happened: 'What {server} sent is no answer of {model}',
};
const failed: ModelFailure = {
  code: 'model_failed',
  happened: '{model} could not be asked',
  advice: 'Check the options of the model.',
};
const unauthorized: ModelFailure = {
  code: 'model_unauthorized',
  happened: 'The server of {model} let nobody in',
  advice: 'Check {key}; for a page, check that its origin is one of OLLAMA_ORIGINS.',
};

/** What the server says tells more than its status. */
const exceptions: readonly FailureException[] = [
  {
    says: /does not support tools/i,
    means: {
      code: 'tools_unsupported',
      happened: '{model} takes no tools over Ollama',
      advice:
        'Take a model that does, or let it call them in text: wrap it in withTextFallback of @utensil/text-dialects.',
    },
  },
  {
    says: /does not support thinking|think value .* is not supported/i,
    means: {
      code: 'model_request_invalid',
      happened: '{model} cannot think as it was asked to',
      advice: 'Leave `reasoning` out of the request.',
    },
  },
  {
    says: /image input|does not support images/i,
    means: {
      code: 'model_request_invalid',
      happened: '{model} sees no images',
      advice: 'Take a model that does, or leave them out of the conversation.',
    },
  },
  {
    says: /context (?:length|window)|prompt (?:is )?too long/i,
    means: {
      ...modelFailures.tooLong,
      advice: 'Shorten it, or give the model more room with the option `contextWindow`.',
    },
  },
  {
    says: /requires more system memory|out of memory/i,
    means: {
      code: 'model_failed',
      happened: 'The server cannot load {model}',
      advice: 'Take a smaller model, or a smaller `contextWindow`.',
    },
  },
  { status: 401, means: unauthorized },
  { status: 403, means: unauthorized },
  {
    status: 404,
    means: {
      code: 'model_not_found',
      happened: 'There is no model {model} at {server}',
      advice: 'Fetch it with `ollama pull {model}`, or check {address}.',
    },
  },
];
