/** Deadline of a call, with a signal. */
export interface Deadline {
  /** Fires with the given signal, and at the deadline. */
  readonly signal: AbortSignal;
  isOver(): boolean;
  /** Clears the timer. */
  clear(): void;
}

/** Starts a deadline. The SDK checks the maximum duration of a call only on progress, and then cancels nothing. */
export function startDeadline(given: AbortSignal, ms: number): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`The ${ms} ms of the call are over.`)), ms);
  return {
    signal: AbortSignal.any([given, controller.signal]),
    isOver: () => controller.signal.aborted,
    clear: () => clearTimeout(timer),
  };
}
