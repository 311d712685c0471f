import { type JsonObject, isObject } from '@utensil/core';

/** A body with members that only this vendor has: objects are merged, anything else is replaced. */
export function merged(body: object, more: JsonObject = {}): Record<string, unknown> {
  const whole: Record<string, unknown> = { ...body };
  for (const [key, value] of Object.entries(more)) {
    const before = whole[key];
    whole[key] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  return whole;
}
