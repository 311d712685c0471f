/** Wait times of each kind of call, in milliseconds. */
const waits = {
  execute: { usual: 10_000, most: 30_000 },
  write: { usual: 1_000, most: 30_000 },
  poll: { usual: 10_000, most: 300_000 },
} as const;

const least = 250;

/** Requested wait in milliseconds, within limits. */
export function yieldTime(kind: keyof typeof waits, asked?: number): number {
  const { usual, most } = waits[kind];
  return Math.min(most, Math.max(least, asked ?? usual));
}
