import { type JsonObject, isObject } from '@utensil/core';

/** A body with what only this vendor has: objects are merged, anything else is replaced. */
export function merged(body: object, more: JsonObject = {}): Record<string, unknown> {
  const known = new Map<string, unknown>(Object.entries(body));
  for (const [key, value] of Object.entries(more)) {
    const before = known.get(key);
    known.set(key, isObject(before) && isObject(value) ? { ...before, ...value } : value);
  }
  return Object.fromEntries(known);
}
