/** One place of a text that is changed. */
export interface TextChange {
  /** Where it begins in the text before the change, in UTF-16 code units. */
  readonly start: number;
  /** What is there before. */
  readonly oldText: string;
  /** What is there afterwards. */
  readonly newText: string;
}

/** The text after changes, which are in the order of their places and have nothing in common. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, oldText, newText } of changes) {
    pieces.push(text.slice(done, start), newText);
    done = start + oldText.length;
  }
  return pieces.join('') + text.slice(done);
}

/** The changes that undo these: they apply to the text that these led to, and lead back. */
export function invertChanges(changes: readonly TextChange[]): readonly TextChange[] {
  let shift = 0;
  return changes.map(({ start, oldText, newText }) => {
    const inverse = { start: start + shift, oldText: newText, newText: oldText };
    shift += newText.length - oldText.length;
    return inverse;
  });
}
