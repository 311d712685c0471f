import { isObject } from '@utensil/core';
import type { MisreadResponses } from '@utensil/core/provider';
import { statusOfType } from './classify.ts';

/** Properties of a response that the SDK must see. */
export const misreadResponses: MisreadResponses = {
  statusOf: (error) => statusOfType.get(isObject(error) ? error['type'] : undefined),
};
