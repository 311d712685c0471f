/** Notifies waiters of a change. */
export interface Changes {
  tell(): void;
  /** Resolves at the next change, when the signal aborts, or after `ms`. */
  next(signal: AbortSignal, ms?: number): Promise<void>;
}

export function changes(): Changes {
  const waiting = new Set<() => void>();
  return {
    tell() {
      for (const wake of waiting) wake();
    },
    next: (signal, ms) =>
      new Promise((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(wake, ms);
        function wake(): void {
          clearTimeout(timer);
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        }
        waiting.add(wake);
        signal.addEventListener('abort', wake);
        if (signal.aborted) wake();
      }),
  };
}
