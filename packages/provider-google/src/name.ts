import { wireName } from '@utensil/core/provider';

/** The name of a call that Gemini has made, as history: what it wrote, unless that is no name that it takes back. */
export function nameInHistory(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/.test(name) ? name : wireName(name);
}
