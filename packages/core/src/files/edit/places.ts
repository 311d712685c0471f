import type { TextChange } from './changes.ts';
import { countBreaks, innerBreaks } from './line-breaks.ts';
import type { LineRange } from './line-breaks.ts';
import { createLineCursor } from './line-cursor.ts';

/** The lines of changes, before and after them. */
export interface ChangedLines {
  readonly oldLines: LineRange;
  readonly newLines: LineRange;
}

/** The lines of one change after the other, in the order of their places. */
export function createChangeCounter(text: string): (change: TextChange) => ChangedLines {
  const cursor = createLineCursor(text);
  let added = 0;
  return ({ start, oldText, newText }) => {
    const line = cursor.lineAt(start);
    const lines = { oldLines: rangeOf(line, oldText), newLines: rangeOf(line + added, newText) };
    added += countBreaks(newText) - countBreaks(oldText);
    return lines;
  };
}

function rangeOf(start: number, text: string): LineRange {
  return { start, end: start + innerBreaks(text) };
}

/** The lines (from 1) on which offsets are; they are in order. */
export function linesOfOffsets(text: string, offsets: readonly number[]): readonly number[] {
  const cursor = createLineCursor(text);
  return offsets.map((offset) => cursor.lineAt(offset));
}
