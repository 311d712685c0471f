import { isObject } from '@utensil/core';
import { modelFailures, saidBy } from '@utensil/core/provider';
import type { ClassifiedError, ModelFailure, Phase } from '@utensil/core/provider';

/** This browser has no Prompt API. */
export const noApi: ModelFailure = {
  code: 'model_not_found',
  happened: 'This browser brings no language model',
  advice: 'Use Chrome or Edge on a computer, on a page over HTTPS, or take another model.',
};

/** It has one, and no model for this device, or for these languages and inputs. */
export const noModel: ModelFailure = {
  code: 'model_not_found',
  happened: 'This browser has no language model for this device, or for these options',
  advice:
    'Check the free space and the memory of the device, and the options `languages` and `inputs`; or take another model.',
};

/** The session would drop the oldest messages without a word. */
export const tooLong: ModelFailure = {
  ...modelFailures.tooLong,
  advice: 'Shorten it, or offer fewer tools: the context window of a browser is small.',
};

/** By the names of exceptions of the platform. */
const failures: Readonly<Record<string, ModelFailure>> = {
  QuotaExceededError: tooLong,
  NotAllowedError: {
    code: 'model_unauthorized',
    happened: 'The browser did not let this page use its model',
    advice: 'It fetches its model only after a click or a key; a frame needs the permission `language-model`.',
  },
  NotSupportedError: {
    code: 'model_request_invalid',
    happened: 'The model of this browser does not support this request',
    advice: 'Check the languages, the inputs and the `responseConstraint`.',
  },
  NotReadableError: {
    code: 'model_refused',
    happened: 'The browser held the answer of its model back',
    advice: 'Ask differently.',
  },
  SyntaxError: {
    code: 'model_failed',
    happened: 'No answer of the model fits the `responseConstraint`',
    advice: 'Allow more in it, or leave it out.',
  },
  TypeError: { ...modelFailures.invalid, happened: 'The browser refused the request' },
  NetworkError: {
    code: 'model_unreachable',
    happened: 'The browser could not fetch its model',
    advice: 'Check the network, then try again.',
    retryable: true,
  },
  AbortError: modelFailures.brokenOff,
};

/** Judges an exception of the Prompt API by its name: its messages differ from browser to browser. */
export function classifyError(thrown: unknown, phase: Phase): ClassifiedError {
  const name = isObject(thrown) || thrown instanceof Error ? String((thrown as { name?: unknown }).name) : '';
  const known = Object.hasOwn(failures, name) ? failures[name] : undefined;
  const failure = known ?? (phase === 'answering' ? modelFailures.brokenOff : crashed);
  return { failure, said: saidBy(thrown) };
}

const crashed: ModelFailure = {
  code: 'model_failed',
  happened: 'The model of the browser failed',
  advice: 'Try again.',
  retryable: true,
};
