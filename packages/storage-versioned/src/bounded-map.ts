/** A map of at most 1000 entries; the oldest entry is evicted. */
export interface BoundedMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  keys(): readonly string[];
}

const mostEntries = 1000;

export function createBoundedMap<Value>(): BoundedMap<Value> {
  const values = new Map<string, Value>();
  return {
    get: (key) => values.get(key),
    set(key, value) {
      values.delete(key);
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > mostEntries && oldest !== undefined) values.delete(oldest);
    },
    delete: (key) => void values.delete(key),
    keys: () => [...values.keys()],
  };
}
