import { createPlainSource } from './exact.ts';
import type { PlainSource, SourceText } from './exact.ts';
import { loosest, toForm } from './form.ts';
import type { Form, FormRules } from './form.ts';
import { countBreaks } from './line-breaks.ts';
import { linesOf } from './lines.ts';
import { numberLines } from './numbered-lines.ts';
import type { NumberedLines } from './numbered-lines.ts';

/** A text, and what is made of it to find others in it, once. */
export interface Source extends PlainSource {
  /** Undefined if the text has too many units for one; see {@link toForm}. */
  form(rules: FormRules): Form | undefined;
  /** Its lines in the form that leaves most out; undefined if there are too many. */
  lines(): NumberedLines | undefined;
}

/** So many lines are compared one by one; the file tools show no more of a file either. */
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
