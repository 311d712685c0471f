/** A map of what was set last; what was set longest ago is forgotten. */
export interface Recent<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  keys(): readonly string[];
}

const remembered = 1000;

export function createRecent<Value>(): Recent<Value> {
  const values = new Map<string, Value>();
  return {
    get: (key) => values.get(key),
    set(key, value) {
      values.delete(key);
      values.set(key, value);
      for (const oldest of values.size > remembered ? [...values.keys()].slice(0, 1) : []) values.delete(oldest);
    },
    delete: (key) => void values.delete(key),
    keys: () => [...values.keys()],
  };
}
