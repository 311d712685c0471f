/** Deadline of a call, and its signal. */
export interface Deadline {
  /** Fires with the given signal, and when the time is over. */
  readonly signal: AbortSignal;
  isOver(): boolean;
  /** Lets go of the timer. */
  clear(): void;
}

/** Begins a time. The SDK looks at the most that a call may take only when there is progress, and cancels nothing then. */
export function startDeadline(given: AbortSignal, ms: number): Deadline {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`The ${ms} ms of the call are over.`)), ms);
  return {
    signal: AbortSignal.any([given, controller.signal]),
    isOver: () => controller.signal.aborted,
    clear: () => clearTimeout(timer),
  };
}
