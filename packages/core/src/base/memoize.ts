/** Caches the results of a function in a `WeakMap`, keyed by its argument. */
export function memoize<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => getOrInsert(made, key, make);
}

/** Returns the cached value of a key, or creates and caches it. */
export function getOrInsert<Key extends object, Value>(
  made: WeakMap<Key, Value>,
  key: Key,
  make: (key: Key) => Value,
): Value {
  const known = made.get(key);
  if (known !== undefined) return known;
  const value = make(key);
  made.set(key, value);
  return value;
}
