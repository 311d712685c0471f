import { waitBefore } from '@utensil/core/provider';
import { judge, vendorError } from './judge.ts';

/** For how long to wait after an error, in milliseconds; undefined if it would not help. Google says it in the body, as `retryDelay`. */
export function waitAfter(thrown: unknown, retry: number): number | undefined {
  if (judge(thrown, 'asking').failure.retryable !== true) return undefined;
  const asked = /"retryDelay":"([\d.]+)s"/.exec(vendorError(thrown)?.details ?? '')?.[1];
  return waitBefore(retry, asked === undefined ? undefined : Number(asked) * 1_000);
}
