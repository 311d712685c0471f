import type { Turn } from './queue.ts';

// Other calls wait for a batch. But its work may in turn wait for them: if it makes a change through the outer files,
// or waits for something that happens later. That cannot be detected, but an idle batch can: its work does not use its
// own files. So after a while the others go ahead. If that causes a conflict, the work is retried.

/** Interval of the idle check, in milliseconds. */
const tickMs = 25;

/** Ticks that calls made after the start of idle work wait for its first attempt; doubled for each retry. */
const ticksAtFirst = 4;

/** Maximum number of ticks to wait for idle work: five seconds. */
const mostTicks = 200;

/** Ends a turn once its work has been idle for too long. Returns a function that stops the check. */
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
