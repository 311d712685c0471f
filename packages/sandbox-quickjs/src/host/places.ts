/** A counting semaphore. */
export interface Places {
  /** Runs work as soon as there is a free place, in order of the calls. */
  take<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Creates a semaphore with `most` places. */
export function createPlaces(most: number): Places {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return {
    async take(work) {
      if (taken < most) taken++;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) taken--;
        else next(); // passes its place on
      }
    },
  };
}
