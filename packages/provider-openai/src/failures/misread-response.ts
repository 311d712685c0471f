import { isObject } from '@utensil/core';
import type { MisreadResponses } from '@utensil/core/provider';

/** Properties of a response that the SDK must see. */
export const misreadResponses: MisreadResponses = {
  statusOf(error) {
    const code = Number(isObject(error) ? (error['code'] ?? error['status']) : undefined);
    return Number.isInteger(code) && code >= 400 && code < 600 ? code : undefined;
  },
};
