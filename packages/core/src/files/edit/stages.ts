import { findExact } from './exact.ts';
import { loosest } from './form.ts';
import type { FormRules } from './form.ts';
import { findIndented } from './indentation.ts';
import { findInForm } from './loose.ts';
import { take } from './match.ts';
import type { Match, Matches, Take } from './match.ts';
import { findPartial } from './partial.ts';
import type { MatchStage, Replacement } from './replacement.ts';
import type { Source } from './source.ts';

/** The matches of the first stage that finds any. */
export interface Found extends Matches {
  readonly stage: MatchStage;
}

type Find = (source: Source, replacement: Replacement) => Iterable<Match>;

const loosely =
  (rules: FormRules): Find =>
  (source, replacement) =>
    findInForm(source, replacement, rules);

/** Strictest first: the match that ignores the least is the most likely one. */
const stages: readonly (readonly [MatchStage, Find])[] = [
  ['exact', findExact],
  ['exact', findPartial],
  ['line-breaks', loosely({ blanks: false, characters: false })],
  ['blanks', loosely({ blanks: true, characters: false })],
  ['characters', loosely(loosest)],
  ['indentation', findIndented],
];

/** Finds the text of a replacement: as whole lines first, if it consists of them, then anywhere. */
export function findText(source: Source, replacement: Replacement, wanted: Take): Found | undefined {
  const [within, ...rest] = replacement.lines === true ? [replacement, withinLine(replacement)] : [replacement];
  for (const sought of [within, ...rest]) {
    for (const [stage, find] of stages) {
      const found = take(find(source, sought), wanted);
      if (found.count > 0) return { stage, ...found };
    }
  }
  return undefined;
}

/** The same texts without their final line break. */
function withinLine({ oldText, newText, ...replacement }: Replacement): Replacement {
  const open = (text: string): string => text.replace(/\r?\n$/, '');
  return { ...replacement, oldText: open(oldText), newText: open(newText), lines: false };
}
