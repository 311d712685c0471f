import { commonBeginning } from './common.ts';
import type { Line } from './lines.ts';
import { createNumbering } from './numbering.ts';
import type { Numbering } from './numbering.ts';

/** Lines, and numbers that are the same where two of them are alike. */
export interface NumberedLines {
  readonly lines: readonly Line[];
  /** By what a line says, however far it is indented. */
  readonly contents: readonly number[];
  /** By how much further, or less far, a line is indented than the one before it. */
  readonly steps: readonly number[];
  /** The numbers of any other lines, in the same numbering. */
  contentsOf(lines: readonly string[]): readonly number[];
  stepsOf(indentations: readonly Indentation[]): readonly number[];
}

/** The blanks that a line begins with; undefined if there is nothing else in it. */
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

/** Lines that are all moved by the same blanks have the same steps: what they have in common is no part of one. */
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
