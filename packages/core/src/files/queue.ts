import { createActivity } from './activity.ts';
import type { Activity } from './activity.ts';

/** Runs work after all earlier work on any of the same paths, in call order. */
export interface Queue {
  <Result>(paths: readonly string[], work: () => Promise<Result>): Promise<Result>;
  /** Waits for all earlier work. Later work on any path waits for the end of the turn. */
  turn(): Promise<Turn>;
}

/** Exclusive access to the queue. */
export interface Turn {
  /**
   * Calls work. Anything that it requests from the queue before its first `await` belongs to the turn and does not
   * wait.
   */
  call<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Activity of the work and of everything that belongs to it. */
  readonly activity: Activity;
  /** True if a later caller waits; that may be the work itself. */
  isAwaited(): boolean;
  isOver(): boolean;
  end(): void;
}

/** Creates a queue. Finished work leaves nothing behind. */
export function createQueue(): Queue {
  const tails = new Map<string, Promise<unknown>>();
  /** End of the latest turn; all later requests wait for it. */
  let barrier: Promise<void> | undefined;
  /** End of the turn whose work is being called. */
  let inside: Activity | undefined;
  /** Number of times that a caller had to wait for a turn. */
  let waits = 0;

  /** Adds the end of the latest turn, if it is not over, and counts the wait. */
  function withBarrier(earlier: readonly Promise<unknown>[]): readonly Promise<unknown>[] {
    if (barrier === undefined) return earlier;
    waits++;
    return [...earlier, barrier];
  }

  async function run<Result>(paths: readonly string[], work: () => Promise<Result>): Promise<Result> {
    if (inside !== undefined) return work();
    const earlier = withBarrier(paths.flatMap((path) => tails.get(path) ?? []));
    const current = earlier.length === 0 ? work() : Promise.allSettled(earlier).then(work);
    for (const path of paths) tails.set(path, current);
    try {
      return await current;
    } finally {
      for (const path of paths) if (tails.get(path) === current) tails.delete(path);
    }
  }

  async function turn(): Promise<Turn> {
    if (inside !== undefined) return partOf(inside);
    const earlier = withBarrier([...tails.values()]);
    let over = (): void => {};
    const current = new Promise<void>((resolve) => (over = resolve));
    barrier = current;
    tails.clear();
    await Promise.allSettled(earlier);
    return turnUntil(() => {
      if (barrier === current) barrier = undefined;
      over();
    });
  }

  function callInside<Result>(activity: Activity, work: () => Promise<Result>): Promise<Result> {
    const before = inside;
    inside = activity;
    try {
      return work();
    } finally {
      inside = before;
    }
  }

  /** A turn nested in another, which lasts as long as it needs. */
  function partOf(activity: Activity): Turn {
    const call: Turn['call'] = (work) => callInside(activity, work);
    return { call, activity, isAwaited: () => false, isOver: () => false, end: () => {} };
  }

  function turnUntil(onEnd: () => void): Turn {
    const activity = createActivity();
    let isOver = false;
    let before = waits;
    return {
      call(work) {
        before = waits;
        return callInside(activity, work);
      },
      activity,
      isAwaited: () => waits > before,
      isOver: () => isOver,
      end() {
        isOver = true;
        onEnd();
      },
    };
  }

  return Object.assign(run, { turn });
}
