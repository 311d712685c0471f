/** Returns a function that runs work after all earlier work has succeeded or failed. */
export function createTurns(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const current = last.then(work, work);
    last = current;
    return current;
  };
}
