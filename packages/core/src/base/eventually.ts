/** A value that is there already, or a promise of it. What is there already is not waited for. */
export type Eventually<Value> = Value | Promise<Value>;

/** True if a value is still to come. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}
