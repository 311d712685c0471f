import { UtensilError } from '../../base/errors.ts';
import type { ErrorCode } from '../../base/errors.ts';
import { quotePath } from '../file-error.ts';
import { abridgeList } from './abridge.ts';
import { limits } from './limits.ts';
import type { Indivisible } from './indivisible.ts';
import type { Parting } from './partial.ts';

/** Reason why a text cannot be edited, independent of its file. */
export interface Problem {
  readonly code: ErrorCode;
  /** The fault: `no such text`. */
  readonly happened: string;
  /** Position, placed after the file's name: `on lines 1, 3`. */
  readonly where?: string;
  /** Advice, in whole sentences. */
  readonly hint: string;
  readonly lines?: readonly number[];
  /** Total number of places, of which `lines` are the first. */
  readonly count?: number;
}

function invalid(hint: string): Problem {
  return { code: 'EINVAL', happened: 'invalid argument', hint };
}

export const emptyText = /* @__PURE__ */ invalid('The text to replace is empty: say which text to replace.');

export const sameText = /* @__PURE__ */ invalid(
  'The new text is the same as the old one: give a new text that differs.',
);

export const nothingNew = /* @__PURE__ */ invalid('The file reads like that already, line breaks aside.');

export const nulInText = /* @__PURE__ */ invalid('The new text contains a NUL, which no text has.');

export const nothingToReplace = /* @__PURE__ */ invalid('There is nothing to replace: give at least one text.');

/** A function, because formatting a number loads locale data: 13 ms at startup. */
export function tooManyPlaces(): Problem {
  const most = limits.places.toLocaleString('en');
  return invalid(`The text occurs more than ${most} times: replace longer texts, or rewrite the whole file.`);
}

export function tooMany(most: number, isLarge = false): Problem {
  const texts = isLarge ? 'texts of so large a file' : 'texts';
  return invalid(`More than ${most} ${texts} are replaced at once: do it in several edits.`);
}

/** Places among which a replacement cannot choose. */
export interface Ambiguity {
  readonly count: number;
  /** Lines of the first places. */
  readonly lines: readonly number[];
  readonly leftOut?: string;
}

export function notUnique({ count, lines, leftOut = '' }: Ambiguity): Problem {
  return {
    code: 'string_not_unique',
    happened: `the text occurs ${count} times`,
    where: `on lines ${abridgeList(lines, { most: 20, count })}${leftOut}`,
    hint: 'Add what is around it, or replace all.',
    lines,
    count,
  };
}

/** A text that occurs only inside an indivisible unit. */
export function notWhole({ of, edge, line }: Parting): Problem {
  return invalid(`The text to replace ${edge} ${wholeness[of](line)}`);
}

const wholeness: Readonly<Record<Indivisible, (line: number) => string>> = {
  'line-break': (line) =>
    `between the CR and the LF of the line break on line ${line}: leave the CR out, or add the LF.`,
  character: (line) => `in half of a surrogate pair, on line ${line}: give the whole character.`,
  mark: () => 'with the byte order mark of the file, which stays: leave it out.',
};

/** Added to the message if a text was not found and some match stages were skipped. */
export const notSearched =
  'The file is too long, or too unlike plain text, to be searched for other ways to write it: take the text exactly as it is there.';

export function notFound(hint: string): Problem {
  return { code: 'string_not_found', happened: 'no such text', hint };
}

/** The error for a problem with a file. */
export function toError({ code, happened, where, hint, ...details }: Problem, path: string): UtensilError {
  const place = where === undefined ? '' : `, ${where}`;
  return new UtensilError(code, `${code}: ${happened}, ${quotePath(path)}${place}. ${hint}`, { ...details, path });
}

/** Failure of one of several replacements. */
export interface Failure {
  /** Number of the replacement, from 1. */
  readonly number: number;
  /** Computed lazily: it is costly, and of many failures only some are described. */
  explain(): Problem;
}

/** One error for several failures, one line each, up to a maximum. */
export function toOneError(failures: readonly Failure[], count: number, path: string): UtensilError {
  const problems = failures.slice(0, 10).map(({ number, explain }) => ({ number, ...explain() }));
  const shown = problems.map(({ number, code, happened, where, hint }) => {
    const what = code === 'EINVAL' ? '' : `${happened}${where === undefined ? '' : `, ${where}`}. `;
    return `Replacement ${number}: ${what}${hint}`;
  });
  const rest = failures.length - shown.length;
  const more = rest > 0 ? [`${rest} more cannot be done either.`] : [];
  const { code = 'EINVAL', lines, count: places } = problems[0] ?? {};
  const opening = `${code}: ${failures.length} of ${count} replacements cannot be done, ${quotePath(path)}, so nothing is changed.`;
  const details = { path, ...(lines && { lines }), ...(places !== undefined && { count: places }) };
  return new UtensilError(code, [opening, ...shown, ...more].join('\n'), details);
}
