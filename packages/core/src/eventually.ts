/** A value that is there already, or a promise of it. What is there already is not waited for. */
export type Eventually<Value> = Value | Promise<Value>;

/** Whether a value is still to come. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** What follows from a value: at once where it is there. */
export function after<Value, Next>(
  value: Eventually<Value>,
  then: (value: Value) => Eventually<Next>,
): Eventually<Next> {
  return isPromise(value) ? value.then(then) : then(value);
}
