/** The same function, but what it made of an object is kept for as long as that object lives. */
export function remembering<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => recall(made, key, make);
}

/** What was made of an object before, else what is made of it now, which is kept. */
export function recall<Key extends object, Value>(
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
