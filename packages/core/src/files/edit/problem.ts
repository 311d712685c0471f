import { UtensilError } from '../../errors.ts';
import type { ErrorCode } from '../../errors.ts';
import { quotePath } from '../file-error.ts';

/** Why a text cannot be edited, before it is known which file it is of. */
export interface Problem {
  readonly code: ErrorCode;
  /** What happened: `no such text`. */
  readonly happened: string;
  /** Where, after the file: `on lines 1, 3`. */
  readonly where?: string;
  /** Whole sentences: what to do. */
  readonly hint: string;
  readonly lines?: readonly number[];
}

function invalid(hint: string): Problem {
  return { code: 'EINVAL', happened: 'invalid argument', hint };
}

export const emptyText = /* @__PURE__ */ invalid('The text to replace is empty: say which text to replace.');

export const sameText = /* @__PURE__ */ invalid('The new text is the same as the old one: say what is to be changed.');

export const nothingNew = /* @__PURE__ */ invalid('The file reads like that already, line breaks aside.');

export const nulInText = /* @__PURE__ */ invalid('The new text contains a NUL, which no text has.');

export const nothingToReplace = /* @__PURE__ */ invalid('There is nothing to replace: give at least one text.');

export function tooMany(most: number): Problem {
  return invalid(`More than ${most} texts are replaced at once: do it in several edits.`);
}

export function notUnique(lines: readonly number[], leftOut = ''): Problem {
  return {
    code: 'string_not_unique',
    happened: `the text occurs ${lines.length} times`,
    where: `on lines ${shorten(lines)}${leftOut}`,
    hint: 'Add what is around it, or replace all.',
    lines,
  };
}

export function notFound(hint: string): Problem {
  return { code: 'string_not_found', happened: 'no such text', hint };
}

function shorten(lines: readonly number[]): string {
  return lines.length > 20 ? `${lines.slice(0, 20).join(', ')}, …` : lines.join(', ');
}

/** The error for a problem with a file. */
export function toError({ code, happened, where, hint, lines }: Problem, path: string): UtensilError {
  const place = where === undefined ? '' : `, ${where}`;
  const message = `${code}: ${happened}, ${quotePath(path)}${place}. ${hint}`;
  return new UtensilError(code, message, { path, ...(lines === undefined ? {} : { lines }) });
}

/** The problem of one of several replacements. */
export interface NumberedProblem {
  /** From 1. */
  readonly number: number;
  readonly problem: Problem;
}

/** One error for the problems of several replacements, each on a line of its own; so many at the most. */
export function toOneError(problems: readonly NumberedProblem[], count: number, path: string): UtensilError {
  const [first] = problems;
  const code = first?.problem.code ?? 'EINVAL';
  const shown = problems.slice(0, 10).map(({ number, problem: { code: reason, happened, where, hint } }) => {
    const what = reason === 'EINVAL' ? '' : `${happened}${where === undefined ? '' : `, ${where}`}. `;
    return `Replacement ${number}: ${what}${hint}`;
  });
  const rest = problems.length - shown.length;
  const more = rest > 0 ? [`${rest} more cannot be done either.`] : [];
  const opening = `${code}: ${problems.length} of ${count} replacements cannot be done, ${quotePath(path)}, so nothing is changed.`;
  const lines = first?.problem.lines;
  return new UtensilError(code, [opening, ...shown, ...more].join('\n'), {
    path,
    ...(lines === undefined ? {} : { lines }),
  });
}
