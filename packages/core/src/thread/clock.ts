import { afterTimeout } from '../base/pauses.ts';

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
  after: afterTimeout,
};
