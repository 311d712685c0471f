import { isObject } from '@utensil/core';
import type { MisreadResponses } from '@utensil/core/provider';
import { statusOfType } from './classify.ts';

/** What the SDK has to be shown. */
export const misreadResponses: MisreadResponses = {
  statusOf: (error) => statusOfType.get(isObject(error) ? error['type'] : undefined),
};
