import { wireName } from '@utensil/core/provider';

/** The name of Gemini's call in the history: its own, unless the API would refuse that name. */
export function nameInHistory(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/.test(name) ? name : wireName(name);
}
