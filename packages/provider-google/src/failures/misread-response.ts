import { isObject } from '@utensil/core';
import type { MisreadResponses } from '@utensil/core/provider';
import { statusOf } from './classify.ts';

/** Properties of a response that the SDK must see: in the body of a refusal, how long to wait. */
export const misreadResponses: MisreadResponses = {
  statusOf,
  keepWait({ status, body, error, wait }) {
    const told = isObject(error) ? error : {};
    const details = [told['details'] ?? [], { retryDelay: `${wait / 1_000}s` }].flat(); // what Google says itself comes first
    return Response.json({ error: { message: body, ...told, details } }, { status });
  },
};
