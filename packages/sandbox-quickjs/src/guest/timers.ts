import type { Kit } from './kit.ts';

/**
 * Defines timers, in order of their due times, and microtasks. Errors thrown by callbacks are printed on the console.
 */
export function guestTimers(kit: Kit): void {
  interface Timer {
    readonly id: number;
    readonly at: number;
    /** Period of an interval. */
    readonly every?: number;
    run(): void;
  }
  /** Sorted by due time, then by age. */
  const timers: Timer[] = [];
  let lastId = 0;
  let awaited = 0;

  const insert = (timer: Timer): void => {
    let low = 0;
    let high = timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((timers[middle]?.at ?? 0) <= timer.at) low = middle + 1;
      else high = middle;
    }
    timers.splice(low, 0, timer);
    if (timer.every === undefined) awaited++;
  };

  const remove = (id: unknown): void => {
    const index = timers.findIndex((timer) => timer.id === id);
    if (index < 0) return;
    const [removed] = timers.splice(index, 1);
    if (removed?.every === undefined) awaited--;
  };

  const report = (run: () => void): void => {
    try {
      run();
    } catch (error) {
      kit.print('ERROR', `Uncaught ${kit.explain(error)}`);
    }
  };

  const milliseconds = (delay: unknown, least: number): number => {
    const number = Number(delay);
    return number >= least ? Math.min(Math.trunc(number), 2_147_483_647) : least;
  };

  const callable = (name: string, callback: unknown): ((...values: unknown[]) => void) => {
    if (typeof callback === 'function') return callback as () => void;
    throw new TypeError(`${name} needs a function`);
  };

  const start = (delay: number, run: () => void, every?: number): number => {
    const id = ++lastId;
    const at = Number(kit.ask('now')) + delay;
    insert({ id, at, run, ...(every !== undefined && { every }) });
    return id;
  };

  kit.define('setTimeout', (callback: unknown, delay?: unknown, ...values: unknown[]) => {
    const run = callable('setTimeout', callback);
    return start(milliseconds(delay, 0), () => run(...values));
  });
  kit.define('setInterval', (callback: unknown, delay?: unknown, ...values: unknown[]) => {
    const run = callable('setInterval', callback);
    const every = milliseconds(delay, 1);
    return start(every, () => run(...values), every);
  });
  kit.define('clearTimeout', remove);
  kit.define('clearInterval', remove);
  kit.define('queueMicrotask', (callback: unknown) => {
    const run = callable('queueMicrotask', callback);
    void Promise.resolve().then(() => report(run));
  });

  kit.runTimer = () => {
    const [first] = timers;
    if (first === undefined) return { ran: false, isAwaited: false }; // most scripts have no timers: saves a call to the host
    const now = Number(kit.ask('now'));
    const isDue = first.at <= now;
    if (isDue) {
      remove(first.id);
      if (first.every !== undefined) insert({ ...first, at: now + first.every });
      report(first.run);
    }
    const [next] = timers;
    return { ran: isDue, isAwaited: awaited > 0, ...(next !== undefined && { wakeAt: next.at }) };
  };
}
