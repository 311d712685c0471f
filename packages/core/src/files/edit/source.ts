import { createPlainSource } from './exact.ts';
import type { PlainSource, SourceText } from './exact.ts';
import { loosest, toForm } from './form.ts';
import type { Form, FormRules } from './form.ts';
import { countBreaks } from './line-breaks.ts';
import { linesOf } from './lines.ts';
import { numberLines } from './numbered-lines.ts';
import type { NumberedLines } from './numbered-lines.ts';

/** A text, with the indexes needed to search it, each built once. */
export interface Source extends PlainSource {
  /** Undefined if the text has too many units; see {@link toForm}. */
  form(rules: FormRules): Form | undefined;
  /** Lines of the loosest form; undefined if there are too many. */
  lines(): NumberedLines | undefined;
}

/** Maximum number of lines to compare. The file tools show no more lines of a file either. */
const mostLines = 1_000_000;

export function createSource(given: SourceText): Source {
  const { text } = given;
  const forms = new Map<string, Form | undefined>();
  const form = (rules: FormRules): Form | undefined => {
    const key = JSON.stringify(rules);
    if (!forms.has(key)) forms.set(key, toForm(text, rules, true));
    return forms.get(key);
  };
  let numbered: NumberedLines | undefined;
  const lines = (): NumberedLines | undefined => {
    const loose = form(loosest);
    if (loose === undefined || countBreaks(loose.text) > mostLines) return undefined;
    return (numbered ??= numberLines(linesOf(text, loose)));
  };
  return { ...createPlainSource(given), form, lines };
}
