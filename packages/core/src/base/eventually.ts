/** A value that is there already, or a promise of it. What is there already is not waited for. */
export type Eventually<Value> = Value | Promise<Value>;

/** True if a value is still to come. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === 'function';
}

/** Goes on with a value: at once if it is there. */
export function whenReady<Value, Result>(
  value: Eventually<Value>,
  goOn: (value: Value) => Eventually<Result>,
): Eventually<Result> {
  return isPromise(value) ? value.then(goOn) : goOn(value);
}

/** The value of some work; if it throws or rejects, what is made of the error. */
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
