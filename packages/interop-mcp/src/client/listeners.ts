/** A set of listeners. */
export interface Listeners {
  notify(): void;
  subscribe(listener: () => void): () => void;
}

export function createListeners(): Listeners {
  const all = new Set<{ readonly call: () => void }>();
  return {
    notify() {
      for (const { call } of [...all]) call();
    },
    subscribe(listener) {
      const entry = { call: listener };
      all.add(entry);
      return () => void all.delete(entry);
    },
  };
}
