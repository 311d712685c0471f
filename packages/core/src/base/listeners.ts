/** Those who want to be told of changes. */
export interface Listeners<News = void> {
  notify(news: News): void;
  /** Calls the listener after every change, until the returned function is called. */
  subscribe(listener: (news: News) => void): () => void;
}

/** Nobody yet. The same function twice is two listeners; one that leaves while all are told disturbs none. */
export function createListeners<News = void>(): Listeners<News> {
  const listeners = new Set<{ readonly call: (news: News) => void }>();
  return {
    notify(news) {
      for (const { call } of [...listeners]) {
        try {
          call(news);
        } catch (error) {
          queueMicrotask(() => {
            throw error; // as an event target does: the change is made, and the others are told
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
