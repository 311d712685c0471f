import { UtensilError } from '../../errors.ts';
import { fileError, quotePath } from '../file-error.ts';
import { applyChanges } from './changes.ts';
import { createSource, findText } from './match.ts';
import type { Match, Source } from './match.ts';
import { withoutOverlaps } from './overlap.ts';
import { linesOfChanges, linesOfOffsets } from './places.ts';
import {
  emptyText,
  notFound,
  nothingNew,
  nothingToReplace,
  notUnique,
  nulInText,
  sameText,
  toError,
  tooMany,
  toOneError,
} from './problem.ts';
import type { NumberedProblem, Problem } from './problem.ts';
import { nearest } from './nearest.ts';
import type { EditedText, MatchStage, Replacement } from './replacement.ts';

/** So many replacements in one edit, as each looks through the whole text. */
const mostReplacements = 100;

/** So many characters a text may have, before and after; one file may have fewer. */
const mostCharacters = 64 * 1024 * 1024;

/**
 * Edits a text: all replacements at once, each found in the text as it is before, or none of them. What is not found as it
 * is, is sought with less and less taken into account (see {@link MatchStage}), and what was left out of account stays as
 * the text has it. Inserted lines get the line breaks of their surroundings; a `\\r\\n` that is asked for stays one.
 *
 * Throws `string_not_found` (with what is most alike), `string_not_unique` (with `lines`), and `EINVAL` where a text is
 * empty or stays the same, or two replacements overlap.
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
  if (replacements.length === 0) throw toError(nothingToReplace, path);
  if (replacements.length > mostReplacements) throw toError(tooMany(mostReplacements), path);
  if (text.length > mostCharacters) throw fileError('EFBIG', path, { hint: 'It is too large to be edited.' });
  const source = createSource(text);
  const located = replacements.map((replacement) => locate(source, replacement));
  refuseProblems(located, path);

  const matches = located.flatMap((each, replacement) =>
    each.ok ? each.matches.map((match) => ({ match, stage: each.stage, replacement })) : [],
  );
  matches.sort((left, right) => left.match.start - right.match.start);
  refuseOverlaps(matches, { text, replacements, path });
  const growth = matches.reduce((sum, { replacement }) => sum + (replacements[replacement]?.newText.length ?? 0), 0);
  if (text.length + growth > mostCharacters) throw fileError('EFBIG', path, { hint: 'Replace fewer places.' });
  const changes = matches.flatMap(({ match, stage, replacement }) =>
    match.changes().map((change) => ({ replacement, stage, ...change })),
  );
  const edited = applyChanges(text, changes);
  if (edited === text) throw toError(nothingNew, path);
  const lines = linesOfChanges(text, changes);
  const places = changes.flatMap((change, index) => {
    const where = lines[index];
    return where === undefined ? [] : [{ ...change, ...where }];
  });
  return { before: text, text: edited, places };
}

/** Where a replacement is to happen, or why it cannot. */
type Located =
  | { readonly ok: true; readonly stage: MatchStage; readonly matches: readonly Match[] }
  | { readonly ok: false; readonly problem: Problem };

function locate(source: Source, replacement: Replacement): Located {
  const { oldText, newText, all = false } = replacement;
  if (oldText === '') return { ok: false, problem: emptyText };
  if (oldText === newText) return { ok: false, problem: sameText };
  if (newText.includes('\0')) return { ok: false, problem: nulInText };
  const found = findText(source, replacement);
  if (found === undefined) return { ok: false, problem: notFound(nearest(source.text, replacement)) };
  const { stage, matches } = found;
  if (all) return { ok: true, stage, matches: withoutOverlaps(matches) };
  if (matches.length === 1) return { ok: true, stage, matches };
  const lines = linesOfOffsets(
    source.text,
    matches.map(({ start }) => start),
  );
  return { ok: false, problem: notUnique(lines, leftOut[stage]) };
}

/** What is not taken into account at a stage, said of places. */
const leftOut: Readonly<Record<MatchStage, string>> = {
  exact: '',
  'line-breaks': '',
  blanks: ' (blanks at the ends of lines aside)',
  characters: ' (blanks at the ends of lines and typography aside)',
  indentation: ' (indentation aside)',
};

function refuseProblems(located: readonly Located[], path: string): void {
  const problems = located.flatMap((each, index): readonly NumberedProblem[] =>
    each.ok ? [] : [{ number: index + 1, problem: each.problem }],
  );
  const [first] = problems;
  if (first === undefined) return;
  throw located.length === 1 ? toError(first.problem, path) : toOneError(problems, located.length, path);
}

interface Numbered {
  readonly match: Match;
  readonly replacement: number;
}

interface Edit {
  readonly text: string;
  readonly replacements: readonly Replacement[];
  readonly path: string;
}

/** Refuses replacements that overlap, and whole lines that follow each other: as one replacement they are clear. */
function refuseOverlaps(matches: readonly Numbered[], { text, replacements, path }: Edit): void {
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
