/** A clock that never goes back: it stands still while the underlying one is behind. */
export function risingClock(now: () => number): () => number {
  let latest = -Infinity;
  return () => (latest = Math.max(latest, now()));
}
