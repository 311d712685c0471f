import { commonBeginning } from './common.ts';
import type { Line } from './lines.ts';
import { createNumbering } from './numbering.ts';
import type { Numbering } from './numbering.ts';

/** Lines with numbers, equal if the lines are equal. */
export interface NumberedLines {
  readonly lines: readonly Line[];
  /** Numbers by content, ignoring indentation. */
  readonly contents: readonly number[];
  /** Numbers by the change of indentation from the previous line. */
  readonly steps: readonly number[];
  /** Numbers of other lines in the same numbering. */
  contentsOf(lines: readonly string[]): readonly number[];
  stepsOf(indentations: readonly Indentation[]): readonly number[];
}

/** The indentation of a line; undefined if the line is blank. */
export type Indentation = string | undefined;

export function numberLines(lines: readonly Line[]): NumberedLines {
  const [toContent, toStep] = [createNumbering(), createNumbering()];
  const contentsOf = (each: readonly string[]): readonly number[] =>
    each.map((line) => toContent(line.slice(indentationOf(line)?.length ?? 0)));
  const stepsOf = (indentations: readonly Indentation[]): readonly number[] => toSteps(indentations, toStep);
  const texts = lines.map(({ content }) => content);
  return { lines, contents: contentsOf(texts), steps: stepsOf(texts.map(indentationOf)), contentsOf, stepsOf };
}

export function indentationOf(line: string): Indentation {
  return line.trim() === '' ? undefined : /^[ \t]*/.exec(line)?.[0];
}

/** Lines shifted by the same whitespace have the same steps, because a step excludes the common indentation. */
function toSteps(indentations: readonly Indentation[], toNumber: Numbering): readonly number[] {
  let before = '';
  return indentations.map((indentation) => {
    if (indentation === undefined) return toNumber('');
    const common = commonBeginning(before, indentation);
    const step = `${before.length - common}${indentation.slice(common)}`;
    before = indentation;
    return toNumber(step);
  });
}
