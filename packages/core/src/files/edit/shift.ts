import { commonBeginning } from './common.ts';
import { indentationOf } from './numbered-lines.ts';
import type { Indentation, NumberedLines } from './numbered-lines.ts';
import { occurrencesOf } from './occurrences.ts';
import { rewritings } from './rewriting.ts';
import type { Rewriting } from './rewriting.ts';

/** The new lines, indented to match a place. */
export interface Shift {
  /** Upper bound on the length of all lines together. */
  readonly size: number;
  /** A line by its index. */
  write(index: number): string;
}

/** The shift at a line; undefined if there is none. */
export type Shifts = (line: number) => Shift | undefined;

/** Lines to find at another indentation, and their replacement. */
export interface Reindentation {
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
}

/**
 * Finds the one rule that turns the indentation of all old lines into that of the equal lines from a given line on;
 * empty lines are ignored. All lines are searched at once, so the cost does not depend on the number of places.
 */
export function shiftsOf(lines: NumberedLines, { oldLines, newLines }: Reindentation): Shifts {
  const indentations = oldLines.map(indentationOf);
  const first = indentations.findIndex((indentation) => indentation !== undefined);
  const rules = rewritings.map((rewrite) => toRule(lines, { indentations, first, newLines, rewrite }));
  const [asItIs] = rules;
  const drop = dropping(indentations[first] ?? '', newLines);
  return (line) => {
    const at = line + first;
    const target = indentationOf(lines.lines[at]?.content ?? '') ?? '';
    const rule = rules.find(({ opening, holdsFrom }) => target.endsWith(opening) && holdsFrom(at + 1));
    if (rule !== undefined) return rule.add(target.slice(0, target.length - rule.opening.length));
    return asItIs?.holdsFrom(at + 1) === true ? drop(target) : undefined;
  };
}

/** Converts indentations, and adds the same whitespace to each. */
interface Rule {
  /** Conversion of the first indentation. */
  readonly opening: string;
  /** True if the lines after the first, which begins at `line`, follow the same rule. */
  holdsFrom(line: number): boolean;
  add(blanks: string): Shift | undefined;
}

interface Ruled {
  readonly indentations: readonly Indentation[];
  /** Index of the first defined item. */
  readonly first: number;
  readonly newLines: readonly string[];
  readonly rewrite: Rewriting;
}

function toRule(lines: NumberedLines, { indentations, first, newLines, rewrite }: Ruled): Rule {
  const rewritten = indentations.map((each) => (each === undefined ? undefined : rewrite(each)));
  const isComplete = rewritten.every((each, index) => each !== undefined || indentations[index] === undefined);
  let marks: Uint8Array | undefined;
  let adding: ((blanks: string) => Shift | undefined) | undefined;
  return {
    opening: rewritten[first] ?? '',
    holdsFrom(line) {
      if (!isComplete) return false;
      marks ??= marksOf(lines.steps, lines.stepsOf(rewritten).slice(first + 1));
      return marks[line] === 1;
    },
    add: (blanks) => (adding ??= addingTo(newLines.map((line) => reindented(line, rewrite))))(blanks),
  };
}

/** Marks the positions where one sequence occurs in another; every position if it is empty. */
function marksOf(sequence: readonly number[], sought: readonly number[]): Uint8Array {
  const marks = new Uint8Array(sequence.length + 1).fill(sought.length === 0 ? 1 : 0);
  for (const start of occurrencesOf(sequence, sought)) marks[start] = 1;
  return marks;
}

/** A line with its indentation converted; an empty line is unchanged. */
function reindented(line: string, rewrite: Rewriting): string | undefined {
  const indentation = indentationOf(line);
  if (indentation === undefined) return line;
  const rewritten = rewrite(indentation);
  return rewritten === undefined ? undefined : rewritten + line.slice(indentation.length);
}

function addingTo(lines: readonly (string | undefined)[]): (blanks: string) => Shift | undefined {
  const known = lines.filter((line) => line !== undefined);
  if (known.length < lines.length) return () => undefined;
  const total = totalOf(known);
  return (blanks) => ({
    size: total + blanks.length * known.length,
    write(index) {
      const line = known[index] ?? '';
      return indentationOf(line) === undefined ? line : blanks + line;
    },
  });
}

/** Removes from all lines the part by which one indentation exceeds another. */
function dropping(source: string, lines: readonly string[]): (target: string) => Shift | undefined {
  const common = lines
    .map(indentationOf)
    .filter((indentation) => indentation !== undefined)
    .reduce((least, indentation) => Math.min(least, commonBeginning(source, indentation)), source.length);
  const size = totalOf(lines);
  return (target) => {
    const dropped = source.length - target.length;
    if (dropped > common || !source.endsWith(target)) return undefined;
    const write = (index: number): string => {
      const line = lines[index] ?? '';
      return indentationOf(line) === undefined ? line : line.slice(dropped);
    };
    return { size, write };
  };
}

function totalOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, lines.length);
}
