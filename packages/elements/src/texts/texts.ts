import * as english from './english.ts';
import { formatsFor } from './formats.ts';
import type { Formats } from './formats.ts';

/** All texts of the elements, with their language. */
export type Texts = typeof english;

/** A partial translation, including functions with the same parameters. Missing texts stay English. */
export type SomeTexts = PartialTexts<Texts>;

/** Part of a table of texts, including functions with the same parameters. */
export type PartialTexts<Table> = {
  readonly [Name in keyof Table]?: Table[Name] extends string | ((...values: never) => string)
    ? Table[Name]
    : PartialTexts<Table[Name]>;
};

/** A table of texts in one language, with its formats. */
export interface TextTable {
  readonly locale: string;
  readonly formats: Formats;
}

/** Completes texts with the English ones, and with formats of the given language. */
export function completed(some: SomeTexts): Texts {
  return completeTexts<Texts>(english, some);
}

/**
 * Completes a translation of an app's own texts from the whole table in another language, as `provideTexts` does for those
 * of the elements. Formats are those of the language that the translation names.
 *
 * @example
 * ```ts
 * import { completeTexts, formatsFor } from '@utensil/elements/texts';
 *
 * const english = { locale: 'en', formats: formatsFor('en'), greeting: { hello: 'Hello', bye: 'Bye' } };
 * const german = completeTexts(english, { locale: 'de', greeting: { hello: 'Hallo' } });
 * if (german.greeting.bye !== 'Bye') throw new Error('unexpected');
 * ```
 */
export function completeTexts<Table extends TextTable>(whole: Table, some: PartialTexts<Table>): Table {
  const [locale] = Intl.getCanonicalLocales(some.locale as string | undefined); // throws here rather than while rendering
  const formats = locale === undefined ? whole.formats : formatsFor(locale);
  return merged({ ...whole, formats }, some);
}

function merged<Table extends object>(table: Table, some: PartialTexts<Table>): Table {
  const entries = Object.entries(some).map(([name, own]) => {
    const whole: unknown = Reflect.get(table, name);
    return [name, isTable(whole) && isTable(own) ? merged(whole, own) : (own ?? whole)];
  });
  return { ...table, ...Object.fromEntries(entries) };
}

function isTable(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
