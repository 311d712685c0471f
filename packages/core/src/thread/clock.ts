/** Clocks and timers for claims, injected for deterministic tests. */
export interface Clock {
  /** Wall clock, in milliseconds since 1970. People and time servers may change it at any time. */
  now(): number;
  /** Monotonic clock, in milliseconds since an arbitrary moment. */
  elapsed(): number;
  /**
   * Calls back after a delay in milliseconds; returns a function that cancels it. A `background` timer does not keep
   * the process alive.
   */
  after(ms: number, then: () => void, options?: { readonly background?: boolean }): () => void;
}

/** The clock of the platform. */
export const platformClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(ms, then, { background = false } = {}) {
    const timer: unknown = setTimeout(then, ms);
    if (background && isReferenced(timer)) timer.unref();
    return () => clearTimeout(timer as ReturnType<typeof setTimeout>);
  },
};

/** A timer of Node.js; elsewhere timers are numbers. */
function isReferenced(timer: unknown): timer is { unref(): void } {
  return typeof timer === 'object' && timer !== null && 'unref' in timer;
}
