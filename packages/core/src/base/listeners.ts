/** A set of change listeners. */
export interface Listeners<News = void> {
  notify(news: News): void;
  /** Calls the listener after every change, until the returned function is called. */
  subscribe(listener: (news: News) => void): () => void;
}

/**
 * Creates an empty set. A function added twice is called twice; a listener that leaves during a notification disturbs
 * no other.
 */
export function createListeners<News = void>(): Listeners<News> {
  const listeners = new Set<{ readonly call: (news: News) => void }>();
  return {
    notify(news) {
      for (const { call } of [...listeners]) {
        try {
          call(news);
        } catch (error) {
          queueMicrotask(() => {
            throw error; // as an event target does: the change has happened, and the others are notified
          });
        }
      }
    },
    subscribe(listener) {
      const entry = { call: listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
  };
}
