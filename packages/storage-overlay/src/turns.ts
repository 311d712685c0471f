/** Queues work: it starts once all earlier work has settled. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Creates an empty queue. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return async (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
