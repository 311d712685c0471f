/** What is stored as a list may be anything: one value is a list of one. */
export function listOf(stored: unknown): readonly unknown[] {
  return Array.isArray(stored) ? stored : stored === undefined ? [] : [stored];
}
