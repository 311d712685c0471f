import { isObject } from '@utensil/core';
import { spokenOut } from '@utensil/core/provider';
import { statusOfType } from './judge.ts';

/** A response as the SDK understands it. */
export function speakOut(response: Response): Promise<Response> {
  const statusOf = (error: unknown) => statusOfType.get(isObject(error) ? error['type'] : undefined);
  return spokenOut(response, { statusOf, stop: ['x-should-retry', 'false'] });
}
