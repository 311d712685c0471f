import { UtensilError } from '../../base/errors.ts';
import { fileError, quotePath } from '../file-error.ts';
import { applyChanges } from './changes.ts';
import type { SourceText } from './exact.ts';
import { limits } from './limits.ts';
import type { Match } from './match.ts';
import { createNearest } from './nearest.ts';
import type { Nearest } from './nearest.ts';
import { partingOf } from './partial.ts';
import { createChangeCounter, linesOfOffsets } from './places.ts';
import {
  emptyText,
  notFound,
  nothingNew,
  nothingToReplace,
  notSearched,
  notUnique,
  notWhole,
  nulInText,
  sameText,
  toError,
  tooMany,
  tooManyPlaces,
  toOneError,
} from './problem.ts';
import type { Failure, Problem } from './problem.ts';
import type { EditedText, MatchStage, Replacement } from './replacement.ts';
import { createSource } from './source.ts';
import type { Source } from './source.ts';
import { findText } from './stages.ts';
import type { Found } from './stages.ts';

/**
 * Edits a text atomically: each replacement is located in the original text, and either all are made or none. If there
 * is no exact match, progressively looser matches are tried (see {@link MatchStage}); what was ignored for the match is
 * kept as it stands in the text. Inserted lines adopt the surrounding line breaks; an explicit `\\r\\n` is kept.
 *
 * Throws `string_not_found` (with the closest match), `string_not_unique` (with the `count` of matches and the first
 * `lines`), `EFBIG`, and `EINVAL` if a text is empty, unchanged, or would split a CRLF or a character, or if
 * replacements overlap or are too many.
 *
 * @example
 * ```ts
 * import { editText } from '@utensil/core/edit';
 *
 * const { text } = editText('say “hi”\r\n', [{ oldText: 'say "hi"', newText: 'say "ho"' }], '/greeting.txt');
 * console.log(JSON.stringify(text)); // "say “ho”\r\n"
 * ```
 */
export function editText(text: string, replacements: readonly Replacement[], path: string): EditedText {
  return editSource({ text, hasMark: false }, replacements, path);
}

/** Like {@link editText}, for a text that may follow a byte order mark. */
export function editSource(given: SourceText, replacements: readonly Replacement[], path: string): EditedText {
  const { text } = given;
  if (replacements.length === 0) throw toError(nothingToReplace, path);
  if (replacements.length > limits.replacements) throw toError(tooMany(limits.replacements), path);
  if (text.length > limits.characters) throw fileError('EFBIG', path, { hint: 'It is too large to be edited.' });
  const atOnce = Math.floor(limits.lookedThrough / text.length);
  if (replacements.length > atOnce) throw toError(tooMany(atOnce, true), path);

  const matches = locateAll(createSource(given), replacements, path);
  refuseOverlaps(matches, { text, replacements, path });
  const growth = matches.reduce((sum, { match }) => sum + match.size, 0);
  if (text.length + growth > limits.characters) throw fileError('EFBIG', path, { hint: 'Replace fewer places.' });
  const linesOf = createChangeCounter(text);
  const places = matches.flatMap(({ match, stage, replacement }) =>
    match.changes().map((change) => ({ replacement, stage, ...change, ...linesOf(change) })),
  );
  const edited = applyChanges(text, places);
  if (edited === text) throw toError(nothingNew, path);
  return { before: text, text: edited, places };
}

/** A match, and the index of its replacement. */
interface Located {
  readonly match: Match;
  readonly stage: MatchStage;
  readonly replacement: number;
}

/** All matches, sorted by position. Throws if a replacement is impossible. */
function locateAll(source: Source, replacements: readonly Replacement[], path: string): readonly Located[] {
  const nearest = createNearest(source.text);
  const located: Located[] = [];
  const failures: Failure[] = [];
  for (const [replacement, wanted] of replacements.entries()) {
    const found = locate(source, wanted, { nearest, room: limits.places - located.length });
    if ('explain' in found) failures.push({ number: replacement + 1, explain: found.explain });
    else for (const match of found.matches) located.push({ match, stage: found.stage, replacement });
  }
  const [first] = failures;
  if (first !== undefined)
    throw replacements.length === 1 ? toError(first.explain(), path) : toOneError(failures, replacements.length, path);
  return located.sort((left, right) => left.match.start - right.match.start);
}

interface Locating {
  readonly nearest: Nearest;
  /** Number of places that may still be replaced. */
  readonly room: number;
}

/** Matches of one replacement, or the reason why there are none. */
function locate(
  source: Source,
  replacement: Replacement,
  { nearest, room }: Locating,
): Found | Pick<Failure, 'explain'> {
  const { all = false } = replacement;
  const invalid = problemOf(replacement);
  if (invalid !== undefined) return { explain: () => invalid };
  const found = findText(
    source,
    replacement,
    all ? { most: room, apart: true, counts: false } : { most: limits.lines, apart: false, counts: true },
  );
  if (found === undefined) return { explain: () => whyMissing(source, replacement, nearest) };
  const { count, matches, stage } = found;
  if (all) return count > room ? { explain: tooManyPlaces } : found;
  if (count === 1) return found;
  const starts = matches.map(({ start }) => start);
  return { explain: () => notUnique({ lines: linesOfOffsets(source.text, starts), count, leftOut: leftOut[stage] }) };
}

/** Problem with a replacement regardless of the text. */
function problemOf({ oldText, newText }: Replacement): Problem | undefined {
  if (oldText === '') return emptyText;
  if (oldText === newText) return sameText;
  return newText.includes('\0') ? nulInText : undefined;
}

function whyMissing(source: Source, replacement: Replacement, nearest: Nearest): Problem {
  const parting = partingOf(source, replacement);
  if (parting !== undefined) return notWhole(parting);
  return notFound(source.lines() === undefined ? notSearched : nearest(replacement));
}

/** Differences that a stage ignores, as worded for places. */
const leftOut: Readonly<Record<MatchStage, string>> = {
  exact: '',
  'line-breaks': '',
  blanks: ' (blanks at the ends of lines aside)',
  characters: ' (blanks at the ends of lines and typography aside)',
  indentation: ' (indentation aside)',
};

interface Edit {
  readonly text: string;
  readonly replacements: readonly Replacement[];
  readonly path: string;
}

/** Rejects overlapping replacements, and adjacent whole lines: as one replacement they are unambiguous. */
function refuseOverlaps(matches: readonly Located[], { text, replacements, path }: Edit): void {
  for (const [index, { match, replacement }] of matches.entries()) {
    const before = matches[index - 1];
    if (before === undefined || before.match.end < match.start || before.replacement === replacement) continue;
    const areLines = [before.replacement, replacement].every((number) => replacements[number]?.lines === true);
    const overlaps = before.match.end > match.start;
    if (!overlaps && !areLines) continue;
    const [line = 1] = linesOfOffsets(text, [match.start]);
    const numbers = [before.replacement + 1, replacement + 1].sort((left, right) => left - right).join(' and ');
    const happened = overlaps ? `overlap on line ${line}` : `touch at line ${line}`;
    const message = `EINVAL: replacements ${numbers} ${happened}, `;
    throw new UtensilError('EINVAL', `${message}${quotePath(path)}. Make one of them.`, { path, lines: [line] });
  }
}
