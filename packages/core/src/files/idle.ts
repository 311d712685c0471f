import type { Turn } from './queue.ts';

// Others wait for a batch. But its work may wait for them, if it changes something by way of the outer files, or for
// something else that comes later. That cannot be seen; what can be seen is that the work leaves its own files alone. So
// after a while the others go ahead. If that did harm, the work is done again.

/** How often a turn is looked at, in milliseconds. */
const tickMs = 25;

/** How many ticks those wait for idle work who came after it began, at its first attempt; twice as many at each next one. */
const ticksAtFirst = 4;

/** How many ticks anybody waits for idle work: five seconds. */
const mostTicks = 200;

/** Ends a turn once its work is idle for too long; gives what stops watching it. */
export function endWhenIdle(turn: Turn, attempt: number): () => void {
  const patience = Math.min(ticksAtFirst * 2 ** attempt, mostTicks);
  let ticks = 0;
  let timer = setTimeout(tick, tickMs);
  function tick(): void {
    ticks = turn.activity.wasAny() ? 0 : ticks + 1;
    if (ticks >= (turn.isAwaited() ? patience : mostTicks)) turn.end();
    else timer = setTimeout(tick, tickMs);
  }
  return () => clearTimeout(timer);
}
