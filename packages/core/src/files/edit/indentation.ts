import type { TextChange } from './changes.ts';
import { written } from './exact.ts';
import { loosest, toForm } from './form.ts';
import { hunksOf, isOneSided } from './hunks.ts';
import type { Hunk } from './hunks.ts';
import { toLf } from './line-breaks.ts';
import { contentsOf } from './lines.ts';
import type { Line } from './lines.ts';
import type { Match } from './match.ts';
import type { NumberedLines } from './numbered-lines.ts';
import { occurrencesOf } from './occurrences.ts';
import type { Replacement } from './replacement.ts';
import { shiftsOf } from './shift.ts';
import type { Shift, Shifts } from './shift.ts';
import type { Source } from './source.ts';

/** Finds whole lines whose indentation differs by one consistent rule, and applies the same rule to the new lines. */
export function* findIndented(source: Source, replacement: Replacement): Generator<Match> {
  const rewrite = toRewrite(replacement);
  const form = toForm(`${rewrite.oldLines.join('\n')}\n`, loosest);
  const numbered = source.lines();
  if (form === undefined || numbered === undefined) return;
  const sought = contentsOf(form);
  if (sought.every((line) => line === '')) return;
  let shifts: Shifts | undefined;
  for (const first of occurrencesOf(numbered.contents, numbered.contentsOf(sought))) {
    shifts ??= shiftsOf(numbered, { oldLines: sought, newLines: rewrite.newLines });
    const shift = shifts(first);
    if (shift !== undefined) yield toMatch(source, numbered, { ...rewrite, first, shift });
  }
}

/** Replacement of lines. */
interface Rewrite {
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** True if the line break after the last line belongs to the old text and not to the new one. */
  readonly takesBreak: boolean;
  /** Only differing lines are written. */
  hunks(): readonly Hunk[];
}

function toRewrite(replacement: Replacement): Rewrite {
  const [oldText, newText] = [toLf(replacement.oldText), toLf(replacement.newText)];
  const isClosed = oldText.endsWith('\n');
  const takesBreak = isClosed && !newText.endsWith('\n');
  const open = (text: string): string => text.slice(0, -1);
  const oldLines = (isClosed ? open(oldText) : oldText).split('\n');
  const newLines = (isClosed && !takesBreak ? open(newText) : newText).split('\n');
  const whole = { oldStart: 0, oldEnd: oldLines.length, newStart: 0, newEnd: newLines.length };
  let hunks: readonly Hunk[] | undefined;
  return {
    oldLines,
    newLines,
    takesBreak,
    hunks: () => (hunks ??= takesBreak ? [whole] : hunksOf(oldLines, newLines, isOneSided)),
  };
}

interface IndentedPlace extends Rewrite {
  /** First line, from 0. */
  readonly first: number;
  readonly shift: Shift;
}

function toMatch(source: Source, { lines }: NumberedLines, place: IndentedPlace): Match {
  const { first, oldLines, takesBreak, shift } = place;
  const endOf = (line: Line | undefined): number | undefined => (takesBreak ? line?.next : line?.end);
  const lineAt = (index: number): Line | undefined => lines[first + index];
  const changeOf = ({ oldStart, oldEnd, newStart, newEnd }: Hunk): TextChange => {
    const start = lineAt(oldStart)?.start ?? 0;
    const end = oldEnd === 0 ? start : (endOf(lineAt(oldEnd - 1)) ?? start);
    const indented = Array.from({ length: newEnd - newStart }, (_, index) => shift.write(newStart + index));
    return { start, oldText: source.text.slice(start, end), newText: written(source, start, indented.join('\n')) };
  };
  return {
    start: lineAt(0)?.start ?? 0,
    end: endOf(lineAt(oldLines.length - 1)) ?? 0,
    size: shift.size,
    changes: () => place.hunks().map(changeOf),
  };
}
