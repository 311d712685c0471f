import { createActivity } from './activity.ts';
import type { Activity } from './activity.ts';

/** Runs work after all earlier work on any of the same paths, in the order of the calls. */
export interface Queue {
  <Result>(paths: readonly string[], work: () => Promise<Result>): Promise<Result>;
  /** Waits for all earlier work. Later work, on whatever paths, waits until the turn is over. */
  turn(): Promise<Turn>;
}

/** A time at which nobody else is served. */
export interface Turn {
  /** Calls some work. Whatever it asks the queue for before its first `await` belongs to it, and waits for nothing. */
  call<Result>(work: () => Promise<Result>): Promise<Result>;
  /** What the work does, with all that belongs to it. */
  readonly activity: Activity;
  /** True if somebody waits who has come since work was called: it may be the work itself. */
  isAwaited(): boolean;
  isOver(): boolean;
  end(): void;
}

/** A queue that keeps nothing of work that is done. */
export function createQueue(): Queue {
  const tails = new Map<string, Promise<unknown>>();
  /** The end of the latest turn, which all that is asked for after it waits for. */
  let barrier: Promise<void> | undefined;
  /** That of the work which is being called. */
  let inside: Activity | undefined;
  /** How often somebody had to wait for a turn. */
  let waits = 0;

  async function run<Result>(paths: readonly string[], work: () => Promise<Result>): Promise<Result> {
    if (inside !== undefined) return work();
    const earlier = paths.flatMap((path) => tails.get(path) ?? []);
    if (barrier !== undefined) {
      waits++;
      earlier.push(barrier);
    }
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
    const earlier: Promise<unknown>[] = [...tails.values()];
    if (barrier !== undefined) {
      waits++;
      earlier.push(barrier);
    }
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

  /** A turn within another one, which goes on as long as that needs. */
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
