/** Waits for one stream at a time that has sent its end. */
export interface Patience {
  /**
   * Starts to wait: the controller's stream has sent its end, and is aborted if it stays open. Undefined: it has
   * closed.
   */
  wait(controller: AbortController | undefined): void;
  /** Stops waiting. */
  stop(): void;
}

/** In milliseconds: minimum time that a stream may stay open; the maximum is twice as long. */
const patienceMs = 2_000;

/** One timer for all turns of a run: most streams close at once, and a timer for each would cost more than the wait. */
export function createPatience(): Patience {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let open: AbortController | undefined;

  function look(before: AbortController | undefined): void {
    timer = undefined;
    if (open === before) open?.abort(new Error('The model has finished.'));
    else wait(open);
  }

  function wait(controller: AbortController | undefined): void {
    open = controller;
    if (open !== undefined) timer ??= setTimeout(() => look(controller), patienceMs);
  }

  return { wait, stop: () => clearTimeout(timer) };
}
