import {
  type FailureException,
  type ModelFailure,
  type ClassifiedError,
  classifyReport,
  isFetchFailure,
  modelError,
  modelFailures,
  noTools,
  saidBy,
} from '@utensil/core/provider';
import type { UtensilError } from '@utensil/core';

/** Context of an error. */
export interface Subject {
  readonly modelId: string;
  readonly baseURL: string;
  /** Redacted from every error message. */
  readonly apiKey?: string | undefined;
}

/** No answer came at all: nobody answers, or the request could not be sent. */
export function unansweredError(subject: Subject, cause: unknown): UtensilError {
  return tell(isFetchFailure(cause) ? unreachable : failed, subject, cause);
}

/** The answer did not end, or did not even begin. */
export function truncatedError(subject: Subject, hasBegun: boolean, cause?: unknown): UtensilError {
  return tell(hasBegun ? modelFailures.brokenOff : noAnswer, subject, cause);
}

function tell(failure: ModelFailure, subject: Subject, cause: unknown): UtensilError {
  const { modelId, apiKey } = subject;
  const said = cause === undefined ? '' : saidBy(cause);
  return modelError(failure, { modelId, apiKey, words: wordsOf(subject), said, cause });
}

/** Words for the braces in the texts of failures. */
export function wordsOf({ baseURL }: Pick<Subject, 'baseURL'>) {
  return { server: baseURL, key: 'the option `apiKey`', address: 'the option `baseURL`' };
}

/** Classifies a failure by the server's report. Default: `failed`. */
export function classifyError(thrown: unknown): ClassifiedError {
  return classifyReport(thrown, exceptions) ?? { failure: failed, said: saidBy(thrown) };
}

const unreachable: ModelFailure = {
  ...modelFailures.unreachable,
  happened: 'Nobody answers at {server}',
  advice: 'Is Ollama running? Start it with `ollama serve`, or check {address}; for a page, set OLLAMA_ORIGINS too.',
};
const noAnswer: ModelFailure = {
  ...modelFailures.noAnswer,
  happened: '{server} did not send an answer of {model}',
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

/** The server's text is more precise than its status. */
const exceptions: readonly FailureException[] = [
  {
    says: /does not support tools/i,
    means: {
      ...noTools,
      happened: '{model} takes no tools over Ollama',
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
