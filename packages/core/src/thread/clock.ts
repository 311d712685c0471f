/** Time as claims need it, injected so that tests are exact. */
export interface Clock {
  /** Milliseconds since 1970. A person or a time server may change it at any time. */
  now(): number;
  /** Milliseconds since any moment, by a clock that only goes forward. */
  elapsed(): number;
  /** Calls back after so many milliseconds, unless the returned function is called before. In the `background`: no process stays for it. */
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
