/** Ctrl-C: the first press ends the answer under way, the second one the program. */
export interface Interrupts {
  press(): void;
  /** Any other action resets the count. */
  reset(): void;
  /** Runs work with a signal that the next press fires. */
  during<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

/** `hint` is called for a press while nothing is under way, `quit` for the second press. */
export function createInterrupts(hint: () => void, quit: () => void): Interrupts {
  let current: AbortController | undefined;
  let isPressed = false;

  return {
    press() {
      if (isPressed) return quit();
      isPressed = true;
      if (current === undefined) hint();
      else current.abort(new Error('Interrupted.'));
    },
    reset() {
      isPressed = false;
    },
    async during(work) {
      current = new AbortController();
      const alive = setInterval(() => {}, 2 ** 30); // an answer under way keeps the process alive, whatever it waits for
      try {
        return await work(current.signal);
      } finally {
        clearInterval(alive);
        current = undefined;
        isPressed = false; // the press that ended this answer does not count towards the end of the program
      }
    },
  };
}
