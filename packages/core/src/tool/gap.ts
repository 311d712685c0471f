/**
 * Sentence that tells how to read the omitted text. `other`: the readable text is not the one shown, but the output
 * that it was made from.
 */
export type ReadBack = string | { readonly other: string };

/** Start and end of the gap in a text that is too long. */
export function gapIn(length: number, limit: number): readonly [from: number, to: number] {
  return [Math.ceil(limit * 0.7), length - Math.floor(limit * 0.3)];
}

/** Note in place of the omitted characters. */
export function gapText(missing: number, length: number, advice = ': ask for less at a time, or for a part'): string {
  return `[… ${missing} of ${length} characters left out here${advice} …]`;
}
