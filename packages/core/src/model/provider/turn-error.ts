// What only a turn that fails needs: loaded with the first of them.

import type { UtensilError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { type FailureSubject, modelError, modelFailures } from '../failure.ts';
import type { ClassifiedError } from './classify.ts';
import { retryAfter } from './retry-after.ts';

/** The error of a stream that ended before its answer did. */
export function cutError(progress: 'none' | 'begun', subject: FailureSubject): UtensilError {
  return modelError(modelFailures[progress === 'begun' ? 'brokenOff' : 'noAnswer'], subject);
}

/** The error of a failure that was classified. */
export function classifiedError(thrown: unknown, classified: ClassifiedError, subject: FailureSubject): UtensilError {
  return modelError(classified.failure, {
    ...subject,
    cause: thrown,
    retryAfterMs: askedWait(thrown),
    ...classified,
  });
}

/** SDKs throw errors with the headers of the answer. */
function askedWait(thrown: unknown): number | undefined {
  const headers = isObject(thrown) ? thrown['headers'] : undefined;
  return isHeaders(headers) ? retryAfter(headers) : undefined;
}

/** Not by class: another `fetch` may have headers of its own. */
function isHeaders(value: unknown): value is Pick<Headers, 'get'> {
  return isObject(value) && typeof value['get'] === 'function';
}
