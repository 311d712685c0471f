/** A clock that stands still while the one it follows is set back: what has ended has ended. */
export function risingClock(now: () => number): () => number {
  let latest = -Infinity;
  return () => (latest = Math.max(latest, now()));
}
