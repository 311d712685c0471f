import type { UtensilError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { type FailureSubject, modelError, modelFailures } from '../failure.ts';
import type { ClassifiedError } from './classify.ts';
import { retryAfter } from './response-error.ts';
import type { Wire } from './wire.ts';

/** Error of a stream that ended before its answer did. */
export function cutError(
  progress: 'none' | 'begun',
  { info, words }: Pick<Wire<never>, 'info' | 'words'>,
): UtensilError {
  return modelError(modelFailures[progress === 'begun' ? 'brokenOff' : 'noAnswer'], { modelId: info.id, words });
}

/** Error of a classified failure. */
export function classifiedError(thrown: unknown, classified: ClassifiedError, subject: FailureSubject): UtensilError {
  return modelError(classified.failure, {
    ...subject,
    cause: thrown,
    retryAfterMs: askedWait(thrown),
    ...classified,
  });
}

/** SDKs attach the response's headers to their errors. */
function askedWait(thrown: unknown): number | undefined {
  const headers = isObject(thrown) ? thrown['headers'] : undefined;
  return isHeaders(headers) ? retryAfter(headers) : undefined;
}

/** Duck-typed, because another `fetch` may use a `Headers` class of its own. */
function isHeaders(value: unknown): value is Pick<Headers, 'get'> {
  return isObject(value) && typeof value['get'] === 'function';
}
