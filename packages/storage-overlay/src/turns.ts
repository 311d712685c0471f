/** Runs work after all earlier work, whatever came of that. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Turns that nobody has taken. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
