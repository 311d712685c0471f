/** A change at one place of a text. */
export interface TextChange {
  /** Start in the text before the change, in UTF-16 code units. */
  readonly start: number;
  /** The text before. */
  readonly oldText: string;
  /** The text after. */
  readonly newText: string;
}

/** Applies changes, which must be sorted and must not overlap. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, oldText, newText } of changes) {
    pieces.push(text.slice(done, start), newText);
    done = start + oldText.length;
  }
  return pieces.join('') + text.slice(done);
}

/** The inverse changes: applied to the resulting text, they restore the original. */
export function invertChanges(changes: readonly TextChange[]): readonly TextChange[] {
  let shift = 0;
  return changes.map(({ start, oldText, newText }) => {
    const inverse = { start: start + shift, oldText: newText, newText: oldText };
    shift += newText.length - oldText.length;
    return inverse;
  });
}
