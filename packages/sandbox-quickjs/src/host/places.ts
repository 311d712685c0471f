/** Room for some at a time. */
export interface Places {
  /** Does it as soon as there is a place; first come, first served. */
  take<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Places for `most` at a time. */
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
        else next(); // has its place
      }
    },
  };
}
