/**
 * Runs work one at a time. Calls during a run share one further run, as its result may be older than what they ask
 * about: whatever their number, at most one run waits.
 */
export function inTurn<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let current: Promise<Value> | undefined;
  let next: Promise<Value> | undefined;

  function start(): Promise<Value> {
    next = undefined;
    current = work().finally(() => {
      if (next === undefined) current = undefined;
    });
    return current;
  }

  return () => {
    if (current === undefined) return start();
    next ??= current.then(start, start);
    return next;
  };
}
