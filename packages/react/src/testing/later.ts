/** A promise that is kept when the test says so. */
export interface Later<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
}

export function later<Value = void>(): Later<Value> {
  const kept: { resolve?: (value: Value) => void } = {};
  const promise = new Promise<Value>((resolve) => (kept.resolve = resolve));
  return { promise, resolve: (value) => kept.resolve?.(value) };
}
