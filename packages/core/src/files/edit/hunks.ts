import { createNumbering } from './numbering.ts';

/** A range of differing lines, from 0 and end-exclusive, in the old text and in the new one. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** A line common to both texts. */
interface Common {
  readonly old: number;
  readonly new: number;
}

/** Maximum number of line pairs to compare; beyond it, everything is one hunk. */
const mostPairs = 1_000_000;

/**
 * The differing lines of two texts. A hunk without an unambiguous position may include an adjacent line common to both.
 */
export function hunksOf(
  oldLines: readonly string[],
  newLines: readonly string[],
  needsNeighbour: (hunk: Hunk) => boolean,
): readonly Hunk[] {
  const end = { old: oldLines.length, new: newLines.length };
  const kept: Common[] = [];
  for (const common of [...commonLines(oldLines, newLines), end]) {
    const hunk = between(kept.at(-1), common);
    const isAlone = !isEmpty(hunk) && needsNeighbour(hunk);
    if (isAlone && kept.length === 0 && common !== end) continue;
    if (isAlone) kept.pop();
    kept.push(common);
  }
  return kept.map((common, index) => between(kept[index - 1], common)).filter((hunk) => !isEmpty(hunk));
}

function between(before: Common | undefined, behind: Common): Hunk {
  const [oldStart, newStart] = before === undefined ? [0, 0] : [before.old + 1, before.new + 1];
  return { oldStart, oldEnd: behind.old, newStart, newEnd: behind.new };
}

function isEmpty({ oldStart, oldEnd, newStart, newEnd }: Hunk): boolean {
  return oldStart === oldEnd && newStart === newEnd;
}

/** True if lines are only added or only removed. */
export function isOneSided({ oldStart, oldEnd, newStart, newEnd }: Hunk): boolean {
  return oldStart === oldEnd || newStart === newEnd;
}

/** Longest common subsequence of lines. */
function commonLines(oldLines: readonly string[], newLines: readonly string[]): readonly Common[] {
  const shorter = Math.min(oldLines.length, newLines.length);
  let head = 0;
  while (head < shorter && oldLines[head] === newLines[head]) head++;
  let tail = 0;
  while (tail < shorter - head && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) tail++;
  const toNumber = createNumbering(); // comparing numbers costs the same however long the lines are
  const inner = longestCommon(
    oldLines.slice(head, oldLines.length - tail).map(toNumber),
    newLines.slice(head, newLines.length - tail).map(toNumber),
  );
  return [
    ...Array.from({ length: head }, (_, index) => ({ old: index, new: index })),
    ...inner.map((common) => ({ old: common.old + head, new: common.new + head })),
    ...Array.from({ length: tail }, (_, index) => ({
      old: oldLines.length - tail + index,
      new: newLines.length - tail + index,
    })),
  ];
}

function longestCommon(oldLines: readonly number[], newLines: readonly number[]): readonly Common[] {
  if (oldLines.length * newLines.length > mostPairs) return [];
  const width = newLines.length + 1;
  const lengths = new Uint32Array((oldLines.length + 1) * width);
  const lengthAt = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = oldLines.length - 1; row >= 0; row--)
    for (let column = newLines.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        oldLines[row] === newLines[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));

  const common: Common[] = [];
  for (let [row, column] = [0, 0]; row < oldLines.length && column < newLines.length;) {
    if (oldLines[row] === newLines[column]) common.push({ old: row++, new: column++ });
    else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row++;
    else column++;
  }
  return common;
}
