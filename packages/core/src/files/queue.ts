/** Runs work after all earlier work on any of the same paths, in the order of the calls. */
export type Queue = <Result>(paths: readonly string[], work: () => Promise<Result>) => Promise<Result>;

/** A queue that keeps nothing of work that is done. */
export function createQueue(): Queue {
  const tails = new Map<string, Promise<unknown>>();
  return async (paths, work) => {
    const isFree = paths.every((path) => !tails.has(path));
    const current = isFree ? work() : Promise.allSettled(paths.map((path) => tails.get(path))).then(work);
    for (const path of paths) tails.set(path, current);
    try {
      return await current;
    } finally {
      for (const path of paths) if (tails.get(path) === current) tails.delete(path);
    }
  };
}
