/** A stored list may be any value: a single value counts as a list of one. */
export function listOf(stored: unknown): readonly unknown[] {
  return Array.isArray(stored) ? stored : stored === undefined ? [] : [stored];
}
