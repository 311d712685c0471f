/** Limits on one edit, which bound its cost for any input. */
export const limits = {
  /** Number of replacements. */
  replacements: 100,
  /** Length of a text in characters, before and after. */
  characters: 64 * 1024 * 1024,
  /** Characters scanned by all replacements together. */
  lookedThrough: 64 * 1024 * 1024,
  /** Number of replaced places. */
  places: 1_000_000,
  /** Number of places whose lines an error names. */
  lines: 100,
} as const;
