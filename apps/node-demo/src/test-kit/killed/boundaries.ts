// The moments at which a run can be killed: before and after whatever it does at the seams that everybody can wrap.

/** Called at every boundary, with its name. */
export type Reached = (boundary: string) => void;

/** Names of boundaries, numbered where one comes again. */
export function createBoundaries(reached: Reached): Reached {
  const counts = new Map<string, number>();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    reached(count === 1 ? name : `${name} (${count})`);
  };
}

/** Does some work with a boundary on either side: its end is when it has settled. */
export function between<Result>(at: Reached, what: string, work: () => Result): Result {
  at(`before ${what}`);
  const done = work();
  const after = (): void => at(`after ${what}`);
  if (done instanceof Promise) return done.finally(after) as Result;
  after();
  return done;
}

/** The label of a call, from its id. */
export function labelOf(callId: string): string {
  return callId.replace(/_\d+/, '');
}
