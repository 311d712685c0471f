import type { TextChange } from './changes.ts';
import { written } from './exact.ts';
import { loosest, toForm } from './form.ts';
import { hunksOf, isOneSided } from './hunks.ts';
import { toLf } from './line-breaks.ts';
import { contentsOf } from './lines.ts';
import type { Line } from './lines.ts';
import type { Match, Source } from './match.ts';
import { occurrencesOf } from './occurrences.ts';
import type { Replacement } from './replacement.ts';
import { shiftOf } from './shift.ts';
import type { Shift } from './shift.ts';

/** So many places are compared line by line; each of them may be as long as the text. */
const compared = 100;

/** Finds whole lines that are indented otherwise, all by the same rule, and writes the new ones by that rule too. */
export function findIndented(source: Source, replacement: Replacement): readonly Match[] {
  const rewrite = toRewrite(replacement);
  const sought = contentsOf(toForm(`${rewrite.oldLines.join('\n')}\n`, loosest));
  if (sought.every((line) => line === '')) return [];
  const { lines, numbers, toNumber } = source.lines();
  const starts = occurrencesOf(numbers, sought.map(toNumber));
  const places = replacement.all === true ? apart(starts, sought.length) : starts.slice(0, compared);
  return places.flatMap((first) => {
    const found = lines.slice(first, first + sought.length);
    const shift = shiftOf(
      sought,
      found.map(({ content }) => content),
    );
    if (shift === undefined || rewrite.newLines.some((line) => shift(line) === undefined)) return [];
    return [toMatch(source.text, found, { ...rewrite, shift })];
  });
}

/** What becomes of lines. */
interface Rewrite {
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  /** The line break behind the last line belongs to the old text, and not to the new one. */
  readonly takesBreak: boolean;
}

function toRewrite(replacement: Replacement): Rewrite {
  const [oldText, newText] = [toLf(replacement.oldText), toLf(replacement.newText)];
  const isClosed = oldText.endsWith('\n');
  const takesBreak = isClosed && !newText.endsWith('\n');
  const open = (text: string): string => text.slice(0, -1);
  return {
    oldLines: (isClosed ? open(oldText) : oldText).split('\n'),
    newLines: (isClosed && !takesBreak ? open(newText) : newText).split('\n'),
    takesBreak,
  };
}

/** Those of the places, in order, that do not overlap the one before. */
function apart(starts: readonly number[], length: number): readonly number[] {
  let end = 0;
  return starts.filter((start) => {
    if (start < end) return false;
    end = start + length;
    return true;
  });
}

function toMatch(text: string, found: readonly Line[], rewrite: Rewrite & { readonly shift: Shift }): Match {
  const [first, last] = [found[0], found.at(-1)];
  return {
    start: first?.start ?? 0,
    end: (rewrite.takesBreak ? last?.next : last?.end) ?? 0,
    changes: () => toChanges(text, found, rewrite),
  };
}

/** Only lines that differ are written. */
function toChanges(
  text: string,
  found: readonly Line[],
  { oldLines, newLines, takesBreak, shift }: Rewrite & { readonly shift: Shift },
): readonly TextChange[] {
  const whole = { oldStart: 0, oldEnd: oldLines.length, newStart: 0, newEnd: newLines.length };
  const hunks = takesBreak ? [whole] : hunksOf(oldLines, newLines, isOneSided);
  return hunks.map(({ oldStart, oldEnd, newStart, newEnd }) => {
    const [start, last] = [found[oldStart]?.start ?? 0, found[oldEnd - 1]];
    const end = (takesBreak ? last?.next : last?.end) ?? start;
    const lines = newLines.slice(newStart, newEnd).map((line) => shift(line) ?? line);
    return { start, oldText: text.slice(start, end), newText: written(text, start, lines.join('\n')) };
  });
}
