/** Orders reads and changes of the same data. */
export interface Turns {
  /** Runs in parallel with other reads, after all earlier changes. */
  read<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Runs alone, after everything requested before. */
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
