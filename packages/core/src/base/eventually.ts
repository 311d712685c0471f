/** A value, or a promise of it. A value is used at once, without a promise. */
export type Eventually<Value> = Value | Promise<Value>;

/** True for a promise. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}

/** Continues with a value: synchronously if it is there. */
export function whenReady<Value, Result>(
  value: Eventually<Value>,
  goOn: (value: Value) => Eventually<Result>,
): Eventually<Result> {
  return isPromise(value) ? value.then(goOn) : goOn(value);
}

/** The value of some work; if it throws or rejects, the value that `failed` returns for the error. */
export function orElse<Value>(
  work: () => Eventually<Value>,
  failed: (error: unknown) => Eventually<Value>,
): Eventually<Value> {
  try {
    const value = work();
    return isPromise(value) ? value.catch(failed) : value;
  } catch (error) {
    return failed(error);
  }
}
