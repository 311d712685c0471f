/** An order for what reads and what changes the same things. */
export interface Turns {
  /** Together with other reads, after every change that was asked for before. */
  read<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Alone, after all that was asked for before. */
  change<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createTurns(): Turns {
  let changed: Promise<unknown> = Promise.resolve();
  let all: Promise<unknown> = Promise.resolve();
  return {
    read(work) {
      const result = changed.then(work);
      all = Promise.allSettled([all, result]);
      return result;
    },
    change(work) {
      const result = all.then(work);
      changed = Promise.allSettled([result]);
      all = changed;
      return result;
    },
  };
}
