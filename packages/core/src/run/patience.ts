/** Waits for a stream that has said that it is over, one at a time. */
export interface Patience {
  /** The stream of this controller has said so: if it stays open, it is aborted. */
  begin(controller: AbortController): void;
  /** It is closed. */
  end(): void;
  /** Nothing more is waited for. */
  stop(): void;
}

/** In milliseconds: for as long as that a stream may stay open, and for twice as long at most. */
const patienceMs = 2_000;

/** One timer for all turns of a run: most streams close at once, and a timer for each would take longer than the wait. */
export function createPatience(): Patience {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let open: AbortController | undefined;
  let wasOpen: AbortController | undefined; // when the timer was set

  function look(): void {
    timer = undefined;
    if (open === undefined) return;
    if (open === wasOpen) open.abort(new Error('The model has finished.'));
    else wait();
  }

  function wait(): void {
    wasOpen = open;
    timer = setTimeout(look, patienceMs);
  }

  return {
    begin(controller) {
      open = controller;
      if (timer === undefined) wait();
    },
    end: () => void (open = undefined),
    stop: () => clearTimeout(timer),
  };
}
