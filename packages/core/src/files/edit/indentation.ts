import type { TextChange } from './changes.ts';
import { written } from './exact.ts';
import { loosest, toForm } from './form.ts';
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
    change: () => toChange(text, found, rewrite),
  };
}

/** The lines that both texts begin or end with stay as they are. */
function toChange(
  text: string,
  found: readonly Line[],
  { oldLines, newLines, takesBreak, shift }: Rewrite & { readonly shift: Shift },
): TextChange {
  const most = Math.min(oldLines.length, newLines.length) - 1;
  let head = 0;
  while (head < most && oldLines[head] === newLines[head]) head++;
  let tail = 0;
  const behind = takesBreak ? 0 : most - head;
  while (tail < behind && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) tail++;

  const start = found[head]?.start ?? 0;
  const last = found[found.length - 1 - tail];
  const end = (takesBreak ? last?.next : last?.end) ?? start;
  const lines = newLines.slice(head, newLines.length - tail).map((line) => shift(line) ?? line);
  return { start, oldText: text.slice(start, end), newText: written(text, start, lines.join('\n')) };
}
