/** Numbers, sizes, durations and times in one language. */
export interface Formats {
  number(value: number): string;
  /** A number rounded to a compact form, such as "12 thousand". */
  roundNumber(value: number): string;
  bytes(count: number): string;
  dollars(amount: number): string;
  duration(milliseconds: number): string;
  /** Date and time of day, from milliseconds since 1970. */
  time(milliseconds: number): string;
  /** Time of day, from milliseconds since 1970. */
  timeOfDay(milliseconds: number): string;
  /** The form of a text for a count: `plural(2, { one: 'file', other: 'files' })`. */
  plural(count: number, forms: PluralForms): string;
}

/** Forms of a text by plural category; `other` serves the categories that are absent. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/**
 * Formats of a language, as a translation needs them. Dates follow the region of the browser if it prefers the same
 * language.
 *
 * @example
 * ```ts
 * import { formatsFor } from '@utensil/elements/texts';
 *
 * if (formatsFor('de').number(1_234.5) !== '1.234,5') throw new Error('unexpected');
 * ```
 */
export function formatsFor(locale: string): Formats {
  const number = lazily(() => new Intl.NumberFormat(locale));
  const round = lazily(
    () => new Intl.NumberFormat(locale, { notation: 'compact', compactDisplay: 'long', maximumSignificantDigits: 2 }),
  );
  const time = lazily(() => new Intl.DateTimeFormat(regional(locale), { dateStyle: 'medium', timeStyle: 'short' }));
  const timeOfDay = lazily(() => new Intl.DateTimeFormat(regional(locale), { timeStyle: 'short' }));
  const rules = lazily(() => new Intl.PluralRules(locale));
  return {
    number: (value) => number().format(value),
    roundNumber: (value) => round().format(value),
    bytes: (count) => bytesText(count, locale),
    dollars: (amount) => dollarsText(amount, locale),
    duration: (milliseconds) => durationText(milliseconds, locale),
    time: (milliseconds) => time().format(milliseconds),
    timeOfDay: (milliseconds) => timeOfDay().format(milliseconds),
    plural: (count, forms) => forms[rules().select(count)] ?? forms.other,
  };
}

/** Creating a format takes longer than using it, and most pages use few. */
function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

/** English is written in many regions, whose dates differ. */
function regional(locale: string): string {
  const language = languageOf(locale);
  return globalThis.navigator?.languages?.find((each) => languageOf(each) === language) ?? locale;
}

/** Undefined if the tag is invalid: Chromium may list "en-US@posix", the name that its system uses. */
function languageOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).language;
  } catch {
    return undefined;
  }
}

function bytesText(count: number, locale: string): string {
  if (count < 1_000) return unitText(count, 'byte', { locale, unitDisplay: 'long' });
  const [value, unit] = count < 1_000_000 ? [count / 1_000, 'kilobyte'] : [count / 1_000_000, 'megabyte'];
  return unitText(value, unit, { locale, unitDisplay: 'short', maximumFractionDigits: 1 });
}

function dollarsText(amount: number, locale: string): string {
  const digits = amount < 0.1 ? 4 : 2;
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount);
}

/** At most two units: "2m 5s". */
function durationText(milliseconds: number, locale: string): string {
  const part = (value: number, unit: string, maximumFractionDigits = 0): string =>
    unitText(value, unit, { locale, unitDisplay: 'narrow', maximumFractionDigits });
  const seconds = milliseconds / 1_000;
  if (seconds < 0.95) return part(milliseconds, 'millisecond');
  if (seconds < 59.5) return part(seconds, 'second', seconds < 9.95 ? 1 : 0);
  const all = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(all / 3_600), Math.floor(all / 60) % 60, all % 60];
  return hours > 0
    ? `${part(hours, 'hour')} ${part(minutes, 'minute')}`
    : `${part(minutes, 'minute')} ${part(rest, 'second')}`;
}

function unitText(
  value: number,
  unit: string,
  { locale, ...options }: Intl.NumberFormatOptions & { readonly locale: string },
): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, ...options }).format(value);
}
