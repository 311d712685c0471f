import * as english from './english.ts';
import { formatsFor } from './formats.ts';

/** Every text of the elements, with the language they are in. */
export type Texts = typeof english;

/** Some of the texts, and functions with the same parameters: those that are absent stay English. */
export type SomeTexts = Some<Texts>;

type Some<Table> = {
  readonly [Name in keyof Table]?: Table[Name] extends string | ((...values: never) => string)
    ? Table[Name]
    : Some<Table[Name]>;
};

/** All texts: those given, English for the others, and formats of the language that they name. */
export function completed(some: SomeTexts): Texts {
  const [locale] = Intl.getCanonicalLocales(some.locale); // throws here, not while something is rendered
  const formats = locale === undefined ? english.formats : formatsFor(locale);
  return merged({ ...english, formats }, some);
}

function merged<Table extends object>(table: Table, some: Some<Table>): Table {
  const entries = Object.entries(some).map(([name, own]) => {
    const whole: unknown = Reflect.get(table, name);
    return [name, isTable(whole) && isTable(own) ? merged(whole, own) : (own ?? whole)];
  });
  return { ...table, ...Object.fromEntries(entries) };
}

function isTable(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
