/** Runs work after all earlier work on any of the same paths, in the order of the calls. */
export type Queue = <Result>(paths: readonly string[], work: () => Promise<Result>) => Promise<Result>;

/** A queue that keeps nothing of work that is done. */
export function createQueue(): Queue {
  const tails = new Map<string, Promise<unknown>>();
  return async (paths, work) => {
    const earlier = paths.flatMap((path) => tails.get(path) ?? []);
    const current = earlier.length === 0 ? work() : Promise.allSettled(earlier).then(work);
    for (const path of paths) tails.set(path, current);
    try {
      return await current;
    } finally {
      for (const path of paths) if (tails.get(path) === current) tails.delete(path);
    }
  };
}
