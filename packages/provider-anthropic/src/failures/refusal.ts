import { isObject } from '@utensil/core';
import type { Refusals } from '@utensil/core/provider';
import { statusOfType } from './judge.ts';

/** What the SDK has to be shown. */
export const refusals: Refusals = {
  statusOf: (error) => statusOfType.get(isObject(error) ? error['type'] : undefined),
  stop: ['x-should-retry', 'false'],
};
