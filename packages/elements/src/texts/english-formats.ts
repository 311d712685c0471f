import { formatsFor } from './formats.ts';
import type { Formats, PluralForms } from './formats.ts';

/** Numbers, sizes, durations and times. */
export const formats: Formats = /* @__PURE__ */ formatsFor('en');

export function number(value: number): string {
  return formats.number(value);
}

export function plural(count: number, forms: PluralForms): string {
  return formats.plural(count, forms);
}
