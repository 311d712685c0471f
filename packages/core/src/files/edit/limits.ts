/** What one edit may be, so that its cost is bounded whatever the texts are. */
export const limits = {
  /** Replacements. */
  replacements: 100,
  /** Characters of a text, before and after. */
  characters: 64 * 1024 * 1024,
  /** Characters that all replacements together look through. */
  lookedThrough: 64 * 1024 * 1024,
  /** Places that are replaced. */
  places: 1_000_000,
  /** Places that an error names by their lines. */
  lines: 100,
} as const;
