import { UtensilError } from './errors.ts';

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

/**
 * Returns a function that loads code once, and has it at once afterwards. A load that failed is tried again.
 *
 * @throws `code_unavailable`: the network is down, or the files of the app were replaced. `cause` says where they should
 * be, which the model must not see.
 */
export function loadOnce<Code extends object>(load: () => Promise<Code>): () => Eventually<Code> {
  let loaded: Code | undefined;
  let loading: Promise<Code> | undefined; // shared, so that calls that wait for it go on together
  return () => loaded ?? (loading ??= load().then((code) => (loaded = code), failed));

  function failed(cause: unknown): never {
    loading = undefined;
    const message =
      'A part of the app could not be loaded. Check the network and reload the app, which may have a new version.';
    throw new UtensilError('code_unavailable', message, { cause, retryable: true });
  }
}
