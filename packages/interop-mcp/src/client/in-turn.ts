/**
 * Runs work one at a time. Calls during a run share one further run, because the current one may have read an older
 * state. At most one run waits, regardless of the number of calls.
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
