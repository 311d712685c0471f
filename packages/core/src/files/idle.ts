import type { StorageDriver } from './driver.ts';
import type { Turn } from './queue.ts';

// Others wait for a batch. But its work may wait for them: if it changes something by way of the outer files, or for
// something else that comes after it. That cannot be seen, only that the work leaves its own files alone. Then others go
// ahead, and it is done again if that was to its harm.

/** A driver that says how it is used. */
export interface Observed {
  readonly driver: StorageDriver;
  /** Whether something is asked of it now, or was since the last time that this was called. */
  wasUsed(): boolean;
}

/** The same driver, observed. */
export function observe(driver: StorageDriver): Observed {
  let running = 0;
  let wasUsed = false;
  const noting = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    running++;
    wasUsed = true;
    try {
      return await call();
    } finally {
      running--;
    }
  };
  return {
    driver: {
      ...driver,
      stat: (keys) => noting(() => driver.stat(keys)),
      list: (query) => noting(() => driver.list(query)),
      read: (key, range) => noting(() => driver.read(key, range)),
      commit: (commit) => noting(() => driver.commit(commit)),
    },
    wasUsed() {
      const used = wasUsed || running > 0;
      wasUsed = false;
      return used;
    },
  };
}

/** How often it is looked, in milliseconds. */
const tickMs = 25;

/** How many ticks somebody waits who may be waited for, at the first attempt; twice as many at each one after it. */
const ticksAtFirst = 4;

/** How many ticks anybody waits: five seconds. */
const mostTicks = 200;

/** Ends a turn once a driver is idle for too long; gives what stops watching it. */
export function endWhenIdle(turn: Turn, { wasUsed }: Observed, attempt: number): () => void {
  const patience = Math.min(ticksAtFirst * 2 ** attempt, mostTicks);
  let ticks = 0;
  let timer = setTimeout(tick, tickMs);
  function tick(): void {
    ticks = wasUsed() ? 0 : ticks + 1;
    if (ticks >= (turn.isAwaited() ? patience : mostTicks)) turn.end();
    else timer = setTimeout(tick, tickMs);
  }
  return () => clearTimeout(timer);
}
