import { isObject } from '@utensil/core';
import type { Refusals } from '@utensil/core/provider';
import { statusOf } from './judge.ts';

/** What the SDK has to be shown: in the body of a refusal, how long to wait. */
export const refusals: Refusals = {
  statusOf,
  stop({ status, body, error, wait }) {
    const told = isObject(error) ? error : {};
    const details = [told['details'] ?? [], { retryDelay: `${wait / 1_000}s` }].flat(); // what Google says itself comes first
    return Response.json({ error: { message: body, ...told, details } }, { status });
  },
};
