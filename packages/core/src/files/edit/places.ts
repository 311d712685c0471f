import type { TextChange } from './changes.ts';
import { countBreaks, innerBreaks } from './line-breaks.ts';
import type { LineRange } from './line-breaks.ts';
import { createLineCursor } from './line-cursor.ts';

/** Lines of changes, before and after. */
export interface ChangedLines {
  readonly oldLines: LineRange;
  readonly newLines: LineRange;
}

/** Yields the lines of each change, in order of position. */
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

/** Lines (from 1) of sorted offsets. */
export function linesOfOffsets(text: string, offsets: readonly number[]): readonly number[] {
  const cursor = createLineCursor(text);
  return offsets.map((offset) => cursor.lineAt(offset));
}
