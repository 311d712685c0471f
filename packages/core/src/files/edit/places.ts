import type { TextChange } from './changes.ts';
import { countBreaks, innerBreaks } from './line-breaks.ts';
import type { LineRange } from './line-breaks.ts';

/** The lines of changes, before and after them. */
export interface ChangedLines {
  readonly oldLines: LineRange;
  readonly newLines: LineRange;
}

/** On which lines changes are that are in the order of their places. */
export function linesOfChanges(text: string, changes: readonly TextChange[]): readonly ChangedLines[] {
  let [oldLine, newLine, done] = [1, 1, 0];
  return changes.map(({ start, oldText, newText }) => {
    const between = countBreaks(text, done, start);
    oldLine += between;
    newLine += between;
    const lines = { oldLines: rangeOf(oldLine, oldText), newLines: rangeOf(newLine, newText) };
    oldLine += countBreaks(oldText);
    newLine += countBreaks(newText);
    done = start + oldText.length;
    return lines;
  });
}

function rangeOf(start: number, text: string): LineRange {
  return { start, end: start + innerBreaks(text) };
}

/** The lines (from 1) on which offsets are; they are in order. */
export function linesOfOffsets(text: string, offsets: readonly number[]): readonly number[] {
  let [line, done] = [1, 0];
  return offsets.map((offset) => {
    line += countBreaks(text, done, offset);
    done = offset;
    return line;
  });
}
