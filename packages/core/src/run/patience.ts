/** Waits for streams that have said that they are over, one at a time. */
export interface Patience {
  /** The stream of this controller has said so: if it stays open, it is aborted. Undefined: it is closed. */
  wait(controller: AbortController | undefined): void;
  /** Nothing more is waited for. */
  stop(): void;
}

/** In milliseconds: for as long as that a stream may stay open, and for twice as long at most. */
const patienceMs = 2_000;

/** One timer for all turns of a run: most streams close at once, and a timer for each would take longer than the wait. */
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
