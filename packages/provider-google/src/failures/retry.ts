import { retryDelay } from '@utensil/core/provider';
import { classifyError, vendorError } from './classify.ts';

/** For how long to wait after an error, in milliseconds; undefined if it would not help. Google says it in the body, as `retryDelay`. */
export function delayAfter(thrown: unknown, retry: number): number | undefined {
  if (classifyError(thrown, 'asking').failure.retryable !== true) return undefined;
  const asked = /"retryDelay":"([\d.]+)s"/.exec(vendorError(thrown)?.details ?? '')?.[1];
  return retryDelay(retry, asked === undefined ? undefined : Number(asked) * 1_000);
}
