import type { TextChange } from './changes.ts';
import { findExact } from './exact.ts';
import { loosest, toForm } from './form.ts';
import type { Form, FormRules } from './form.ts';
import { findInForm } from './loose.ts';
import { findIndented } from './indentation.ts';
import { linesOf, numberLines } from './lines.ts';
import type { Line } from './lines.ts';
import type { MatchStage, Replacement } from './replacement.ts';

/** A place where the text of a replacement is. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** What happens there, in order; never more than between its start and its end. */
  changes(): readonly TextChange[];
}

/** All places of a text, at the first stage that has any. They may overlap. */
export interface Found {
  readonly stage: MatchStage;
  readonly matches: readonly Match[];
}

/** A text, and what is made of it to find others in it, once. */
export interface Source {
  readonly text: string;
  form(rules: FormRules): Form;
  lines(): NumberedLines;
}

/** The lines of a source, in the form that leaves most out, with numbers that are the same where only indentation differs. */
export interface NumberedLines {
  readonly lines: readonly Line[];
  readonly numbers: readonly number[];
  /** The number of any other line. */
  toNumber(line: string): number;
}

type Find = (source: Source, replacement: Replacement) => readonly Match[];

const loosely =
  (rules: FormRules): Find =>
  (source, replacement) =>
    findInForm(source, replacement, rules);

/** In this order: what is found with less left out of account is what was meant. */
const stages: readonly (readonly [MatchStage, Find])[] = [
  ['exact', findExact],
  ['line-breaks', loosely({ blanks: false, characters: false })],
  ['blanks', loosely({ blanks: true, characters: false })],
  ['characters', loosely(loosest)],
  ['indentation', findIndented],
];

export function createSource(text: string): Source {
  const forms = new Map<string, Form>();
  const form = (rules: FormRules): Form => {
    const key = JSON.stringify(rules);
    const known = forms.get(key) ?? toForm(text, rules, true);
    forms.set(key, known);
    return known;
  };
  let numbered: NumberedLines | undefined;
  return { text, form, lines: () => (numbered ??= numberedLines(linesOf(text, form(loosest)))) };
}

function numberedLines(lines: readonly Line[]): NumberedLines {
  const toNumber = numberLines();
  return { lines, numbers: lines.map(({ content }) => toNumber(content)), toNumber };
}

/** Where the text of a replacement is. Whole lines are sought as such first, then within lines. */
export function findText(source: Source, replacement: Replacement): Found | undefined {
  const [within, ...rest] = replacement.lines === true ? [replacement, withinLine(replacement)] : [replacement];
  for (const sought of [within, ...rest]) {
    for (const [stage, find] of stages) {
      const matches = find(source, sought);
      if (matches.length > 0) return { stage, matches };
    }
  }
  return undefined;
}

/** The same texts without the line break that ends them. */
function withinLine({ oldText, newText, ...replacement }: Replacement): Replacement {
  const open = (text: string): string => text.replace(/\r?\n$/, '');
  return { ...replacement, oldText: open(oldText), newText: open(newText), lines: false };
}
