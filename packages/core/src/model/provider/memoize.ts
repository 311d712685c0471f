/** Caches the results of a function by its argument, in a `WeakMap`. */
export function memoize<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => getOrInsert(made, key, make);
}

/** The value cached for a key. If there is none, it is made and cached. */
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
